import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#test/until.ts'
import type { AShell } from './a-shell.ts'
import { metalManifest } from './metal-manifest.ts'
import { aMetalSite, type MetalSite } from './metal-site.ts'
import { asWanted, lookAtCluster } from './seen-cluster.ts'
import { changesOn, configsOn, type SeenConfigs } from './seen-configs.ts'

// What becomes of a cluster that runs, on a real Kubernetes API, seen by real kubectl and talosctl: after each change all of
// its members, versions and configurations are what was asked for, and nothing else. Each test takes the cluster as the one
// before left it.

const SPEED = 60
const LONG_MS = 120_000
const at = (...machines: number[]) => machines.map((machine) => `127.91.0.${machine}`)
const TALOS = ['v1.13.0', 'v1.13.1'] as const
const KUBERNETES = ['v1.34.1', 'v1.35.0'] as const
const KUBELET = ['machine.kubelet', 'ghcr.io/siderolabs/kubelet'] as const
const PARTS = [
  ['cluster.apiServer', 'registry.k8s.io/kube-apiserver'],
  ['cluster.controllerManager', 'registry.k8s.io/kube-controller-manager'],
  ['cluster.proxy', 'registry.k8s.io/kube-proxy'],
  ['cluster.scheduler', 'registry.k8s.io/kube-scheduler'],
] as const
// Nobody waits for what is known, and workers go together.
const QUICK = { rolloutStrategy: { minReadySeconds: 1, rollingUpdate: { maxUnavailable: '100%' } } }

let site: MetalSite
let user: AShell
/** What is asked for, and what machines had when it was last seen. */
let wanted: Wanted = {
  ...{ name: 'one', controlPlanes: at(1, 2, 3), workers: at(4), both: QUICK },
  ...{ talos: TALOS[0], kubernetes: KUBERNETES[0], patches: [], workerPatches: [] },
}
let had: SeenConfigs

type Wanted = Required<Pick<Manifest, 'patches'>> &
  Omit<Manifest, 'versions'> & { talos: string; kubernetes: string }
type Manifest = Parameters<typeof metalManifest>[0]

beforeAll(async () => {
  site = await aMetalSite(at(1)[0] ?? '', 6, SPEED)
  ;({ user } = site)
})
afterAll(() => site?.[Symbol.asyncDispose]())

describe('a cluster of three control planes and a worker', () => {
  test('is as it is to be, says talosctl', { timeout: LONG_MS }, async () => {
    await ask({})
    await untilReady()
    await useCredentials()

    await expectAsWanted()
    had = await configsOn(user, machines())
  })

  test('gets another worker, and nobody else is touched', { timeout: LONG_MS }, async () => {
    await ask({ workers: at(4, 5) })
    await untilReady()

    await expectAsWanted()
    await expectChanges({ except: at(5) })
  })

  test('gets another machine instead of one of its control plane, which is wiped', {
    timeout: LONG_MS,
  }, async () => {
    await ask({ controlPlanes: at(1, 2, 6) })
    await untilReady()
    await user.types(`kubectl wait --for=delete tm/one-${at(3)} --timeout=60s`)
    await useCredentials()

    await expectAsWanted()
    await expectChanges({ except: at(6) })
    const stage = `talosctl get machinestatus --insecure -n ${at(3)} -o jsonpath='{.spec.stage}'`
    const isWaiting = ({ stdout }: { stdout: string }) => stdout.trim() === 'maintenance'
    await until('it to wait for a configuration', () => user.tries(stage), isWaiting)
  })
})

describe('its configuration', () => {
  const quiet = { machine: { sysctls: { 'vm.swappiness': '1' } } }
  const loud = { machine: { env: { GRPC_GO_LOG_SEVERITY_LEVEL: 'info' } } }

  test('is changed on all machines, and none of them reboots', { timeout: LONG_MS }, async () => {
    const boots = await bootsOf(machines())
    await ask({ patches: [quiet] })
    await untilReady()

    await expectAsWanted()
    await expectChanges({ on: machines(), to: ['machine.sysctls.vm.swappiness: nothing → 1'] })
    expect(await bootsOf(machines())).toEqual(boots)
  })

  test('is changed by a reboot of the workers, and of nobody else', {
    timeout: LONG_MS,
  }, async () => {
    const [boots, workers] = [await bootsOf(wanted.controlPlanes), await bootsOf(wanted.workers)]
    const place = 'machine.env.GRPC_GO_LOG_SEVERITY_LEVEL'
    await ask({ workerPatches: [loud] })
    await untilReady()

    await expectAsWanted()
    await expectChanges({ on: wanted.workers, to: [`${place}: nothing → info`] })
    expect(await bootsOf(wanted.controlPlanes)).toEqual(boots)
    const after = await bootsOf(wanted.workers)
    expect(Object.values(workers).filter((boot) => Object.values(after).includes(boot))).toEqual([])
  })
})

describe('its versions', () => {
  test('become another Talos', { timeout: LONG_MS }, async () => {
    const image = (version: string) => `ghcr.io/siderolabs/installer:${version}`
    await ask({ talos: TALOS[1] })
    await untilReady()

    await expectAsWanted()
    const to = [`machine.install.image: ${image(TALOS[0])} → ${image(TALOS[1])}`]
    await expectChanges({ on: machines(), to })
  })

  test('become another Kubernetes, and what Talos runs in the cluster follows', {
    timeout: LONG_MS,
  }, async () => {
    const boots = await bootsOf(machines())
    await ask({ kubernetes: KUBERNETES[1] })
    await untilReady()

    await expectAsWanted()
    const moved = ([place, image]: readonly [string, string]) =>
      `${place}.image: ${image}:${KUBERNETES[0]} → ${image}:${KUBERNETES[1]}`
    const changes = await changesOf(machines())
    for (const address of wanted.workers) expect(changes[address]).toEqual([moved(KUBELET)])
    for (const address of wanted.controlPlanes)
      expect(changes[address]).toEqual([...PARTS, KUBELET].map(moved))
    expect(await bootsOf(machines())).toEqual(boots)
    const proxies = await user.types(
      'kubectl --kubeconfig kubeconfig get daemonset kube-proxy -n kube-system -o jsonpath={..image}',
    )
    expect(proxies).toBe(`registry.k8s.io/kube-proxy:${KUBERNETES[1]}`)
  })
})

describe('let go and taken over', () => {
  test('it runs on, and nothing is wiped', { timeout: LONG_MS }, async () => {
    await ask({ both: { ...QUICK, deletionPolicy: 'preserve' } })
    await untilReady()
    await user.types('kubectl delete tc one --timeout=60s')

    expect(await user.types('kubectl get tc,tcp,tw,tm')).toBe('')
    await expectAsWanted()
    await expectChanges({})
  })

  test('it is another one of the operator’s, and as it was', { timeout: LONG_MS }, async () => {
    await ask({
      name: 'two',
      annotations: { 'talos.alperen.cloud/reconcile-mode': 'import' },
      controlPlane: { secretsRef: { name: 'one-secrets' } },
      patches: [...wanted.patches, { cluster: { clusterName: 'one' } }],
    })
    await untilReady()
    await useCredentials()

    await expectAsWanted()
    await expectChanges({})
    const imported = `kubectl get tcp,tw,tm -o jsonpath='{.items[*].status.imported}'`
    expect(new Set((await user.types(imported)).split(' '))).toEqual(new Set(['true']))
    expect(await site.complaints()).toEqual([])
  })
})

const machines = (): string[] => [...wanted.controlPlanes, ...wanted.workers]

/** Asks for something else, and for everything else as before. */
async function ask(change: Partial<Wanted>): Promise<void> {
  wanted = { ...wanted, ...change }
  const { talos, kubernetes, ...rest } = wanted
  const versions = { version: talos, kubeVersion: kubernetes }
  await user.types('kubectl apply -f -', metalManifest({ ...rest, versions }))
}

/** Fails with what is in the way of a cluster that does not get ready. */
async function untilReady(): Promise<void> {
  const of = `tc/${wanted.name}`
  const { exitCode } = await user.tries(`kubectl wait ${of} --for=condition=Ready --timeout=90s`)
  if (exitCode === 0) return
  const said = await user.types(
    `talos-operator explain ${of}; kubectl get events; kubectl get tm -o yaml`,
  )
  expect.fail([said, ...(await site.operatorLog()).split('\n').slice(-15)].join('\n'))
}

/** Uses what the operator hands out. */
async function useCredentials(): Promise<void> {
  await user.types(`talos-operator kubeconfig ${wanted.name} -o kubeconfig --force`)
  await user.types(`talos-operator talosconfig ${wanted.name} -o talosconfig --force`)
  user.exported.set('TALOSCONFIG', join(user.folder, 'talosconfig'))
}

async function expectAsWanted(): Promise<void> {
  const seen = await lookAtCluster(user, wanted)
  expect(seen).toEqual(asWanted(wanted, wanted, seen))
}

/** Holds that these machines have other configurations than before in these places, and the others none but new ones. */
async function expectChanges({
  on = [],
  to = [],
  except = [],
}: {
  on?: readonly string[]
  to?: readonly string[]
  except?: readonly string[]
}): Promise<void> {
  const changes = await changesOf(machines().filter((address) => !except.includes(address)))
  expect(changes).toEqual(
    Object.fromEntries(
      Object.keys(changes).map((address) => [address, on.includes(address) ? to : []]),
    ),
  )
}

/** In what configurations differ from those that machines had; from now on these are those that they had. */
async function changesOf(addresses: readonly string[]): Promise<Record<string, string[]>> {
  const has = await configsOn(user, machines())
  const changes = addresses.map((address) => [address, changesOn(address, had, has)])
  had = has
  return Object.fromEntries(changes)
}

/** What tells one boot of a machine from the next. */
async function bootsOf(addresses: readonly string[]): Promise<Record<string, string>> {
  const boots = addresses.map(async (address) => {
    const id = await user.types(`talosctl read /proc/sys/kernel/random/boot_id -n ${address}`)
    return [address, id.trim()]
  })
  return Object.fromEntries(await Promise.all(boots))
}
