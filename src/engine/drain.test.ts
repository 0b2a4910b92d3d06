import { describe, expect, test } from 'vitest'
import { aControlPlane, aWorker } from '#test/builders.ts'
import { aNode } from '#test/machine-world.ts'
import type { NodeSeen } from './cluster-nodes-seen.ts'
import { type DrainPolicy, drainOf, drainPolicyOf, whatHolds } from './drain.ts'
import type { PodSeen } from './node-pods.ts'

const BY = 'uid-of-machine'
const START = '2030-01-01T00:00:00.000Z'
const at = (minutes: number) => new Date(Date.parse(START) + minutes * 60_000)

const aPod = (name: string, over: Partial<PodSeen> = {}): PodSeen => ({
  ...{ namespace: 'shop', name, uid: `uid-of-${name}`, createdAt: '2029-01-01T00:00:00Z' },
  ...{ heldBy: [], isHeld: false, toleratesCordon: false },
  ...over,
})
const held = (name: string) => aPod(name, { heldBy: ['budget'], isHeld: true })
const ending = (name: string, endsAt = at(1)) => aPod(name, { endsAt: endsAt.toISOString() })

const cordoned = (mark: Partial<NodeSeen['drain']> = {}): NodeSeen =>
  aNode({ isUnschedulable: true, drain: { by: BY, since: START, cordoned: true, ...mark } })
const stopped = aNode({
  drain: { by: BY, since: START, cordoned: false, stopped: at(10).toISOString() },
})

const decided = (
  node: NodeSeen,
  pods: PodSeen[],
  { minutes = 1, ...policy }: Partial<DrainPolicy> & { minutes?: number } = {},
) =>
  drainOf({
    ...{ node, pods, by: BY, now: at(minutes) },
    policy: { timeoutSeconds: 600, afterTimeout: 'Stop', ...policy },
  })

const underWay = (over: { evict?: PodSeen[]; delete?: PodSeen[]; left: PodSeen[] }) => ({
  ...{ is: 'under way', evict: [], delete: [] },
  ...over,
})

describe('the drain of a node', () => {
  test('begins with a cordon, whatever is on it', () => {
    expect(decided(aNode(), [])).toEqual({ is: 'due' })
    expect(decided(aNode({ isUnschedulable: true }), [])).toEqual({ is: 'due' })
    expect(decided(cordoned({ by: 'another' }), [])).toEqual({ is: 'due' })
  })

  test('has its cordon back if somebody took that away', () => {
    expect(decided({ ...cordoned(), isUnschedulable: false }, [])).toEqual({ is: 'due' })
  })

  test('is over when no pod is left', () => {
    expect(decided(cordoned(), [])).toEqual({ is: 'over', left: [] })
  })

  test('asks those to go that may, ten at a time, and waits for the others', () => {
    const many = [...Array(12).keys()].map((number) => aPod(`pod-${number}`))
    const left = [...many, held('held'), ending('ending')]

    expect(decided(cordoned(), left)).toEqual(underWay({ evict: many.slice(0, 10), left }))
    expect(decided(cordoned(), [held('held')])).toEqual(underWay({ left: [held('held')] }))
  })

  test('asks those first that nothing holds: others may be refused for as long as the drain lasts', () => {
    const unready = [...Array(10).keys()].map((at) => aPod(`a-${at}`, { heldBy: ['budget'] }))
    const free = [aPod('b'), aPod('c')]
    const left = [...unready, ...free]

    expect(decided(cordoned(), left)).toEqual(
      underWay({ evict: [...free, ...unready.slice(0, 8)], left }),
    )
  })

  test('asks one too that a budget may not count, because it is not ready', () => {
    const unready = aPod('unready', { heldBy: ['budget'] })

    expect(decided(cordoned(), [unready])).toEqual(underWay({ evict: [unready], left: [unready] }))
  })

  test('does not wait for one that came back in spite of the cordon', () => {
    const back = aPod('back', { toleratesCordon: true, createdAt: at(0.5).toISOString() })
    const before = aPod('before', { toleratesCordon: true })
    const atOnce = aPod('at-once', { toleratesCordon: true, createdAt: '2030-01-01T00:00:00Z' })
    const late = aPod('late', { createdAt: at(0.5).toISOString() })

    const since = '2030-01-01T00:00:00.900Z'
    expect(decided(cordoned({ since }), [back, atOnce])).toMatchObject({ is: 'over' })
    expect(decided(cordoned(), [back, before, late])).toMatchObject({ evict: [before, late] })
  })
})

describe('when the time of a drain is up', () => {
  const minutes = 10
  const left = [held('held')]

  test('it is given up', () => {
    expect(decided(cordoned(), left, { minutes: 9.99 })).toMatchObject({ is: 'under way' })
    expect(decided(cordoned(), left, { minutes })).toEqual({ is: 'in vain', left })
    expect(decided(cordoned(), left, { minutes: 0, timeoutSeconds: 0 })).toEqual({
      ...{ is: 'in vain', left },
    })
  })

  test('and all are gone, it is over', () => {
    expect(decided(cordoned(), [], { minutes })).toEqual({ is: 'over', left: [] })
  })

  test('the rest goes with the machine, if that is the policy', () => {
    expect(decided(cordoned(), left, { minutes, afterTimeout: 'Skip' })).toEqual({
      ...{ is: 'over', left },
    })
  })

  test('the rest is deleted, if that is the policy, and has its time to end', () => {
    const policy = { minutes, afterTimeout: 'Delete' } as const
    const [slow, deaf] = [ending('slow', at(11)), ending('deaf', at(9))]
    const many = [...Array(12).keys()].map((number) => held(`pod-${number}`))

    expect(decided(cordoned(), [...many, slow], policy)).toEqual(
      underWay({ delete: many.slice(0, 10), left: [...many, slow] }),
    )
    expect(decided(cordoned(), [slow, deaf], policy)).toEqual(underWay({ left: [slow, deaf] }))
    expect(decided(cordoned(), [deaf], policy)).toEqual({ is: 'over', left: [deaf] })
  })
})

describe('a drain that was given up', () => {
  test('rests while something is in its way', () => {
    expect(decided(stopped, [held('held'), aPod('free')], { minutes: 300 })).toEqual({
      ...{ is: 'stopped', left: [held('held')] },
    })
    expect(decided(stopped, [ending('ending')], { minutes: 300 })).toMatchObject({ is: 'stopped' })
  })

  test('begins anew when nothing is, but not at once', () => {
    expect(decided(stopped, [aPod('free')], { minutes: 19.9 })).toEqual({ is: 'stopped', left: [] })
    expect(decided(stopped, [aPod('free')], { minutes: 20 })).toEqual({ is: 'due' })
  })

  test.each(['Delete', 'Skip'] as const)('begins anew when the policy is %s', (afterTimeout) => {
    expect(decided(stopped, [held('held')], { minutes: 11, afterTimeout })).toEqual({ is: 'due' })
  })
})

test('unless told, budgets are respected for ten minutes, and then the machine stays', () => {
  const drain = { timeoutSeconds: 5, afterTimeout: 'Skip' } as const
  const rolloutStrategy = { type: 'RollingUpdate' as const, drain }
  const { spec: _, ...bare } = aWorker()

  expect(drainPolicyOf(aWorker({ spec: { rolloutStrategy } }))).toEqual(drain)
  expect(drainPolicyOf(aControlPlane())).toEqual({ timeoutSeconds: 600, afterTimeout: 'Stop' })
  expect(drainPolicyOf(bare)).toEqual({ timeoutSeconds: 600, afterTimeout: 'Stop' })
})

test('what holds pods is named, and of many some', () => {
  const several = aPod('both', { heldBy: ['a', 'b'], isHeld: true })

  expect(whatHolds([aPod('free')])).toBe('')
  expect(whatHolds([held('web'), ending('deaf'), several])).toBe(
    'PodDisruptionBudget shop/budget does not let pod shop/web go, pod shop/deaf was told to end and is still there, pod shop/both has more than one PodDisruptionBudget (a, b), so that Kubernetes evicts it never',
  )
  expect(whatHolds(['a', 'b', 'c', 'd'].map(held))).toMatch(/shop\/c go, and others$/)
})
