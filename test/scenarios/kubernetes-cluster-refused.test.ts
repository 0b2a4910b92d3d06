import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { wordsFor } from './boundary.ts'
import { toldOf } from './told.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.80', machines: 2 })
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

const talosConfig = (config: object) => ({ talosConfig: config })

/** Specs that the schema takes and that make no sense, and where the condition says that the mistake is. */
const WRONG: readonly (readonly [name: string, spec: object, at: string])[] = [
  ['r4-name', { clusterName: 'Not_A_Name' }, 'spec.clusterName'],
  ['r5-kubernetes', { kubernetesVersion: '1.29' }, 'spec.kubernetesVersion'],
  ['r5-talos', { talosVersion: 'latest' }, 'spec.talosVersion'],
  ['r6-scheme', { clusterEndpoint: 'http://192.0.2.1:6443' }, 'spec.clusterEndpoint'],
  ['r7-pods', { podSubnets: ['10.244.0.0'] }, 'spec.podSubnets'],
  ['r7-services', { serviceSubnets: ['10.244.0.0/16'] }, 'spec.serviceSubnets'],
  ['r8-even', { controlPlane: { replicas: 4 } }, 'spec.controlPlane.replicas'],
  ['r9-cp', { workers: [{ name: 'cp', replicas: 1 }] }, 'spec.workers[0].name'],
  ['r9-less', { workers: [{ name: 'w', replicas: -1 }] }, 'spec.workers[0].replicas'],
  ['r10-type', talosConfig({ machine: { type: 'init' } }), 'spec.talosConfig.machine.type'],
  ['r10-ca', talosConfig({ machine: { ca: { crt: 'x' } } }), 'spec.talosConfig.machine.ca'],
  ['r11-name', talosConfig({ cluster: { name: 'other' } }), 'spec.talosConfig.cluster.name'],
  ['r12-disk', talosConfig({ install: { disk: 'sda' } }), 'spec.talosConfig.install.disk'],
]

const apply = (name: string, spec: object) =>
  world.objects.apply({
    ...{ apiVersion: apiVersionOf(KubernetesCluster), kind: KubernetesCluster.kind },
    metadata: { name },
    spec: {
      ...{ kubernetesVersion: 'v1.29.7', talosVersion: 'v1.6.7' },
      ...{ clusterEndpoint: `https://${name}.example.com`, controlPlane: { replicas: 1 } },
      ...spec,
    },
  })

const errors = async () =>
  Number(/error_type="ValidationError"} (\d+)/.exec(await world.metrics())?.[1] ?? 0)

test.each(WRONG)(
  'R5–R12, R24, R32: the wrong spec %s becomes a condition, and nothing else at all',
  {
    timeout: LONG,
  },
  async (name, spec, at) => {
    const of = [KubernetesCluster, name] as const
    const before = await errors()
    await apply(name, spec)
    const why = await untilSays(world, of, { type: 'TopologyValid', reason: 'ValidationFailed' })
    // A wrong spec is not tried again: it is only looked at.
    await world.pass(5)

    expect(why).toContain(at)
    expect(await conditionOf(world, of, 'Ready')).toMatchObject({
      ...{ status: 'False', reason: 'ValidationFailed', message: why },
    })
    const { metadata, status } = (await world.objects.find(...of)) ?? {}
    expect(metadata?.finalizers ?? []).toEqual([])
    expect(status).toMatchObject({
      ...{ phase: 'Failed', machineCount: 0, observedGeneration: metadata?.generation },
    })
    expect(await errors()).toBe(before + 1)
    expect(
      (await toldOf(world, of)).filter((one) => one.startsWith('ValidationError')),
    ).toHaveLength(1)
  },
)

test('R24: none of them has a Machine, a key or a file; and the last goes by a plain deletion', {
  timeout: LONG,
}, async () => {
  expect(await world.objects.list(ProvidedMachine)).toEqual([])
  expect(await world.objects.list(Secret)).toEqual([])
  expect(await readdir(world.resultsFolder).catch(() => [])).toEqual([])
  await world.objects.remove(KubernetesCluster, 'r12-disk')
  await world.until('it to be gone', async () => {
    return (await world.objects.find(KubernetesCluster, 'r12-disk')) === undefined
  })
})

/** New clusters whose versions nobody can install, with machines that are there to be installed. */
const UNFIT = [
  {
    name: 'too-old-a-kubernetes',
    talos: 'v1.13.0',
    kubernetes: 'v1.20.0',
    says: 'Kubernetes 1.20.0 is too old',
  },
  { name: 'too-old-a-talos', talos: 'v1.2.0', kubernetes: 'v1.24.0', says: 'Talos v1.2.0' },
]

test.each(UNFIT)(
  'A37: $name, for a new cluster: told, and no machine is called for it',
  {
    timeout: LONG,
  },
  async ({ name, talos, kubernetes, says }) => {
    const of = [KubernetesCluster, name] as const
    const number = 1 + UNFIT.findIndex((one) => one.name === name)
    const before = world.history.length
    await apply(name, { talosVersion: talos, kubernetesVersion: kubernetes })
    await world.until('its Machine', async () => {
      return (await world.objects.find(ProvidedMachine, `${name}-cp-0`)) !== undefined
    })
    await world.objects.patchStatus(ProvidedMachine, `${name}-cp-0`, {
      ...{ phase: 'Running', publicIPAddresses: [world.address(number)] },
    })
    await world.pass(10)

    expect(await conditionOf(world, of, 'TopologyValid')).toMatchObject({ status: 'True' })
    expect(await conditionOf(world, of, 'Ready')).toMatchObject({
      ...{ status: 'False', reason: 'MachinesNotReady', message: expect.stringContaining(says) },
    })
    const { status } = (await world.objects.find(...of)) ?? {}
    expect(status).toMatchObject({ phase: 'Provisioning', controlPlaneReady: false })
    expect((await toldOf(world, of)).join('\n')).toMatch(/^VersionsUnsupported: /m)
    const calls = world.history.slice(before).filter(({ to }) => to === 'machine')
    expect(calls.map(wordsFor)).toEqual([])
    // Whoever looks at a machine has an object for it.
    expect(await world.objects.list(Machine)).toEqual([])
    expect(world.fleet.machine(world.address(number))?.stage).toBe('maintenance')
  },
)
