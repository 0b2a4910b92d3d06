import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseYaml } from '#base/yaml.ts'
import { until } from '#test/until.ts'
import type { AShell } from './a-shell.ts'
import { metalManifest } from './metal-manifest.ts'
import { aMetalSite, type MetalSite } from './metal-site.ts'

// One life of a cluster on a real Kubernetes API, seen by real kubectl and talosctl. The operator has the
// generated roles and nothing else. Each test takes the cluster as the one before left it.

const addressOf = (machine: number) => `127.90.0.${machine}`
const machines = [1, 2, 3, 4, 5].map(addressOf)
const manifest = metalManifest({
  name: 'one',
  controlPlanes: machines.slice(0, 3),
  workers: machines.slice(3),
})
const CLUSTER_ID = 'talos.alperen.cloud/cluster-id'
const LONG_MS = 120_000
const ORDERED = [
  'SecretsCreated',
  'Created',
  'BootstrapChosen',
  'Bootstrapped',
  'KubeconfigWritten',
]

let site: MetalSite
let user: AShell
let clusterId: string

beforeAll(async () => {
  site = await aMetalSite(addressOf(1), machines.length)
  ;({ user } = site)
  await writeFile(join(user.folder, 'one.yaml'), manifest)
})
afterAll(() => site?.[Symbol.asyncDispose]())

describe('a cluster of three control planes and two workers', () => {
  test('gets ready by an operator that may do what the generated roles say, and no more', {
    timeout: LONG_MS,
  }, async () => {
    await user.types('kubectl apply -f one.yaml')
    await untilReady()

    const mayDoAnything = await user.tries(`kubectl auth can-i '*' '*' --as ${site.operator}`)
    expect(mayDoAnything.stdout).toBe('no\n')
    expect(await site.complaints()).toEqual([])
  })

  test('is shown by kubectl with the documented columns', async () => {
    expect(rowsOf(await user.types('kubectl get talosclusters,talosmachines -o wide'))).toEqual([
      'NAME READY AGE',
      'taloscluster.talos.alperen.cloud/one True *',
      'NAME STATE VERSION ENDPOINT AGE',
      ...machines.map(
        (address) =>
          `talosmachine.talos.alperen.cloud/one-${address} Available v1.13.0 ${address} *`,
      ),
    ])
    expect(rowsOf(await user.types('kubectl get tcp,tw -o wide'))).toEqual([
      'NAME STATE VERSION KUBEVERSION MODE AGE',
      'taloscontrolplane.talos.alperen.cloud/one Ready v1.13.0 v1.35.0 metal *',
      'NAME STATE VERSION MODE AGE',
      'talosworker.talos.alperen.cloud/one Ready v1.13.0 metal *',
    ])
  })

  test('tells in its events what was done for it, in the order in which it was', async () => {
    const reasons = async (object: string) => {
      const [, events = ''] = (await user.types(`kubectl describe ${object}`)).split('\nEvents:')
      return new Set([...events.matchAll(/^ +Normal +(\w+)/gm)].map(([, reason = '']) => reason))
    }

    expect(await reasons('tc/one')).toEqual(new Set(['Created']))
    expect([...(await reasons('tcp/one'))].filter((one) => ORDERED.includes(one))).toEqual(ORDERED)
    expect([...(await reasons(`tm/one-${addressOf(5)}`))]).toEqual(['Claimed', 'ConfigApplied'])
    // The real API server may have something to say of itself.
    expect(await user.types('kubectl get events')).not.toMatch(/Warning .* talos/)
  })

  test('is reached with the kubeconfig that its Secret has, and that our command prints', async () => {
    await user.types('talos-operator kubeconfig one -o one.kubeconfig')
    await user.types(
      `kubectl get secret one-kubeconfig -o go-template='{{.data.kubeconfig|base64decode}}' | cmp - one.kubeconfig`,
    )
    const nodes = await user.types('kubectl --kubeconfig one.kubeconfig get nodes -o wide')

    const ready = nodes.matchAll(/ Ready .* v1\.35\.0 +(127\.90\.0\.\d) /g)
    expect([...ready].map(([, address]) => address).sort()).toEqual(machines)
  })

  test('is reached with the talosconfig that its Secret has, and that our command prints', async () => {
    await user.types('talos-operator talosconfig one -o one.talosconfig')
    await user.types(
      `kubectl get secret one-talosconfig -o go-template='{{index .data "one.talosconfig"|base64decode}}' | cmp - one.talosconfig`,
    )
    user.exported.set('TALOSCONFIG', join(user.folder, 'one.talosconfig'))
    const versions = await user.types('talosctl version')
    const members = await user.types(`talosctl etcd members -n ${addressOf(1)}`)
    const health = await user.tries(`talosctl health -n ${addressOf(1)} --wait-timeout 60s`)

    expect(versions.match(/NODE: +127\.90\.0\.[123]\n\tTag: +v1\.13\.0/g)).toHaveLength(3)
    expect(members.match(/https:\/\/127\.90\.0\.[123]:2380 .* false$/gm)).toHaveLength(3)
    expect(health).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('all k8s nodes to report ready: OK'),
    })
  })

  test('has configurations on its machines that talosctl finds nothing wrong with', async () => {
    for (const address of machines) {
      const config = await configOn(address)
      await user.types('cat > machine.yaml', config)
      await user.types('talosctl validate --mode metal --strict --config machine.yaml')
      expect(config).toContain('clusterName: one')
    }
  })

  test('needs nothing more, says explain of each of its objects', async () => {
    const objects = ['tc/one', 'tcp/one', 'tw/one', `tm/one-${addressOf(4)}`]
    const explained = objects.map(async (object) => {
      const text = await user.types(`talos-operator explain ${object} -o json`)
      const { steps, conditions } = JSON.parse(text)
      return { object, steps, isReady: conditions.Ready.ok }
    })

    expect(await Promise.all(explained)).toEqual(
      objects.map((object) => ({ object, steps: [], isReady: true })),
    )
  })

  test('would be changed by what differs from it, says diff, and by nothing else', async () => {
    const same = await user.types('talos-operator diff -f one.yaml')
    const value = { configPatches: [{ machine: { nodeLabels: { tier: 'web' } } }] }
    const patch = JSON.stringify([{ op: 'add', path: '/spec/worker/metalSpec/machineSpec', value }])
    const edited = await user.tries(
      `kubectl patch --local -f one.yaml --type json -p '${patch}' -o yaml | talos-operator diff -f -`,
    )
    const old = await user.tries(`sed 's/- address: /- /' one.yaml | talos-operator diff -f -`)

    expect(same).toMatch(/\nno machine changes\n$/)
    expect(edited).toMatchObject({ exitCode: 1, stderr: '' })
    expect(edited.stdout).toMatch(/ machine\.nodeLabels:\n.*\n2 machines change\n$/s)
    expect(old).toMatchObject({ exitCode: 2, stderr: '' })
    expect(old.stdout).toContain(`- address: ${addressOf(5)}\n`)
  })

  test('has no secret in what others than readers of Secrets can see', async () => {
    const kept = await user.types(
      `kubectl get secrets -o go-template='{{range .items}}{{range .data}}{{.|base64decode}}{{"\\n"}}{{end}}{{end}}'`,
    )
    const secrets = [...kept.matchAll(/^\s*[\w-]*(?:key|secret|token)[\w-]*: (\S{12,})$/gim)]
    const seen = [
      await user.types('kubectl get talos,events -A -o yaml --show-managed-fields'),
      await site.operatorLog(),
    ].join('\n')

    expect(secrets.length).toBeGreaterThan(10)
    expect(secrets.filter(([, secret = '']) => seen.includes(secret.slice(0, 64)))).toEqual([])
  })
})

describe('whoever else writes the objects', () => {
  test('another manager that applies the same, or a replace, changes nothing on machines', async () => {
    const before = await standing()
    await user.types('kubectl apply --server-side --field-manager argocd-controller -f one.yaml')
    await user.types('kubectl replace -f one.yaml')
    // Replaced by what a user has, the object has lost the finalizer: the operator was there when it is back.
    await user.types(
      `kubectl wait tc/one --for=jsonpath='{.metadata.finalizers[0]}'=taloscluster.talos.alperen.cloud/finalizer`,
    )

    await untilReady()
    expect(await standing()).toEqual(before)
  })

  test('a control plane that lost its annotations finds the same cluster, and begins no other', async () => {
    const before = await standing()
    const cluster = (await annotationsOfControlPlane())[CLUSTER_ID]
    const { metadata, ...rest } = JSON.parse(await user.types('kubectl get tcp one -o json'))
    const { annotations: _lost, ...left } = metadata
    await user.types('kubectl replace -f -', JSON.stringify({ ...rest, metadata: left }))

    const found = await until(
      'all of its annotations',
      annotationsOfControlPlane,
      (annotations) => Object.keys(annotations).length === Object.keys(metadata.annotations).length,
    )
    await untilReady()
    const { machines: known, configs } = await standing()
    expect(found[CLUSTER_ID]).toBe(cluster)
    expect({ known, configs }).toEqual({ known: before.machines, configs: before.configs })
    expect(
      await user.types('kubectl get events --field-selector reason=Bootstrapped -o name'),
    ).toMatch(/^\S+\n$/)
  })
})

describe('deleted', () => {
  test('it leaves machines in maintenance mode, its secrets, and no other trace', {
    timeout: LONG_MS,
  }, async () => {
    clusterId = (await annotationsOfControlPlane())[CLUSTER_ID] ?? ''
    await user.types('kubectl delete tc one --timeout=90s')

    expect(await user.types('kubectl get tc,tcp,tw,tm')).toBe('')
    for (const address of machines) expect(await stageOf(address)).toBe('maintenance')
    const names = () => user.types('kubectl get secrets -o name')
    await until('its credentials to go', names, (left) => !left.includes('config'))
    expect(await names()).toBe('secret/one-secrets\nsecret/one-state\n')
  })

  test('and made again under its name, it is the same cluster on wiped machines', {
    timeout: LONG_MS,
  }, async () => {
    await user.types(
      'kubectl apply -f -',
      metalManifest({ name: 'one', controlPlanes: [addressOf(1)], workers: [addressOf(4)] }),
    )
    await untilReady()

    expect((await annotationsOfControlPlane())[CLUSTER_ID]).toBe(clusterId)
    const members = await user.types(`talosctl etcd members -e ${addressOf(1)} -n ${addressOf(1)}`)
    expect(members.match(/:2380 /g)).toHaveLength(1)
  })

  test('it says which machine does not answer and what to do, and goes when told to', {
    timeout: LONG_MS,
  }, async () => {
    const [alive, dead] = [addressOf(1), addressOf(4)]
    const name = `tm/one-${dead}`
    await user.types('talos-operator talosconfig one -o one.talosconfig --force')
    await user.types(`talosctl shutdown -n ${dead} --wait=false`)
    const answer = () => user.tries(`talosctl version -e ${dead} -n ${dead}`)
    await until('it to be off', answer, ({ exitCode }) => exitCode !== 0)

    await user.types('kubectl delete tc one --wait=false')
    const deleting = `{.status.conditions[?(@.type=="Deleting")]`
    await user.types(
      `kubectl wait ${name} --for=jsonpath='${deleting}.reason}'=ResetBlocked --timeout=30s`,
    )
    const message = () => user.types(`kubectl get tc one -o jsonpath='${deleting}.message}'`)
    const silence = `one-${dead}: the machine does not answer`
    const said = await until('the cluster to say so', message, (text) => text.includes(silence))
    expect(said).toContain(
      `annotate TalosMachine one-${dead} with talos.alperen.cloud/force-deletion=true`,
    )
    const warnings = () =>
      user.types(`kubectl get events --field-selector type=Warning,involvedObject.name=one-${dead}`)
    await until('it to be told', warnings, (told) => told.includes('ResetBlocked'))
    expect(await stageOf(alive)).not.toBe('maintenance')

    await user.types(`kubectl annotate ${name} talos.alperen.cloud/force-deletion=true`)
    await user.types('kubectl wait --for=delete tc/one --timeout=90s')
    expect(await user.types('kubectl get tc,tcp,tw,tm')).toBe('')
    expect(await warnings()).toMatch(/NotReset.* talosconfig from Secret one-secrets /)
    expect(await stageOf(alive)).toBe('maintenance')
    expect(await site.complaints()).toEqual([])
  })
})

/** Fails with what is in the way of a cluster that does not get ready. */
async function untilReady(): Promise<void> {
  const { exitCode } = await user.tries('kubectl wait tc/one --for=condition=Ready --timeout=80s')
  if (exitCode === 0) return
  const said = await user.types('talos-operator explain tc/one; kubectl get events')
  expect.fail([said, ...(await site.operatorLog()).split('\n').slice(-15)].join('\n'))
}

/** What there is of the cluster: its objects but for the TalosCluster, and what each machine was given. */
async function standing() {
  const versions = `{range .items[*]}{.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}`
  const look = (what: string) => user.types(`kubectl get ${what} -o jsonpath='${versions}'`)
  const all = machines.join(',')
  return {
    pools: await look('tcp,tw'),
    machines: await look('tm'),
    configs: await user.types(`talosctl get machineconfig v1alpha1 -n ${all} | sort`),
  }
}

async function annotationsOfControlPlane(): Promise<Record<string, string>> {
  const text = await user.types(`kubectl get tcp one -o jsonpath='{.metadata.annotations}'`)
  return JSON.parse(text || '{}')
}

/** What the machine says that it runs with. */
async function configOn(address: string): Promise<string> {
  const shown = await user.types(`talosctl get machineconfig v1alpha1 -n ${address} -o yaml`)
  return Object(parseYaml(shown)).spec
}

/** What anyone sees of a machine that waits for a configuration; nothing of another. */
async function stageOf(address: string): Promise<string> {
  const { stdout } = await user.tries(
    `talosctl get machinestatus --insecure -n ${address} -o jsonpath='{.spec.stage}'`,
  )
  return stdout.trim()
}

/** Each row with one blank between its columns, and without the age. */
const rowsOf = (table: string): string[] =>
  table
    .split('\n')
    .filter((line) => line !== '')
    .map((line) =>
      line
        .split(/ +/)
        .join(' ')
        .replace(/ \d+[smh0-9]*$/, ' *'),
    )
