import { describe, expect, test } from 'vitest'
import {
  BOOTSTRAP_ACCEPTED,
  ETCD_LEFT,
  FORCE_DELETION,
  MACHINE_UUID,
  MAY_GO,
  RESET_ACCEPTED,
} from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { NodeSeen } from '#engine/cluster-nodes-seen.ts'
import type { PodSeen } from '#engine/node-pods.ts'
import { aControlPlane, aWorker, aWorkerMachine, type Overrides } from '#test/builders.ts'
import {
  aClaimedMachine,
  aMember,
  aNode,
  aWorld,
  NOW,
  OTHER_UUID,
  UUID,
} from '#test/machine-world.ts'
import { draining, isDrainedFirst } from './draining.ts'
import type { Parent, World } from './world.ts'

const secondsAgo = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000)
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString()

const machine = (annotations: Record<string, string> = {}, over: Overrides<Machine> = {}) =>
  aWorkerMachine({
    ...over,
    metadata: {
      deletionTimestamp: NOW.toISOString(),
      annotations: { [MACHINE_UUID]: UUID, ...annotations },
      ...over.metadata,
    },
  })
const controlPlane = (annotations: Record<string, string> = {}) =>
  aClaimedMachine(annotations, { metadata: { deletionTimestamp: NOW.toISOString() } })
const by = machine().metadata.uid ?? ''

const begun = { metadata: { annotations: { [BOOTSTRAP_ACCEPTED]: UUID } } }
const there: Parent = { is: 'there', controlPlane: aControlPlane(begun), worker: aWorker() }

const marked = (drain: Partial<NodeSeen['drain']> = {}, over: Partial<NodeSeen> = {}) =>
  aNode({
    ...{ isUnschedulable: true, drain: { by, since: ago(1), cordoned: true, ...drain } },
    ...over,
  })
const web: PodSeen = {
  ...{ namespace: 'shop', name: 'web-1', uid: 'u1', createdAt: ago(60) },
  ...{ heldBy: [], isHeld: false, toleratesCordon: false },
}
const held: PodSeen = { ...web, heldBy: ['web'], isHeld: true }
const ref = { namespace: 'shop', name: 'web-1', uid: 'u1' }
const at = { node: 'cp-1', uid: 'uid-of-node' }

const found = (world: Partial<World>) =>
  draining(machine(), aWorld({ parent: there, node: marked(), ...world }), NOW)
const known = (...pods: PodSeen[]) => ({ pods: { is: 'known' as const, pods } })
const withPolicy = (afterTimeout: 'Delete' | 'Skip'): Partial<World> => {
  const drain = { timeoutSeconds: 30, afterTimeout }
  const worker = aWorker({ spec: { rolloutStrategy: { type: 'RollingUpdate', drain } } })
  return { parent: { ...there, worker } }
}

describe('a node is drained for its machine', () => {
  test('from the cordon to the last pod', () => {
    expect(found({ node: aNode() })).toMatchObject({
      ...{ reason: 'Draining', steps: [{ do: 'cordon', ...at }] },
    })
    expect(found(known(web))).toMatchObject({
      ...{ reason: 'Draining', steps: [{ do: 'evict', node: 'cp-1', pods: [ref] }] },
    })
    expect(found(known({ ...web, endsAt: ago(-1) }))).toMatchObject({ steps: [] })
    expect(found(known())).toBeUndefined()
  })

  test('and what holds a pod is named', () => {
    expect(found(known(held))).toEqual({
      ...{ reason: 'Draining', steps: [] },
      message:
        'node cp-1 is drained, so that its pods go elsewhere before the machine is taken down. At present PodDisruptionBudget shop/web does not let pod shop/web-1 go',
    })
  })

  test('until the time is up, when it is given up with what can be done about it', () => {
    const message =
      'node cp-1 could not be drained: PodDisruptionBudget shop/web does not let pod shop/web-1 go. The machine stays as it is, and nothing keeps pods from its node. It is tried again when nothing is in the way: give the budget room, or delete the pod; or let rolloutStrategy.drain.afterTimeout of TalosWorker pool be Delete or Skip'
    const node = marked({ since: ago(10) })
    const stopped = marked({ since: ago(20), stopped: ago(10) }, { isUnschedulable: false })

    expect(found({ node, ...known(held) })).toEqual({
      ...{ reason: 'DrainBlocked', message, steps: [{ do: 'giveUpDrain', ...at }] },
    })
    expect(found({ node: stopped, ...known(held) })).toEqual({ reason: 'DrainBlocked', message })
    expect(found({ node, ...known(web) })?.message).toContain('were not gone in time')
  })

  test('of a control plane, too, whose own policy counts', () => {
    const forceful = aControlPlane({
      ...begun,
      spec: { rolloutStrategy: { type: 'RollingUpdate', drain: DELETES } },
    })

    expect(
      found({ parent: { is: 'there', controlPlane: forceful }, ...known(held) }),
    ).toMatchObject({
      steps: [{ do: 'deletePods', node: 'cp-1', pods: [ref] }],
    })
    const stays = { is: 'there' as const, controlPlane: aControlPlane(begun) }
    expect(
      found({ parent: stays, node: marked({ since: ago(10) }), ...known(held) })?.message,
    ).toContain('of TalosControlPlane prod be Delete or Skip')
  })

  test('and after that by force, or not at all, if the pool says so', () => {
    expect(found({ ...withPolicy('Delete'), ...known(held) })).toMatchObject({
      ...{ reason: 'Draining', steps: [{ do: 'deletePods', node: 'cp-1', pods: [ref] }] },
    })
    expect(found({ ...withPolicy('Skip'), ...known(held) })).toBeUndefined()
  })
})

const DELETES = { timeoutSeconds: 30, afterTimeout: 'Delete' as const }

describe('nobody waits for a drain', () => {
  test.each<[string, Partial<World>]>([
    ['where there is no node', { node: undefined }],
    ['of a node that nobody could tell from another', { node: aNode({ uid: '' }) }],
    ['of a node that is not ready', { node: marked({}, { ready: false }), ...known(held) }],
    ['in a cluster that is gone', { parent: { is: 'missing', what: 'TalosControlPlane prod' } }],
    [
      'by an API that is away for as long as it may take',
      { ...withPolicy('Skip'), areNodesKnown: false, apiSilentSince: secondsAgo(30) },
    ],
    [
      'in a cluster that never began',
      { areNodesKnown: false, parent: { ...there, controlPlane: aControlPlane() } },
    ],
  ])('%s', (_what, world) => {
    expect(found(world)).toBeUndefined()
  })
})

describe('a drain waits', () => {
  test.each<[string, Partial<World>, string]>([
    [
      'while the API is away',
      { areNodesKnown: false },
      'the Kubernetes API of prod does not answer',
    ],
    [
      'while the API is away, if nobody says otherwise',
      { areNodesKnown: false, apiSilentSince: secondsAgo(10_000) },
      'let rolloutStrategy.drain.afterTimeout of TalosWorker pool be Skip',
    ],
    [
      'while the API has not been away for long',
      { ...withPolicy('Skip'), areNodesKnown: false, apiSilentSince: secondsAgo(29) },
      'the Kubernetes API of prod does not answer',
    ],
    [
      'while nobody knows since when the API is away',
      { ...withPolicy('Skip'), areNodesKnown: false },
      'the Kubernetes API of prod does not answer',
    ],
    ['while pods are not told', { pods: { is: 'unknown', message: 'it is ill' } }, 'it is ill'],
    ['while nobody asked for pods', { pods: { is: 'unasked' } }, 'nobody asked'],
  ])('%s', (_what, world, words) => {
    expect(found(world)).toEqual({ reason: 'Draining', message: expect.stringContaining(words) })
  })
})

describe('a machine that goes is drained first', () => {
  const isDrained = (one: Machine, world: Partial<World> = {}) =>
    isDrainedFirst(one, aWorld({ parent: there, ...world }))

  test('if it answers, and its cluster stays', () => {
    expect(isDrained(machine())).toBe(true)
    expect(isDrained(controlPlane({ [MAY_GO]: 'true' }))).toBe(true)
    expect(isDrained(controlPlane({ [ETCD_LEFT]: 'true' }))).toBe(true)
  })

  test.each<[string, Machine, Partial<World>?]>([
    ['stays', aWorkerMachine({ metadata: { annotations: { [MACHINE_UUID]: UUID } } })],
    ['is let go', machine({ [FORCE_DELETION]: 'true' })],
    ['is preserved', machine({}, { spec: { deletionPolicy: 'preserve' } })],
    ['accepted to be reset', machine({ [RESET_ACCEPTED]: NOW.toISOString() })],
    ['resets itself', machine(), { seen: aMember({ stage: 'resetting' }) }],
    ['is off', machine(), { seen: { is: 'silent', message: 'no route' } }],
    ['is another one', machine(), { seen: aMember({ uuid: OTHER_UUID }) }],
    ['goes with its cluster', machine(), { parent: { ...there, isClusterLeaving: true } }],
    ['is needed by etcd', controlPlane()],
    ['has no parent', machine(), { parent: { is: 'missing', what: 'TalosWorker pool' } }],
  ])('not if it %s', (_what, one, world) => {
    expect(isDrained(one, world)).toBe(false)
  })
})
