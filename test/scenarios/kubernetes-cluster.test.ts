import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { CLUSTER_NAME, ROLE, WORKER_GROUP } from '#api/labels.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { parseYaml } from '#base/yaml.ts'
import { wordsFor } from './boundary.ts'
import type { Manifest } from './objects.ts'
import { untilTold } from './told.ts'
import { conditionOf, untilSays, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 120_000
const SIMPLE = 'simple-cluster'

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.60', machines: 0 })
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

/** An example as the document has it, byte for byte. */
const published = async (name: string): Promise<Manifest> =>
  Object(parseYaml(await readFile(join(import.meta.dirname, 'published', name), 'utf8')))

const cluster = async (name: string) => (await world.objects.find(KubernetesCluster, name))?.status

const machinesOf = async (name: string) =>
  (await world.objects.list(ProvidedMachine)).filter(
    ({ metadata }) => metadata.labels?.[CLUSTER_NAME] === name,
  )

const namesOf = async (name: string) =>
  (await machinesOf(name)).map(({ metadata }) => metadata.name)

const untilMachines = (name: string, count: number) =>
  world.until(`${count} Machines`, async () => (await machinesOf(name)).length === count)

const filesOf = async (name: string) =>
  (await readdir(join(world.resultsFolder, name))).filter((one) => !one.startsWith('.')).sort()

/** When its files were last written, to the nanosecond. */
const timesOf = async (name: string) =>
  Promise.all(
    (await filesOf(name)).map(async (file) => {
      const { mtimeNs, ino } = await stat(join(world.resultsFolder, name, file), { bigint: true })
      return `${file} ${ino} ${mtimeNs}`
    }),
  )

/** As a provider would, without an address. */
const say = (name: string, status: object) =>
  world.objects.patchStatus(ProvidedMachine, name, status)

// One life of two clusters: each test begins where the one before it ended.

test('R62: the simple example, verbatim: five Machines, five files, and machineCount 5', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(await published('simple-cluster.yaml'))
  await world.until('its files', async () => {
    return (await conditionOf(world, [KubernetesCluster, SIMPLE], 'FilesGenerated')) !== undefined
  })

  const names = [
    ...['simple-cluster-cp-0', 'simple-cluster-cp-1', 'simple-cluster-cp-2'],
    ...['simple-cluster-workers-0', 'simple-cluster-workers-1'],
  ]
  expect(await namesOf(SIMPLE)).toEqual(names)
  expect(await filesOf(SIMPLE)).toEqual(names.map((name) => `${name}.yaml`))
  const { metadata, status } = (await world.objects.find(KubernetesCluster, SIMPLE)) ?? {}
  expect(status).toMatchObject({
    ...{ phase: 'Provisioning', machineCount: 5, controlPlaneReady: false, workersReady: 0 },
    ...{ observedGeneration: metadata?.generation, lastUpdated: expect.stringMatching(/Z$/) },
  })
})

test('R18, R19, R20: what a Machine says, whom it belongs to, and what it becomes', async () => {
  const all = await machinesOf(SIMPLE)
  const { metadata } = (await world.objects.find(KubernetesCluster, SIMPLE)) ?? {}
  const labels = { [CLUSTER_NAME]: SIMPLE }
  const owner = {
    ...{ apiVersion: 'vitistack.io/v1alpha1', kind: 'KubernetesCluster', name: SIMPLE },
    ...{ uid: metadata?.uid, controller: true, blockOwnerDeletion: true },
  }

  expect(all.map((one) => one.metadata.labels)).toEqual([
    ...Array(3).fill({ ...labels, [ROLE]: 'controlplane' }),
    ...Array(2).fill({ ...labels, [ROLE]: 'worker', [WORKER_GROUP]: 'workers' }),
  ])
  expect(all.map((one) => one.metadata.ownerReferences)).toEqual(Array(5).fill([owner]))
  expect(all[0]?.spec).toEqual(usualSpec('controlplane'))
})

const usualSpec = (machineType: string) => ({
  talosConfig: {
    ...{ machineType, clusterEndpoint: 'https://192.168.1.100:6443' },
    installDisk: '/dev/sda',
    cluster: {
      network: {
        dnsDomain: 'cluster.local',
        ...{ podSubnets: ['10.244.0.0/16'], serviceSubnets: ['10.96.0.0/12'] },
      },
    },
  },
})

test('R15, R24: the finalizer was there before the first Machine', async () => {
  const made = await world.objects.find(KubernetesCluster, SIMPLE)
  const calls = world.history.filter((call) => call.to === 'kubernetes')
  const [first] = calls.filter(({ kind }) => ['kubernetesclusters', 'machines'].includes(kind))

  expect(made?.metadata.finalizers).toEqual(['cluster.vitistack.io/finalizer'])
  expect(first).toMatchObject({ kind: 'kubernetesclusters', name: SIMPLE })
  expect(first?.provided?.sent?.metadata.finalizers).toEqual(['cluster.vitistack.io/finalizer'])
})

test('R63, R64: the example with three groups, verbatim: nine Machines, each with its group and with what is usual', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(await published('complex-cluster.yaml'))
  await untilMachines('complex-cluster', 9)
  await world.until('its files', async () => {
    return (await filesOf('complex-cluster').catch(() => [])).length === 9
  })

  const all = await machinesOf('complex-cluster')
  const placesOf = (role: string, group: string, replicas: number) =>
    Array.from({ length: replicas }, (_, at) => [
      ...[`complex-cluster-${group}-${at}`, role, role === 'worker' ? group : undefined],
    ])
  expect(
    all.map(({ metadata: { name, labels } }) => [name, labels?.[ROLE], labels?.[WORKER_GROUP]]),
  ).toEqual([
    ...placesOf('controlplane', 'cp', 3),
    ...placesOf('worker', 'general-workers', 3),
    ...placesOf('worker', 'gpu-workers', 2),
    ...placesOf('worker', 'storage-workers', 1),
  ])
  expect(all.map(({ spec }) => spec)).toEqual(
    all.map(({ metadata }) => usualSpec(metadata.labels?.[ROLE] ?? '')),
  )
})

test('A3: both examples have the same endpoint, of which both are warned, and all 14 Machines are there', {
  timeout: LONG,
}, async () => {
  const complex = 'complex-cluster'
  await untilTold(
    world,
    [KubernetesCluster, SIMPLE],
    `EndpointShared: https://192.168.1.100:6443 is the endpoint of default/${complex}`,
  )
  await untilTold(
    world,
    [KubernetesCluster, complex],
    `EndpointShared: https://192.168.1.100:6443 is the endpoint of default/${SIMPLE}`,
  )

  expect(await world.objects.list(ProvidedMachine)).toHaveLength(14)
})

test('R14: readiness follows what providers say: their condition, or else their phase', {
  timeout: LONG,
}, async () => {
  for (const name of await namesOf(SIMPLE)) await say(name, { phase: 'Running' })
  await untilSays(world, [KubernetesCluster, SIMPLE], { type: 'Ready', reason: 'ClusterReady' })
  const running = await cluster(SIMPLE)
  await world.pass(1)
  const conditions = [{ type: 'Ready', status: 'False', reason: 'Booting', message: 'it boots' }]
  await say('simple-cluster-workers-1', { conditions })
  const why = await untilSays(world, [KubernetesCluster, SIMPLE], {
    ...{ type: 'Ready', reason: 'MachinesNotReady' },
  })

  expect(running).toMatchObject({ phase: 'Running', controlPlaneReady: true, workersReady: 2 })
  expect(why).toContain('simple-cluster-workers-1')
  const later = await cluster(SIMPLE)
  expect(later).toMatchObject({ phase: 'Provisioning', workersReady: 1 })
  const times = [running, later].map((status) => Date.parse(status?.lastUpdated ?? ''))
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(60_000)
})

test('R25, R27: settled means that nothing is written, however often it is looked at', {
  timeout: LONG,
}, async () => {
  await say('simple-cluster-workers-1', { conditions: null })
  await untilSays(world, [KubernetesCluster, SIMPLE], { type: 'Ready', reason: 'ClusterReady' })
  await world.pass(2)
  const before = await cluster(SIMPLE)
  const settled = world.boundary.history.length
  const written = await timesOf(SIMPLE)
  const passes = world.log.filter((line) => line.includes('"pass done"')).length
  const asked = await readsOf(world)

  await world.pass(10)

  expect(writesSince(world, settled).map(wordsFor)).toEqual([])
  expect(await cluster(SIMPLE)).toEqual(before)
  expect(await timesOf(SIMPLE)).toEqual(written)
  const later = world.log.filter((line) => line.includes('"pass done"')).length
  expect(later - passes).toBeGreaterThanOrEqual(2 * 18)
  // Not even asked for: what nothing depends on is in the caches, or known from before.
  expect(await readsOf(world)).toEqual(asked)
})

/** How often the API was asked for an object or a list, by the operator's own count. */
const readsOf = async (of: World): Promise<string[]> => {
  const lines = (await of.metrics()).split('\n')
  return lines.filter((line) => /^talos_operator_api_requests_total\{verb="(get|list)"/.test(line))
}

test('a Machine that fails makes its cluster fail, in the words of its provider', {
  timeout: LONG,
}, async () => {
  await say('simple-cluster-cp-1', { phase: 'Failed', failureReason: 'NoCapacity' })
  const why = await untilSays(world, [KubernetesCluster, SIMPLE], {
    ...{ type: 'Ready', reason: 'MachineFailed' },
  })

  expect(why).toBe('simple-cluster-cp-1: NoCapacity')
  expect((await cluster(SIMPLE))?.phase).toBe('Failed')
  await say('simple-cluster-cp-1', { phase: 'Running', failureReason: null })
  await untilSays(world, [KubernetesCluster, SIMPLE], { type: 'Ready', reason: 'ClusterReady' })
})

test('A34, R30: what a template says anew reaches Machines that are there and their files, and what others wrote stays', {
  timeout: LONG,
}, async () => {
  const name = 'simple-cluster-workers-0'
  await world.objects.patch(ProvidedMachine, name, {
    ...{ metadata: { labels: { theirs: 'kept' } }, spec: { network: { privateIP: '192.0.2.9' } } },
  })
  const template = (spec: object) => ({
    spec: { workers: [{ name: 'workers', replicas: 2, machineTemplate: { spec } }] },
  })
  const specOf = async () => (await world.objects.find(ProvidedMachine, name))?.spec
  const specIn = async (file: string) =>
    Object(parseYaml(await readFile(join(world.resultsFolder, SIMPLE, file), 'utf8'))).spec
  const others = async () => (await timesOf(SIMPLE)).filter((line) => !line.includes('workers'))
  const before = await others()
  await world.objects.patch(
    KubernetesCluster,
    SIMPLE,
    template({ machineClass: 'large', unknown: { deep: 1 }, cpu: { cores: 2 } }),
  )
  await world.until('the template', async () => (await specOf())?.machineClass === 'large')
  expect(await specOf()).toMatchObject({
    ...{ network: { privateIP: '192.0.2.9' }, cpu: { cores: 2 }, unknown: { deep: 1 } },
  })

  await world.objects.patch(KubernetesCluster, SIMPLE, template({ machineClass: 'large' }))
  await world.until('the field to go', async () => (await specOf())?.cpu === undefined)

  expect(await specOf()).toMatchObject({ network: { privateIP: '192.0.2.9' } })
  await world.until('its file', async () => !('cpu' in (await specIn(`${name}.yaml`))))
  expect(await specIn(`${name}.yaml`)).toMatchObject({ machineClass: 'large' })
  expect(await others()).toEqual(before)
  const { metadata } = (await world.objects.find(ProvidedMachine, name)) ?? {}
  expect(metadata?.labels?.theirs).toBe('kept')
})

test('A39: a spec that is edited into a wrong one fails, and all that is there stays', {
  timeout: LONG,
}, async () => {
  const before = (await machinesOf(SIMPLE)).map(({ metadata }) => metadata.resourceVersion)
  const written = await timesOf(SIMPLE)
  const observed = (await cluster(SIMPLE))?.observedGeneration
  await world.objects.patch(KubernetesCluster, SIMPLE, { spec: { controlPlane: { replicas: 2 } } })
  const why = await untilSays(world, [KubernetesCluster, SIMPLE], {
    ...{ type: 'TopologyValid', reason: 'ValidationFailed' },
  })
  await world.pass(5)
  const { metadata } = (await world.objects.find(KubernetesCluster, SIMPLE)) ?? {}

  expect(why).toBe('spec.controlPlane.replicas is 2: write 1, 3 or 5')
  expect(metadata?.generation).toBe((observed ?? 0) + 1)
  expect(await cluster(SIMPLE)).toMatchObject({
    ...{ phase: 'Failed', machineCount: 5, controlPlaneReady: true, workersReady: 2 },
    // The edit was judged, which is seen by this.
    observedGeneration: metadata?.generation,
  })
  for (const type of ['MachinesCreated', 'FilesGenerated']) {
    const said = await conditionOf(world, [KubernetesCluster, SIMPLE], type)
    expect(said?.status).toBe('True')
  }
  expect((await machinesOf(SIMPLE)).map(({ metadata }) => metadata.resourceVersion)).toEqual(before)
  expect(await timesOf(SIMPLE)).toEqual(written)
  const metrics = await world.metrics()
  expect(metrics).toContain(
    'talos_operator_reconciliation_errors_total{controller="KubernetesCluster",error_type="ValidationError"} 1',
  )
  await world.objects.patch(KubernetesCluster, SIMPLE, { spec: { controlPlane: { replicas: 3 } } })
  await untilSays(world, [KubernetesCluster, SIMPLE], { type: 'Ready', reason: 'ClusterReady' })
})

test('A15, A36: fewer workers, none at all, and a group that is not there any more', {
  timeout: LONG,
}, async () => {
  const workers = [{ name: 'workers', replicas: 0 }]
  await world.objects.patch(KubernetesCluster, SIMPLE, { spec: { workers } })
  await untilMachines(SIMPLE, 3)
  await world.until('their files to go', async () => (await filesOf(SIMPLE)).length === 3)
  await world.objects.patch(KubernetesCluster, 'complex-cluster', { spec: { workers: null } })
  await untilMachines('complex-cluster', 3)

  expect(await namesOf('complex-cluster')).toEqual([
    ...['complex-cluster-cp-0', 'complex-cluster-cp-1', 'complex-cluster-cp-2'],
  ])
})

test('R37: Machines go first, then the files, then the cluster; and what a provider holds is waited for', {
  timeout: LONG,
}, async () => {
  const held = 'simple-cluster-cp-0'
  await world.objects.patch(ProvidedMachine, held, {
    metadata: { finalizers: ['a.provider/hold'] },
  })
  await world.objects.remove(KubernetesCluster, SIMPLE)
  await untilMachines(SIMPLE, 1)
  await world.pass(5)

  const ready = await conditionOf(world, [KubernetesCluster, SIMPLE], 'Ready')
  expect(ready).toMatchObject({
    ...{
      reason: 'Deleting',
      message: expect.stringContaining(`these Machines are still there: ${held}`),
    },
  })
  expect((await cluster(SIMPLE))?.phase).toBe('Running')
  // R34: what was said of it before stays true.
  for (const type of ['TopologyValid', 'MachinesCreated', 'FilesGenerated']) {
    expect(await conditionOf(world, [KubernetesCluster, SIMPLE], type)).toMatchObject({
      status: 'True',
    })
  }
  expect(await filesOf(SIMPLE)).not.toEqual([])

  await world.objects.patch(ProvidedMachine, held, { metadata: { finalizers: [] } })
  await world.until('it to be gone', async () => (await cluster(SIMPLE)) === undefined)
  expect(await readdir(world.resultsFolder)).toEqual(['complex-cluster'])
})

test('R38, R39: how many clusters are in which phase, and how many Machines were made for whom', async () => {
  const metrics = (await world.metrics()).split('\n')
  const of = (name: string) => metrics.filter((line) => line.startsWith(`talos_operator_${name}{`))

  expect(of('clusters_total')).toEqual([
    'talos_operator_clusters_total{phase="Pending"} 0',
    'talos_operator_clusters_total{phase="Provisioning"} 1',
    'talos_operator_clusters_total{phase="Running"} 0',
    'talos_operator_clusters_total{phase="Failed"} 0',
  ])
  expect(of('machines_generated').sort()).toEqual([
    'talos_operator_machines_generated{cluster="complex-cluster",role="controlplane"} 3',
    'talos_operator_machines_generated{cluster="complex-cluster",role="worker"} 6',
    'talos_operator_machines_generated{cluster="simple-cluster",role="controlplane"} 3',
    'talos_operator_machines_generated{cluster="simple-cluster",role="worker"} 2',
  ])
})

test('R40: each pass is measured, by its controller and no other label', async () => {
  const name = 'talos_operator_reconciliation_duration_seconds'
  const metrics = (await world.metrics()).split('\n')
  const samples = metrics.filter(
    (line) => line.startsWith(name) && line.includes('"KubernetesCluster"'),
  )
  const passes = new Set(linesOf('KubernetesCluster').map(({ reconcileID }) => reconcileID))

  expect(samples.at(-1)).toBe(`${name}_count{controller="KubernetesCluster"} ${passes.size}`)
  for (const line of samples) {
    expect(line).toMatch(/_(bucket\{le="[^"]+",|sum\{|count\{)controller="KubernetesCluster"\} /)
  }
})

test('R42: what was done with files is counted', async () => {
  const metrics = await world.metrics()
  const count = (operation: string) =>
    Number(
      new RegExp(
        `talos_operator_file_operations_total\\{operation="${operation}",status="success"\\} (\\d+)`,
      ).exec(metrics)?.[1],
    )

  expect(count('create')).toBe(14)
  expect(count('update')).toBeGreaterThanOrEqual(2)
  expect(count('delete')).toBe(11)
})

/** The lines of the log that a controller's passes have written. */
const linesOf = (name: string): Record<string, unknown>[] =>
  world.log
    .map((line): Record<string, unknown> => Object(JSON.parse(line)))
    .filter(({ controller }) => controller === name)

test('R47: each line of a pass says which controller, cluster and namespace it is about', () => {
  const lines = linesOf('KubernetesCluster')

  expect(lines.length).toBeGreaterThan(20)
  for (const line of lines) {
    expect(line).toMatchObject({
      ...{ level: expect.stringMatching(/^(info|debug|warn|error)$/), namespace: 'default' },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      ...{
        cluster: expect.stringMatching(/^(simple|complex)-cluster$/),
        message: expect.any(String),
      },
      // A26: which object and which pass, besides.
      ...{ name: expect.any(String), generation: expect.any(Number) },
      reconcileID: expect.stringMatching(/^KubernetesCluster-\d+$/),
    })
  }
})

test('R47: no line that is about one of the clusters leaves these out', () => {
  const nameless = world.log.filter(
    (line) =>
      /(simple|complex)-cluster/.test(line) && Object(JSON.parse(line)).controller === undefined,
  )

  expect(nameless).toEqual([])
})

test('A7: the keys of a cluster are made once, and outlive it', async () => {
  const secrets = await world.objects.list(Secret)

  expect(secrets.map(({ metadata }) => metadata.name).sort()).toEqual([
    ...['complex-cluster-talos-secrets', 'simple-cluster-talos-secrets'],
  ])
  expect(secrets.every(({ immutable }) => immutable === true)).toBe(true)
})

test('R19: with the operator stopped and the finalizer removed, Machines go with their cluster', {
  timeout: LONG,
}, async () => {
  const name = 'orphaned'
  await world.objects.apply({
    ...{ kind: KubernetesCluster.kind, apiVersion: apiVersionOf(KubernetesCluster) },
    metadata: { name },
    spec: {
      ...{ kubernetesVersion: 'v1.28.3', talosVersion: 'v1.5.5' },
      ...{ clusterEndpoint: 'https://192.0.2.7:6443', controlPlane: { replicas: 3 } },
    },
  })
  await untilMachines(name, 3)
  await world.stopOperator()
  await world.objects.patch(KubernetesCluster, name, { metadata: { finalizers: [] } })
  await world.objects.remove(KubernetesCluster, name)
  await world.until('its Machines to be gone', async () => (await machinesOf(name)).length === 0)

  expect(await machinesOf('complex-cluster')).toHaveLength(3)
})
