import { describe, expect, test } from 'vitest'
import {
  ADOPTED,
  BOOTSTRAP_ACCEPTED,
  CONFIG_TRIED,
  ETCD_FORGOTTEN,
  ETCD_LEFT,
  FORCE_DELETION,
  MAY_GO,
  RESET_ACCEPTED,
} from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { aControlPlane, aMachine, aWorker, type Overrides } from '#test/builders.ts'
import {
  aClaimedMachine,
  aMember,
  aNode,
  aWaiting,
  aWorld,
  NOW,
  OTHER_UUID,
  UUID,
} from '#test/machine-world.ts'
import { leavingRules, teardown, teardownBy } from './teardown.ts'
import type { Parent, Step, World } from './world.ts'

const LEAVING = { deletionTimestamp: NOW.toISOString() }
const MINUTE_MS = 60_000
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE_MS).toISOString()

/** Of a pool, in a cluster that stays. */
const worker = (annotations: Record<string, string> = {}, over: Overrides<Machine> = {}) => {
  const machine = aClaimedMachine(annotations, { ...over, metadata: LEAVING })
  const { controlPlaneRef: _, ...spec } = machine.spec ?? { endpoint: '', version: '' }
  return { ...machine, spec: { deletionPolicy: 'reset' as const, ...spec, workerRef: POOL } }
}
const POOL = { name: 'pool' }
const leavingFor = (minutes: number, reason = 'Tested'): Overrides<Machine> => ({
  status: {
    conditions: [
      {
        ...{ type: 'Deleting', status: 'True', reason, message: '' },
        lastTransitionTime: ago(minutes),
      },
    ],
  },
})
/** Of a control plane. */
const controlPlane = (annotations: Record<string, string> = {}) =>
  aClaimedMachine(annotations, { metadata: LEAVING })

/** Of a pool, and without an answer for so long. */
const silentFor = (minutes: number) =>
  worker(
    {},
    {
      status: {
        conditions: [
          {
            ...{ type: 'Reachable', status: 'False', reason: 'Unreachable', message: '' },
            lastTransitionTime: ago(minutes),
          },
        ],
      },
    },
  )

/** Nothing is left on its node. */
const drained = {
  node: aNode({
    isUnschedulable: true,
    drain: { by: worker().metadata.uid ?? '', since: ago(1), cordoned: true },
  }),
  pods: { is: 'known' as const, pods: [] },
}

const stays: Parent = {
  is: 'there',
  controlPlane: aControlPlane({ metadata: { annotations: { [BOOTSTRAP_ACCEPTED]: UUID } } }),
  worker: aWorker(),
}
const goes: Parent = { is: 'there', controlPlane: aControlPlane({ metadata: LEAVING }) }
const goesLater: Parent = { ...goes, remaining: ['pool'] }
const unbegun: Parent = { is: 'there', controlPlane: aControlPlane(), worker: aWorker() }
const silent = { is: 'silent' as const, message: 'no route' }
const twin = { name: 'default/twin', what: 'uuid' as const, isLettingGo: false }

interface Case {
  title: string
  machine: Machine
  world?: Partial<World>
  steps?: Step[]
  /** Reason of Deleting; left out: the object may go. */
  deleting?: string
}

const reset = (graceful: boolean): Step => ({ do: 'reset', uuid: UUID, graceful })
const cordon: Step = { do: 'cordon', node: 'cp-1', uid: 'uid-of-node' }
const deleteNode: Step = { do: 'deleteNode', node: 'cp-1', uid: 'uid-of-node' }

const cases: Case[] = [
  {
    title: 'that was never claimed goes, though a machine of the cluster answers',
    machine: aMachine({ metadata: LEAVING }),
  },
  {
    title:
      'whose machine resets itself already is not told so again, though nobody noted that it took it',
    machine: worker(),
    world: { seen: aMember({ stage: 'resetting' }) },
    deleting: 'Resetting',
  },
  { title: 'with the force annotation goes', machine: worker({ [FORCE_DELETION]: 'true' }) },
  {
    title: 'with another value of the force annotation does not',
    machine: worker({ [FORCE_DELETION]: 'false' }),
    steps: [reset(true)],
    deleting: 'Resetting',
  },
  {
    title: 'that is to be preserved goes',
    machine: worker({}, { spec: { deletionPolicy: 'preserve' } }),
  },
  {
    title: 'that is to be preserved by what it belongs to goes, and its node stays',
    machine: worker(),
    world: { keptBy: 'TalosCluster prod' },
  },
  {
    title: 'that was imported goes, and runs on',
    machine: worker({ [ADOPTED]: 'true' }),
  },
  {
    title: 'that was imported, and configured here since, is reset',
    machine: worker({ [ADOPTED]: 'true', [CONFIG_TRIED]: 'x 1 2030-01-01T00:00:00Z live' }),
    steps: [reset(true)],
    deleting: 'Resetting',
  },
  {
    title: 'without its parent goes',
    machine: worker(),
    world: { parent: { is: 'missing', what: 'TalosWorker pool' } },
  },
  {
    title: 'whose machine another object stands for too goes, and leaves it and its node to that',
    machine: worker(),
    world: { rivals: [twin] },
  },
  {
    title: 'whose machine another object stands for, that lets it go too, has it reset',
    machine: worker(),
    world: { rivals: [{ ...twin, isLettingGo: true }] },
    steps: [reset(true)],
    deleting: 'Resetting',
  },
  {
    title: 'whose machine waits for a configuration goes, if it was reset',
    machine: worker({ [RESET_ACCEPTED]: ago(0) }),
    world: { seen: aWaiting(), node: undefined },
  },
  {
    title: 'whose machine waits all the time goes',
    machine: worker({}, leavingFor(1)),
    world: { seen: aWaiting(), node: undefined },
  },
  {
    title: 'whose machine waits may have been given its configuration a moment ago',
    machine: worker(),
    world: { seen: aWaiting(), node: undefined },
    deleting: 'WatchingMachine',
  },
  {
    title: 'whose machine waits is not let go a moment too early',
    machine: worker({}, leavingFor(0.99)),
    world: { seen: aWaiting(), node: undefined },
    deleting: 'WatchingMachine',
  },
  {
    title: 'whose machine waits, and still has a node, takes that out first',
    machine: worker({}, leavingFor(1)),
    world: { seen: aWaiting() },
    steps: [deleteNode],
    deleting: 'RemovingNode',
  },
  {
    title: 'waits while nobody can tell whether there is a node left',
    machine: worker({}, leavingFor(1)),
    world: { seen: aWaiting(), node: undefined, areNodesKnown: false },
    deleting: 'RemovingNode',
  },
  {
    title: 'does not wait for the nodes of a cluster that never began',
    machine: worker({}, leavingFor(1)),
    world: { seen: aWaiting(), node: undefined, areNodesKnown: false, parent: unbegun },
  },
  {
    title: 'does not care for nodes when the whole cluster goes',
    machine: controlPlane({ [RESET_ACCEPTED]: ago(0) }),
    world: { seen: aWaiting(), parent: goes },
  },
  {
    title: 'of a control plane that is not the first to go waits for the workers',
    machine: controlPlane(),
    world: { parent: goesLater },
    deleting: 'WorkersRemain',
  },
  {
    title: 'at whose address another machine waits does not take that for its own',
    machine: worker(),
    world: { seen: aWaiting({ uuid: OTHER_UUID }), node: undefined },
    deleting: 'ResetBlocked',
  },
  {
    title: 'of a control plane that stays leaves etcd first',
    machine: controlPlane(),
    world: { node: aNode() },
    deleting: 'LeavingEtcd',
  },
  {
    title: 'of a control plane that stays leaves etcd first, also if it was wiped by hand',
    machine: controlPlane(),
    world: { seen: aWaiting(), node: undefined },
    deleting: 'LeavingEtcd',
  },
  {
    title: 'of a control plane that stays is drained when it may go',
    machine: controlPlane({ [MAY_GO]: 'true' }),
    world: { node: aNode() },
    steps: [cordon],
    deleting: 'Draining',
  },
  {
    title: 'of a control plane that stays says when it is drained',
    machine: controlPlane({ [MAY_GO]: 'true' }),
    deleting: 'Drained',
  },
  {
    title: 'of a control plane that stays is not drained when it is off',
    machine: controlPlane({ [MAY_GO]: 'true' }),
    world: { seen: silent },
    deleting: 'Drained',
  },
  {
    title: 'of a control plane that has to stay after all takes pods again',
    machine: controlPlane(),
    steps: [{ do: 'uncordon', node: 'cp-1', uid: 'uid-of-node' }],
    deleting: 'LeavingEtcd',
  },
  {
    title: 'of a control plane that has to stay waits for an API that takes the cordon away',
    machine: controlPlane(),
    world: { areNodesKnown: false },
    deleting: 'LeavingEtcd',
  },
  {
    title: 'of a control plane that stays is drained before it is reset, if it left etcd without',
    machine: controlPlane({ [ETCD_LEFT]: 'true' }),
    world: { node: aNode() },
    steps: [cordon],
    deleting: 'Draining',
  },
  {
    title: 'of a control plane that stays is reset when it is out of etcd',
    machine: controlPlane({ [ETCD_LEFT]: 'true' }),
    steps: [reset(true)],
    deleting: 'Resetting',
  },
  {
    title: 'of a control plane that stays does not wait to be let out of an etcd that is no more',
    machine: controlPlane({ [ETCD_LEFT]: 'true', [ETCD_FORGOTTEN]: '00000000000000aa' }),
    steps: [reset(false)],
    deleting: 'Resetting',
  },
  {
    title: 'of a control plane that stays leaves the etcd that it joined since it was forgotten',
    machine: controlPlane({ [ETCD_LEFT]: 'true', [ETCD_FORGOTTEN]: 'another' }),
    steps: [reset(true)],
    deleting: 'Resetting',
  },
  {
    title: 'that has been off for long loses its node, which nobody needs any more',
    machine: silentFor(6),
    world: { seen: silent, node: aNode({ ready: false }) },
    steps: [deleteNode],
    deleting: 'RemovingNode',
  },
  {
    title: 'that has been off for a moment keeps its node',
    machine: silentFor(1),
    world: { seen: silent, node: aNode({ ready: false }) },
    deleting: 'ResetBlocked',
  },
  {
    title: 'that is off keeps its node while that is well',
    machine: silentFor(6),
    world: { seen: silent, node: aNode() },
    deleting: 'ResetBlocked',
  },
  {
    title: 'of a control plane that goes is reset without leaving etcd first',
    machine: controlPlane(),
    world: { parent: goes },
    steps: [reset(false)],
    deleting: 'Resetting',
  },
  {
    title: 'of a pool is drained first',
    machine: worker(),
    world: { node: aNode() },
    steps: [cordon],
    deleting: 'Draining',
  },
  {
    title: 'of a pool waits while the API of its cluster does not answer',
    machine: worker(),
    world: { areNodesKnown: false },
    deleting: 'Draining',
  },
  {
    title: 'of a pool is reset when its node is drained',
    machine: worker(),
    steps: [reset(true)],
    deleting: 'Resetting',
  },
  {
    title: 'at whose address another machine of the cluster is does not reset that',
    machine: worker(),
    world: { seen: aMember({ uuid: OTHER_UUID }) },
    deleting: 'ResetBlocked',
  },
  {
    title: 'at whose address a stranger is does not reset that',
    machine: worker(),
    world: { seen: { is: 'stranger', mismatch: 'another-cluster', message: 'who?' } },
    deleting: 'ResetBlocked',
  },
  {
    title: 'that does not answer says so and waits',
    machine: worker(),
    world: { seen: silent },
    deleting: 'ResetBlocked',
  },
  {
    title: 'that nobody can ask says so and waits',
    machine: worker(),
    world: { seen: { is: 'unasked' } },
    deleting: 'ResetBlocked',
  },
  {
    title: 'that accepted a moment ago is not asked again',
    machine: worker({ [RESET_ACCEPTED]: ago(1) }),
    deleting: 'Resetting',
  },
  {
    title: 'that accepted a moment ago may be silent',
    machine: worker({ [RESET_ACCEPTED]: ago(1) }),
    world: { seen: silent },
    deleting: 'Resetting',
  },
  {
    title: 'that accepted and is silent for long has no system any more, and goes',
    machine: worker({ [RESET_ACCEPTED]: ago(6) }),
    world: { seen: silent, node: undefined },
  },
  {
    title: 'that accepted, and whose keys are gone since, goes',
    machine: controlPlane({ [RESET_ACCEPTED]: ago(6) }),
    world: { seen: { is: 'unasked' }, parent: goes },
  },
  {
    title: 'that accepted, and at whose address another machine is since, goes',
    machine: worker({ [RESET_ACCEPTED]: ago(6) }),
    world: { seen: aMember({ uuid: OTHER_UUID }), node: undefined },
  },
  {
    title: 'that accepted and answers as if nothing had been is asked again',
    machine: worker({ [RESET_ACCEPTED]: ago(6) }),
    steps: [reset(true)],
    deleting: 'Resetting',
  },
  {
    title: 'whose parent only the API shows stays as it is',
    machine: worker(),
    world: { parent: { is: 'unseen', what: 'TalosWorker pool' }, seen: { is: 'unasked' } },
    deleting: 'WaitingForView',
  },
  {
    title: 'that the API has otherwise than the cache stays as it is',
    machine: worker(),
    world: { isOld: true },
    deleting: 'WaitingForView',
  },
  {
    title: 'with a moment of acceptance that is none is asked',
    machine: worker({ [RESET_ACCEPTED]: 'yesterday' }),
    steps: [reset(true)],
    deleting: 'Resetting',
  },
]

const decide = (machine: Machine, world?: Partial<World>) =>
  teardown(machine, aWorld({ parent: stays, ...drained, ...world }), NOW)

describe('a machine object that is deleted', () => {
  test.each(cases)('$title', ({ machine, world, steps = [], deleting }) => {
    const decided = decide(machine, world)

    expect(
      'finished' in decided
        ? { steps: [], deleting: undefined }
        : { steps: decided.steps, deleting: decided.conditions.Deleting?.reason },
    ).toEqual({ steps, deleting })
  })

  test.each(cases)('$title, and no machine but the claimed one is reset', ({ machine, world }) => {
    const decided = decide(machine, world)
    const steps = 'finished' in decided ? [] : decided.steps

    expect(steps.filter((step) => step.do === 'reset' && step.uuid !== UUID)).toEqual([])
  })

  test('is spoken of by every rule in one of these', () => {
    const spoken = cases.map(({ machine, world }) =>
      leavingRules.findIndex((rule) =>
        rule(machine, aWorld({ parent: stays, ...drained, ...world }), NOW),
      ),
    )

    expect([...new Set(spoken)].sort((a, b) => a - b)).toEqual(leavingRules.map((_, at) => at))
  })

  test('that no rule speaks of is an error, and does not go', () => {
    expect(() => teardownBy([])(worker(), aWorld(), NOW)).toThrow('no rule')
  })
})

const waits = cases.filter(({ deleting, steps }) => deleting && deleting !== 'Resetting' && !steps)

test.each(waits)('that $title names the way out', ({ machine, world }) => {
  const decided = decide(machine, world)
  if ('finished' in decided) throw new Error('it should wait')
  const { Deleting, Ready } = decided.conditions

  expect(Deleting).toMatchObject({ ok: true })
  expect(Deleting?.message).toContain(
    `annotate TalosMachine ${machine.metadata.name} with ${FORCE_DELETION}=true`,
  )
  expect(Ready).toMatchObject({ ok: false, message: Deleting?.message })
  expect(decided.wakeAt?.getTime()).toBeGreaterThan(NOW.getTime())
})

test('keeps the name of its node in mind after it was wiped', () => {
  const machine = worker({ [RESET_ACCEPTED]: ago(0) }, { status: { hostname: 'worker-1' } })
  const decided = decide(machine, { seen: aWaiting(), node: undefined, areNodesKnown: false })

  expect(decided).toMatchObject({ status: { hostname: 'worker-1', stage: 'maintenance' } })
  expect(decide(machine, { node: aNode({ name: 'x' }), seen: aWaiting() })).toMatchObject({
    steps: [{ do: 'deleteNode', node: 'x' }],
  })
})

test.each([
  ['answers', {}, { ok: true, reason: 'Answers' }],
  ['does not answer', { seen: silent }, { ok: false, reason: 'Unreachable' }],
  [
    'cannot be asked',
    { seen: { is: 'unasked' as const } },
    { ok: 'unknown' as const, reason: 'NotAsked' },
  ],
])('whose machine %s says so', (_what, world, Reachable) => {
  expect(decide(worker(), world)).toMatchObject({ conditions: { Reachable } })
})

test('warns of a reset that is blocked when it begins to be, and of nothing that goes on', () => {
  const blocked = decide(worker(), { seen: silent })
  const before = worker({}, leavingFor(1, 'ResetBlocked'))

  expect(blocked).toMatchObject({
    notices: [
      {
        ...{ type: 'Warning', reason: 'ResetBlocked', hasHappened: true },
        message: expect.stringContaining('does not answer: no route'),
      },
    ],
  })
  expect(decide(before, { seen: silent })).toMatchObject({ notices: [] })
  expect(decide(worker())).toMatchObject({ notices: [] })
})

test('warns of a drain that was in vain, when it has been', () => {
  const drain = { by: worker().metadata.uid ?? '', since: ago(11), cordoned: true, stopped: ago(1) }
  const node = aNode({ drain })
  const before = worker({}, leavingFor(1, 'DrainBlocked'))

  expect(decide(worker(), { node })).toMatchObject({
    notices: [{ type: 'Warning', reason: 'DrainBlocked', hasHappened: true }],
  })
  expect(decide(before, { node })).toMatchObject({ notices: [] })
})
