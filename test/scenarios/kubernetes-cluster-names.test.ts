import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { CLUSTER_NAME, ROLE, WORKER_GROUP } from '#api/labels.ts'
import { apiVersionOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { PROVIDER } from './a-provider.ts'
import { QUICK } from './manifests.ts'
import type { Objects } from './objects.ts'
import { conditionOf, sampleOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 180_000
const FIRST = [KubernetesCluster, 'a'] as const
const MARKER = '.talos-operator.json'

let world: World
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.141', machines: 0, versions: QUICK })
  await world.provider([1, 2])
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

interface Named {
  name: string
  controlPlanes?: number
  provider?: string
  talosConfig?: object
}

/** A cluster that is called otherwise than its object: `b`. */
const calledB = ({ name, controlPlanes = 1, provider, talosConfig }: Named) => {
  const machineTemplate = { spec: provider ? { provider } : {} }
  return {
    ...{ apiVersion: apiVersionOf(KubernetesCluster), kind: KubernetesCluster.kind },
    metadata: { name },
    spec: {
      ...{ clusterName: 'b', kubernetesVersion: QUICK.kubernetes, talosVersion: QUICK.talos },
      clusterEndpoint: `https://${world.address(1)}:6443`,
      controlPlane: { replicas: controlPlanes, machineTemplate },
      workers: [{ name: 'pool', replicas: 1, machineTemplate }],
      ...(talosConfig && { talosConfig }),
    },
  }
}

const OF_FIRST = [ProvidedMachine, Secret, ControlPlane, Worker] as const

/** What the first cluster has, each object in its version and each file as it was written. */
async function allOfFirst(): Promise<string[]> {
  const objects = (await Promise.all(OF_FIRST.map((kind) => world.objects.list(kind)))).flat()
  const folder = join(world.resultsFolder, 'b')
  const files = (await readdir(folder)).map(async (file) => {
    const { ino, mtimeNs } = await stat(join(folder, file), { bigint: true })
    return `${file} ${ino} ${mtimeNs}`
  })
  return [
    ...objects.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`).sort(),
    ...(await Promise.all(files)).sort(),
  ]
}

const namesOf = async (kind: (typeof OF_FIRST)[number], objects: Objects = world.objects) =>
  (await objects.list(kind)).map(({ metadata }) => metadata.name).sort()

const untilGone = (name: string, objects: Objects = world.objects) =>
  world.until(
    `${name} to be gone`,
    async () => (await objects.find(KubernetesCluster, name)) === undefined,
  )

// One life: each test begins where the one before it ended.

test('R4, R17, R18, R29: everything of a cluster is called by its clusterName, and nothing by the name of its object', {
  timeout: LONG,
}, async () => {
  await world.objects.apply(calledB({ name: 'a', provider: PROVIDER }))
  await untilSays(world, FIRST, { type: 'Ready', reason: 'ClusterReady' })

  const machines = await world.objects.list(ProvidedMachine)
  expect(machines.map(({ metadata }) => [metadata.name, metadata.labels])).toEqual([
    ['b-cp-0', { [CLUSTER_NAME]: 'b', [ROLE]: 'controlplane' }],
    ['b-pool-0', { [CLUSTER_NAME]: 'b', [ROLE]: 'worker', [WORKER_GROUP]: 'pool' }],
  ])
  expect(await readdir(world.resultsFolder)).toEqual(['b'])
  expect((await readdir(join(world.resultsFolder, 'b'))).sort()).toEqual([
    ...[MARKER, 'b-cp-0.yaml', 'b-pool-0.yaml'],
  ])
  expect(await namesOf(ControlPlane)).toEqual(['b'])
  expect(await namesOf(Worker)).toEqual(['b-pool'])
  const secrets = await namesOf(Secret)
  expect(secrets).toEqual(expect.arrayContaining(['b-kubeconfig', 'b-talos-secrets']))
  expect(secrets.filter((name) => !name.startsWith('b-'))).toEqual([])
})

test('A22, A26: metrics and the log call it so, too, and the log says which object it is', async () => {
  const made = (cluster: string) =>
    sampleOf(world, `talos_operator_machines_generated{cluster="${cluster}",role="controlplane"}`)
  const told = world.log
    .map((line): Record<string, unknown> => Object(JSON.parse(line)))
    .filter(({ controller }) => controller === KubernetesCluster.kind)
  const subjects = new Set(
    told.map(({ cluster, namespace, name }) => [cluster, namespace, name].join()),
  )

  expect([await made('a'), await made('b')]).toEqual([0, 1])
  expect([...subjects]).toEqual(['b,default,a'])
})

test('A11, A33: another cluster of the namespace with that clusterName is refused, and takes nothing of the first', {
  timeout: LONG,
}, async () => {
  const second = [KubernetesCluster, 'c'] as const
  await world.pass(2)
  const before = await allOfFirst()
  const talosConfig = { machine: { token: 'another-token-than-that-of-the-first' } }
  await world.objects.apply(
    calledB({ name: 'c', controlPlanes: 3, provider: PROVIDER, talosConfig }),
  )
  const why = await untilSays(world, second, { type: 'Ready', reason: 'OwnerReferenceFailed' })
  await world.pass(5)

  expect(why).toContain('KubernetesCluster a')
  for (const type of ['MachinesCreated', 'FilesGenerated']) {
    expect(await conditionOf(world, second, type)).toMatchObject({ status: 'False' })
  }
  const { status } = (await world.objects.find(...second)) ?? {}
  expect(status).toMatchObject({ phase: 'Pending', machineCount: 0 })
  // Neither those that the first has, nor others under names that it may come to need.
  expect(await allOfFirst()).toEqual(before)
  expect((await conditionOf(world, FIRST, 'Ready'))?.status).toBe('True')

  await world.objects.remove(...second)
  await untilGone('c')
  await world.pass(1)
  expect(await allOfFirst()).toEqual(before)
})

test('A16, R29, R30: of two namespaces with that clusterName the first has the folder, and the second when the first is gone', {
  timeout: LONG,
}, async () => {
  const before = await allOfFirst()
  const elsewhere = await world.objects.beside('elsewhere')
  const there = { objects: elsewhere, until: world.until.bind(world) }
  const refused = { type: 'FilesGenerated', reason: 'GenerationFailed' }
  const second = [KubernetesCluster, 'd'] as const
  await elsewhere.apply(calledB({ name: 'd' }))
  const why = await untilSays(there, second, refused)
  await world.pass(5)

  expect(why).toContain('has the files of KubernetesCluster default/a')
  expect(await namesOf(ProvidedMachine, elsewhere)).toEqual(['b-cp-0', 'b-pool-0'])
  expect(await allOfFirst()).toEqual(before)
  await elsewhere.remove(...second)
  await untilGone('d', elsewhere)
  expect(await allOfFirst()).toEqual(before)

  await elsewhere.apply(calledB({ name: 'd' }))
  await untilSays(there, second, refused)
  await world.objects.remove(...FIRST)
  await untilGone('a')
  await untilSays(there, second, { type: 'FilesGenerated', reason: 'GenerationSucceeded' })
  const folder = join(world.resultsFolder, 'b')
  expect((await readdir(folder)).sort()).toEqual([MARKER, 'b-cp-0.yaml', 'b-pool-0.yaml'])
  expect(await readFile(join(folder, 'b-cp-0.yaml'), 'utf8')).toContain('namespace: elsewhere')
})
