import { expect, test } from 'vitest'
import { OS_INSTALLED } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import type { ProvidedMachine } from '#api/provided-machine.ts'
import { aReader } from '#test/a-reader.ts'
import { aKubernetesCluster } from '#test/builders.ts'
import { placed, runningWith } from '#test/kubernetes-cluster-parts.ts'
import { allMade } from '#test/kubernetes-cluster-world.ts'
import { CreationTries } from './creation-tries.ts'
import { isGone } from './entries.ts'
import { observe } from './observe.ts'
import { planEvery } from './plan.ts'
import type { World } from './world.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const plan = planEvery(30_000)
const cluster = aKubernetesCluster()
const all = allMade(cluster).map((machine) => ({
  ...machine,
  metadata: {
    ...machine.metadata,
    annotations: { ...machine.metadata.annotations, [OS_INSTALLED]: 'true' },
  },
}))
const CONTROL_PLANES = ['prod-cp-0', 'prod-cp-1', 'prod-cp-2']

const results = {
  look: async () => ({ stale: [], surplus: [] }),
  ...{ write: async () => undefined, remove: async () => undefined },
}

type Change = (machine: ProvidedMachine) => ProvidedMachine | undefined

/** What is seen when some Machines of a cluster that runs have become others, or are gone. */
async function seenWith(
  names: readonly string[],
  change: Change,
  of = cluster,
): Promise<{ world: World; asked: string[] }> {
  const { talos } = runningWith(cluster, all)
  const machines = placed(all).flatMap((machine) =>
    names.includes(machine.metadata.name) ? (change(machine) ?? []) : [machine],
  )
  const parts: KubeObject[] = [...talos.workers, ...talos.machines]
  const cached = [
    ...[...machines, ...parts, ...(talos.controlPlane ? [talos.controlPlane] : [])],
    ...[of],
  ]
  const { read, asked } = aReader({ cached })
  const world = await observe({ provided: { results } }, new CreationTries())(of, read)
  return { world, asked }
}

const stepsFor = async (names: readonly string[], change: Change, of = cluster) => {
  const { world } = await seenWith(names, change, of)
  return plan(of, world, NOW).steps
}

const listsOf = async (names: readonly string[], change: Change, of = cluster) =>
  (await stepsFor(names, change, of)).flatMap((step) =>
    step.do === 'applyControlPlane' || step.do === 'applyWorker' ? [step.machines] : [],
  )

const withMetadata =
  (metadata: Partial<ProvidedMachine['metadata']>): Change =>
  (machine) => ({ ...machine, metadata: { ...machine.metadata, ...metadata } })

const stranger = { apiVersion: 'v1', kind: 'ConfigMap', name: 'stranger', uid: 'of-a-stranger' }
const ownerOf = (machine: ProvidedMachine) => machine.metadata.ownerReferences?.[0]

const HANDED_OVER: [what: string, change: Change][] = [
  ['belongs to another', withMetadata({ ownerReferences: [{ ...stranger, controller: true }] })],
  ['belongs to nobody', withMetadata({ ownerReferences: [] })],
  [
    'has an owner that does not control it',
    (machine) => {
      const owner = ownerOf(machine)
      return withMetadata({ ownerReferences: owner ? [{ ...owner, controller: false }] : [] })(
        machine,
      )
    },
  ],
]

test.each(HANDED_OVER)(
  'A33: a Machine of a cluster that runs and %s by now is reported, and no list loses it',
  async (_what, change) => {
    for (const names of [['prod-cp-1'], ['prod-workers-0'], CONTROL_PLANES]) {
      const { world } = await seenWith(names, change)
      const { steps, conditions, failure } = plan(cluster, world, NOW)

      expect(world.lost).toEqual([])
      expect(steps).toEqual([])
      expect(failure?.code).toBe('OwnerReferenceError')
      for (const name of names) expect(failure?.message).toContain(`Machine ${name} is there`)
      expect(conditions.Ready?.reason).toBe('OwnerReferenceFailed')
    }
  },
)

test('A33: nor does the list of a smaller cluster, nor goes a group that is taken out', async () => {
  const [, nobodys] = HANDED_OVER.map(([, change]) => change)
  if (!nobodys) throw new Error('nothing to hand over')
  const fewer = aKubernetesCluster({ spec: { workers: [{ name: 'workers', replicas: 1 }] } })
  const none = aKubernetesCluster({ spec: { workers: [] } })
  const one = aKubernetesCluster({ spec: { controlPlane: { replicas: 1 } } })

  expect(await stepsFor(['prod-workers-1'], nobodys, fewer)).toEqual([])
  expect(await stepsFor(['prod-workers-1'], nobodys, none)).toEqual([])
  expect(await listsOf(['prod-cp-2'], nobodys, one)).toEqual([['prod-cp-0', 'prod-cp-2']])
  const { world } = await seenWith(['prod-workers-1'], nobodys, fewer)
  expect(plan(fewer, world, NOW).failure?.message).toContain('Machine prod-workers-1 is there')
})

test('one that the API does not have, or that goes, leaves the list, whoever has it', async () => {
  const going = withMetadata({ deletionTimestamp: '2030-01-01T00:00:00Z', ownerReferences: [] })

  expect(await listsOf(['prod-workers-0'], () => undefined)).toEqual([['prod-workers-1']])
  expect(await listsOf(['prod-workers-0'], going)).toEqual([['prod-workers-1']])
  expect(await listsOf(['prod-cp-1'], going)).toEqual([['prod-cp-0', 'prod-cp-2']])
})

test('Machines with other uids, as they are after a backup was put back, stay in their lists, which follow them', async () => {
  const anew: Change = (machine) => withMetadata({ uid: `new-${machine.metadata.name}` })(machine)
  for (const names of [['prod-cp-1'], ['prod-workers-0'], all.map((one) => one.metadata.name)]) {
    const { world } = await seenWith(names, anew)
    const { steps, notices } = plan(cluster, world, NOW)

    expect(world.lost).toEqual([])
    expect(notices).toEqual([])
    expect(steps.filter((step) => !step.do.startsWith('apply'))).toEqual([])
    for (const step of steps) {
      expect(step).toMatchObject({
        machines: step.do === 'applyWorker' ? ['prod-workers-0', 'prod-workers-1'] : CONTROL_PLANES,
      })
    }
    expect(steps.length).toBeGreaterThan(0)
  }
})

/** A Machine as it is made under the name of one that is gone. */
async function madeAnew(name: string): Promise<ProvidedMachine> {
  const { world } = await seenWith([name], () => undefined)
  const draft = world.wanted.find((one) => one.name === name)?.draft
  const [machine] = placed(all.filter(({ metadata }) => metadata.name === name))
  if (!machine || !draft) throw new Error(`nobody wants ${name}`)
  const metadata = { ...machine.metadata, uid: `new-${name}` }
  return { ...machine, metadata: { ...metadata, annotations: draft.metadata.annotations } }
}

test('A38: one that was made anew because it was gone says so, and its entry leaves before it joins', async () => {
  const [first, second, worker] = await Promise.all(
    ['prod-cp-0', 'prod-cp-1', 'prod-workers-0'].map(madeAnew),
  )
  const anew = (machine: ProvidedMachine) =>
    [first, second, worker].find((one) => one?.metadata.name === machine.metadata.name)

  expect(await listsOf(['prod-workers-0'], anew)).toEqual([['prod-workers-1']])
  // Control planes one after the other.
  expect(await listsOf(['prod-cp-0', 'prod-cp-1'], anew)).toEqual([['prod-cp-1', 'prod-cp-2']])
})

test('what a Machine says of whose place it is in stays when it is changed', async () => {
  const anew = await madeAnew('prod-cp-0')
  const { world } = await seenWith(['prod-cp-0'], () => anew)
  const draft = world.wanted.find(({ name }) => name === 'prod-cp-0')?.draft

  expect(draft?.metadata.annotations).toEqual(anew.metadata.annotations)
  expect(Object.values(anew.metadata.annotations ?? {})).toContain('uid-of-prod-cp-0')
})

test('where all are gone nobody leaves a list: there is no etcd that a new worker could join', async () => {
  const names = all.map(({ metadata }) => metadata.name)

  expect(await listsOf(names, () => undefined)).toEqual([])
  expect(await listsOf(names.slice(0, 3), () => undefined)).toEqual([])
})

test('so do those of other uids and of nobody, as a backup without owners brings them', async () => {
  const anew: Change = (machine) =>
    withMetadata({ uid: `new-${machine.metadata.name}`, ownerReferences: [] })(machine)

  expect(
    await stepsFor(
      all.map(({ metadata }) => metadata.name),
      anew,
    ),
  ).toEqual([])
})

test('a Machine that says it is in its own place is there, and gone when another is in it', async () => {
  const anew = await madeAnew('prod-workers-0')
  const uid = 'uid-of-prod-workers-0'
  const itself = { ...anew, metadata: { ...anew.metadata, uid } }

  expect(isGone({ machineRef: { uid } }, itself)).toBe(false)
  expect(isGone({ machineRef: { uid } }, anew)).toBe(true)
})

test('a group that is taken out goes as a whole, however many of its Machines are gone already', async () => {
  const large = aKubernetesCluster({ spec: { workers: [{ name: 'workers', replicas: 120 }] } })
  const none = aKubernetesCluster({ spec: { workers: [] } })
  const made = allMade(large)
  const { talos } = runningWith(large, made)
  const cached = [
    ...[...placed(made.slice(0, 3)), ...talos.workers, none],
    ...(talos.controlPlane ? [talos.controlPlane] : []),
  ]
  const { read } = aReader({ cached })
  const world = await observe({ provided: { results } }, new CreationTries())(none, read)

  expect(plan(none, world, NOW).steps).toContainEqual(
    expect.objectContaining({ do: 'removePart', name: 'prod-workers' }),
  )
})
