import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { apiVersionOf } from '#api/meta.ts'
import { exitCodeFor, type MachineDiff, type Report, summaryOf } from '#cli/diff-report.ts'
import { reportOn } from '#cli/diff-report-on.ts'
import { diffText } from '#cli/diff-text.ts'
import { PROVIDER } from './a-provider.ts'
import { QUICK } from './manifests.ts'
import { endedWithoutDeeds, type Onlooker } from './onlooker.ts'
import { conditionOf } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000
const NAME = 'one'

interface Edit {
  spec?: object
  controlPlanes?: number
  workers?: object[]
  template?: object
}

let world: World
let onlooker: Onlooker
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.76', machines: 0, versions: QUICK })
  await world.provider([1, 2, 3, 4, 5, 6])
  await world.objects.apply(shaped())
  await world.until('the cluster to be Ready', async () => {
    const { status } = (await world.objects.find(KubernetesCluster, NAME)) ?? {}
    const ready = await conditionOf(world, [KubernetesCluster, NAME], 'Ready')
    return ready?.status === 'True' && status?.workersReady === 1
  })
  onlooker = await world.onlooker()
}, LONG)
afterAll(() => endedWithoutDeeds(onlooker, world))

/** The cluster that is there, or another one of its name. */
function shaped({ spec, controlPlanes = 3, workers, template }: Edit = {}) {
  const machineTemplate = { spec: { provider: PROVIDER, ...template } }
  return {
    ...{ apiVersion: apiVersionOf(KubernetesCluster), kind: KubernetesCluster.kind },
    metadata: { name: NAME, namespace: 'default' },
    spec: {
      ...{ kubernetesVersion: QUICK.kubernetes, talosVersion: QUICK.talos },
      clusterEndpoint: `https://${world.address(1)}:6443`,
      controlPlane: { replicas: controlPlanes, machineTemplate },
      workers: workers ?? [pool(1)],
      ...spec,
    },
  }
}

const pool = (replicas: number) => ({
  ...{ name: 'pool', replicas, machineTemplate: { spec: { provider: PROVIDER } } },
})

type Given = Parameters<typeof reportOn>[0][number]

const diff = (...objects: Given[]): Promise<Report> =>
  reportOn(objects, { ...onlooker, isMetaWritten: false })

const machinesIn = ({ objects }: Report): MachineDiff[] =>
  objects.flatMap(({ machines }) => machines)
const deedsIn = (report: Report): string[] =>
  machinesIn(report).map((machine) => `${machine.do} ${machine.name}`)
const wordsFor = ({ objects }: Report): string[] =>
  objects.map(({ kind, name, change }) => `${kind} ${name} ${change}`)

const PARTS = ['TalosControlPlane one', 'TalosWorker one-pool']
const CONTROL_PLANES = ['one-one-cp-0', 'one-one-cp-1', 'one-one-cp-2']
const WORKER = 'one-pool-one-pool-0'

test('nothing would change by what is there', async () => {
  const report = await diff(shaped())

  expect(diffText(report)).toBe(
    [
      'KubernetesCluster default/one stays as it is\n',
      'TalosControlPlane default/one stays as it is\n',
      'TalosWorker default/one-pool stays as it is\n',
      'no machine changes\n',
    ].join('\n'),
  )
  expect(exitCodeFor(report)).toBe(0)
})

describe('how many there are', () => {
  test('another worker is a Machine that is made, and a machine that joins', async () => {
    const report = await diff(shaped({ workers: [pool(2)] }))

    expect(diffText(report)).toBe(
      [
        'KubernetesCluster default/one changes: spec.workers',
        '',
        'Machine default/one-pool-1 is created',
        '',
        'TalosControlPlane default/one stays as it is',
        '',
        'TalosWorker default/one-pool changes: spec.metalSpec.machines',
        `  1. one-pool-one-pool-1 is added as a worker, as soon as its provider has given it an address: Talos ${QUICK.talos} is installed on /dev/sda`,
        '',
        '1 machine is added; Machines of providers: 1 created\n',
      ].join('\n'),
    )
    expect(exitCodeFor(report)).toBe(1)
  })

  test('fewer are let go by the engine, and then their Machines go', async () => {
    const report = await diff(shaped({ controlPlanes: 1, workers: [pool(0)] }))

    expect(wordsFor(report)).toEqual([
      'KubernetesCluster one changed',
      ...['TalosControlPlane one changed', 'TalosWorker one-pool removed'],
      ...['one-cp-1', 'one-cp-2', 'one-pool-0'].map((name) => `Machine ${name} removed`),
    ])
    expect(deedsIn(report).sort()).toEqual(
      [...CONTROL_PLANES.slice(1), WORKER].map((name) => `remove ${name}`),
    )
    expect(machinesIn(report).map(({ problem }) => problem)).toEqual(Array(3).fill(undefined))
    expect(diffText(report)).toContain('note: WorkersFirst: those of its machines that go')
  })

  test('a group that is taken out goes as a whole, and another one comes', async () => {
    const report = await diff(shaped({ workers: [{ ...pool(1), name: 'other' }] }))

    expect(wordsFor(report)).toEqual([
      ...['KubernetesCluster one changed', 'Machine one-other-0 created'],
      ...['TalosControlPlane one none', 'TalosWorker one-other created'],
      ...['TalosWorker one-pool removed', 'Machine one-pool-0 removed'],
    ])
    expect(deedsIn(report)).toEqual(['add one-other-one-other-0', `remove ${WORKER}`])
  })

  test('a cluster that cannot become what it is asked for says why, and nothing is done', async () => {
    const talosConfig = { cluster: { network: { dnsDomain: 'other.local' } } }
    const report = await diff(shaped({ workers: [pool(2)], spec: { talosConfig } }))

    expect(wordsFor(report)).toEqual([
      'KubernetesCluster one changed',
      ...PARTS.map((part) => `${part} none`),
    ])
    expect(report.objects[0]?.problem).toEqual({
      reason: 'ValidationFailed',
      message:
        'spec.talosConfig.cluster.network.dnsDomain is other.local, and the cluster was made with cluster.local: it cannot be changed, so set it back',
    })
    expect(exitCodeFor(report)).toBe(2)
  })

  test('a second cluster with the clusterName of the first is refused, and nothing would be made', async () => {
    const second = shaped({ spec: { clusterName: NAME } })
    const report = await diff({ ...second, metadata: { ...second.metadata, name: 'second' } })

    expect(report.objects[0]?.hindrances).toMatchObject([
      {
        ...{ reason: 'OwnerReferenceFailed' },
        message: expect.stringContaining('KubernetesCluster one of this namespace'),
      },
    ])
    expect(deedsIn(report)).toEqual([])
  })
})

describe('of machines that run', () => {
  test('another Talos is an upgrade, the control plane first', async () => {
    const report = await diff(shaped({ spec: { talosVersion: 'v1.7.0' } }))

    expect(wordsFor(report)).toEqual([
      'KubernetesCluster one changed',
      ...PARTS.map((part) => `${part} changed`),
    ])
    expect(deedsIn(report)).toEqual([...CONTROL_PLANES, WORKER].map((name) => `change ${name}`))
    expect(summaryOf(report)).toMatchObject({ changed: 4, reboots: 4 })
  })

  test('another Kubernetes is an upgrade without a reboot', async () => {
    const report = await diff(shaped({ spec: { kubernetesVersion: 'v1.29.8' } }))

    expect(machinesIn(report)).toEqual([])
    expect(report.objects.flatMap(({ notes }) => notes)).toEqual([
      expect.objectContaining({ reason: 'KubernetesUpgrade' }),
    ])
  })

  test('what goes into their configuration is shown as the difference', async () => {
    const talosConfig = { machine: { certSANs: ['talos.example.com'] } }
    const report = await diff(shaped({ spec: { talosConfig } }))
    const text = diffText(report)

    expect(text).toContain('one machine at a time:\n  1. one-one-cp-0 at ')
    expect(text).toContain('talos.example.com')
    expect(deedsIn(report)).toEqual([...CONTROL_PLANES, WORKER].map((name) => `change ${name}`))
  })

  test('another template is written into the Machines, and changes no machine', async () => {
    const report = await diff(shaped({ template: { memory: 8 * 1024 ** 3 } }))

    expect(diffText(report)).toBe(
      [
        'KubernetesCluster default/one changes: spec.controlPlane.machineTemplate.spec.memory',
        '  note: LeftToProvider: what changes of Machines is written there, and what a provider makes of it is its own matter: one-cp-0, one-cp-1, one-cp-2',
        '',
        'Machine default/one-cp-0 changes: spec.memory',
        'Machine default/one-cp-1 changes: spec.memory',
        'Machine default/one-cp-2 changes: spec.memory',
        '',
        'TalosControlPlane default/one stays as it is',
        '',
        'TalosWorker default/one-pool stays as it is',
        '',
        'no machine changes; Machines of providers: 3 changed\n',
      ].join('\n'),
    )
    expect(exitCodeFor(report)).toBe(1)
  })
})

describe('a part of it that somebody edits', () => {
  const edited = (spec: object): Given => ({
    ...{ apiVersion: apiVersionOf(ControlPlane), kind: ControlPlane.kind },
    metadata: { name: NAME, namespace: 'default' },
    ...{ spec },
  })

  test('is made again as the cluster says', async () => {
    const report = await diff(edited({ version: 'v1.7.0' }))

    expect(deedsIn(report)).toEqual([])
    expect(diffText(report)).toContain(
      'MadeByCluster: KubernetesCluster one makes it, and undoes what this changes of it',
    )
  })

  test('keeps what the cluster has no word for', async () => {
    const report = await diff(edited({ rolloutStrategy: { paused: true } }))

    expect(wordsFor(report)).toContain('TalosControlPlane one changed')
    expect(diffText(report)).not.toContain('MadeByCluster')
  })
})
