import { afterAll, beforeAll, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { ConfigMap } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { wordsFor } from './boundary.ts'
import { filesIn } from './files-in.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { isShapedReady, SHAPED, shaped } from './shaped-cluster.ts'
import { conditionOf, untilSays, writesSince } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 180_000
const CLUSTER = [KubernetesCluster, SHAPED] as const
const CONTROL_PLANES = ['one-cp-0', 'one-cp-1', 'one-cp-2']
const WORKERS = ['one-pool-0', 'one-pool-1']

let world: World
let stranger: object
beforeAll(async () => {
  world = await aWorld({ subnet: '127.80.146', machines: 0, versions: QUICK })
  await world.provider([1, 2, 3, 4, 5])
  await world.objects.apply(shaped(world, { controlPlanes: 3, workers: 2 }))
  await world.objects.create(ConfigMap, { metadata: { name: 'stranger' } })
  const { uid } = (await world.objects.find(ConfigMap, 'stranger'))?.metadata ?? {}
  stranger = { apiVersion: 'v1', kind: 'ConfigMap', name: 'stranger', uid, controller: true }
  await world.until('it to be Ready', () => isShapedReady(world, 5))
  await world.pass(2)
}, LONG)
afterAll(() => world[Symbol.asyncDispose]())

const ownersOf = async (name: string) =>
  (await world.objects.find(ProvidedMachine, name))?.metadata.ownerReferences ?? []

/** Gives Machines to others, and yields who had them before. */
async function handOver(names: readonly string[], owners: (before: object[]) => object[]) {
  const before = new Map<string, object[]>()
  for (const name of names) {
    const had = await ownersOf(name)
    before.set(name, had)
    await world.objects.patch(ProvidedMachine, name, {
      metadata: { ownerReferences: owners(had) },
    })
  }
  return before
}

async function giveBack(before: ReadonlyMap<string, object[]>): Promise<void> {
  for (const [name, ownerReferences] of before) {
    await world.objects.patch(ProvidedMachine, name, { metadata: { ownerReferences } })
  }
}

/** Which Machines the parts of the cluster have. */
async function listed(): Promise<string[]> {
  const parts = [...(await world.objects.list(ControlPlane)), ...(await world.objects.list(Worker))]
  return parts.flatMap(({ spec }) =>
    (spec?.metalSpec?.machines ?? []).map(({ machineRef }) => machineRef?.name ?? ''),
  )
}

const running = () => world.fleet.machines.filter(({ isReady }) => isReady).length
const untilReady = () => world.until('it to be Ready', () => isShapedReady(world, 5))

// One life of one cluster: each test begins where the one before it ended.

test.each<[what: string, names: string[], owners: (before: object[]) => object[]]>([
  ['a worker belongs to another', ['one-pool-0'], () => [stranger]],
  [
    'a control plane has an owner that does not control it',
    ['one-cp-1'],
    (before) => before.map((owner) => ({ ...owner, controller: false })),
  ],
  ['each control plane belongs to nobody', CONTROL_PLANES, () => []],
])(
  'A33, R26, R33: while the Machine of %s, no machine is drained, taken out of etcd or reset',
  { timeout: LONG },
  async (_what, names, owners) => {
    const since = world.boundary.history.length
    const before = await handOver(names, owners)
    const why = await untilSays(world, CLUSTER, { type: 'Ready', reason: 'OwnerReferenceFailed' })
    await world.pass(10)

    for (const name of names) expect(why).toContain(`Machine ${name} is there`)
    expect(await conditionOf(world, CLUSTER, 'MachinesCreated')).toMatchObject({
      ...{ status: 'False', reason: 'CreationFailed' },
    })
    expect(await listed()).toEqual([...CONTROL_PLANES, ...WORKERS])
    expect({ running: running(), resets: resetsIn(world) }).toEqual({ running: 5, resets: 0 })
    // Nothing but what it says of itself, and its files.
    const written = writesSince(world, since).map(wordsFor)
    expect(written.filter((words) => !/ (kubernetesclusters|events|files)\//.test(words))).toEqual(
      [],
    )
    const files = await world.clock.elsewhere(() => filesIn(world.resultsFolder))
    const left = [...CONTROL_PLANES, ...WORKERS].filter((name) => !names.includes(name))
    expect(files.filter((file) => file.endsWith('.yaml')).sort()).toEqual(
      left.map((name) => `one/${name}.yaml`),
    )

    await giveBack(before)
    await untilReady()
    expect(await brokenInvariants(world)).toEqual([])
  },
)

test('a cluster that gets smaller or is deleted meanwhile leaves that machine alone, and waits', {
  timeout: LONG,
}, async () => {
  const before = await handOver(['one-pool-1'], () => [stranger])
  await world.objects.apply(shaped(world, { controlPlanes: 3, workers: 1 }))
  const why = await untilSays(world, CLUSTER, { type: 'Ready', reason: 'OwnerReferenceFailed' })
  await world.pass(10)
  expect(why).toContain('Machine one-pool-1 is there')
  expect({ running: running(), resets: resetsIn(world) }).toEqual({ running: 5, resets: 0 })

  await world.objects.remove(...CLUSTER)
  const waits = await untilSays(world, CLUSTER, { type: 'Ready', reason: 'Deleting' })
  await world.pass(10)
  expect(waits).toContain('Machine one-pool-1')
  expect({ running: running(), resets: resetsIn(world) }).toEqual({ running: 5, resets: 0 })

  await giveBack(before)
  await world.until('it to be gone', async () => !(await world.objects.find(...CLUSTER)))
  expect(resetsIn(world)).toBe(5)
  expect(bootstrapsIn(world)).toBe(1)
  expect(await brokenInvariants(world)).toEqual([])
})
