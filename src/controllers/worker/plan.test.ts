import { describe, expect, test } from 'vitest'
import { CLUSTER_ID, FORCE_DELETION, MACHINE_UUID, RECONCILE_MODE } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import type { MachineDraft } from '#engine/pool.ts'
import { aControlPlane, aWorker, aWorkerMachine } from '#test/builders.ts'
import { plan, planBy, rules, teardown } from './plan.ts'
import type { World } from './world.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const LEAVING = { deletionTimestamp: '2030-01-01T00:00:00Z' }

const CONFIGURED = aWorkerMachine({ metadata: { annotations: { [MACHINE_UUID]: 'uuid-1' } } })
const aReady = (isReady = true): Machine =>
  aWorkerMachine({
    status: {
      conditions: [
        {
          ...{ type: 'Ready', status: isReady ? 'True' : 'False', reason: 'Tested' },
          ...{ message: 'no answer', lastTransitionTime: '2030-01-01T00:00:00Z' },
        },
      ],
    },
  })

const OLD_KUBELET = aReady()

const joined = (annotations: Record<string, string> = { [CLUSTER_ID]: 'id-1' }, more = {}) =>
  aControlPlane({ metadata: { annotations, ...more } })

const aWorld = (over: Partial<World> = {}): World => ({
  controlPlane: joined(),
  machines: [aReady()],
  elsewhere: [],
  unasked: [],
  rejecting: [],
  pool: { missing: [], changed: [], same: [], known: [], surplus: [], taken: [], waiting: [] },
  isOld: false,
  turns: { turns: { last: 0, held: [] }, gone: new Set() },
  isControlPlaneReady: true,
  isKubernetesMoving: false,
  mayKubeletsMove: false,
  unresolved: undefined,
  problem: undefined,
  warnings: [],
  config: { name: 'pool-config', due: undefined },
  means: {},
  ...over,
})

const draft = (): MachineDraft => {
  const { spec, metadata, apiVersion, kind } = aWorkerMachine()
  if (!spec) throw new Error('it has one')
  return { apiVersion, kind, metadata, spec }
}

const { pool } = aWorld()
const unresolved = { reason: 'WaitingForAddress', message: 'not there' }
const seen = (over: Partial<World>, worker: Worker = aWorker()) => {
  const { steps, status, conditions } = plan(worker, aWorld(over), NOW)
  return [steps.map((step) => step.do), status.state, conditions.Ready?.reason]
}

test('what a pool that runs was stays, while nobody has anything to say of its machines', () => {
  const running = aWorker({ status: { state: 'Ready' } })
  const problem = { reason: 'ConfigInvalid' as const, message: 'x' }

  expect(seen({ problem }, running)).toEqual([[], 'Ready', 'ConfigInvalid'])
  expect(seen({ controlPlane: joined({}, LEAVING) }, running)).toEqual([
    ...[[], 'Ready', 'ControlPlaneLeaving'],
  ])
})

describe('what follows for a pool, in this order', () => {
  test.each<[string, unknown[], unknown[]]>([
    [
      'it is to be imported, and what it joins does not run',
      seen({}, aWorker({ metadata: { annotations: { [RECONCILE_MODE]: 'import' } } })),
      [[], undefined, 'Importing'],
    ],
    [
      'containers are not built',
      seen({}, aWorker({ spec: { mode: 'container' } })),
      [[], undefined, 'NotSupportedYet'],
    ],
    [
      'nobody says what it joins',
      seen({}, aWorker({ spec: { controlPlaneRef: { name: '' } } })),
      [[], undefined, 'ControlPlaneNotSet'],
    ],
    [
      'what it joins is not there',
      seen({ controlPlane: undefined }),
      [[], undefined, 'ControlPlaneNotFound'],
    ],
    [
      'what it joins is leaving',
      seen({ controlPlane: joined({}, LEAVING) }),
      [[], undefined, 'ControlPlaneLeaving'],
    ],
    [
      'what it joins has no secrets yet',
      seen({ controlPlane: joined({}), pool: { ...pool, missing: [draft()] } }),
      [[], undefined, 'SecretBundleNotFound'],
    ],
    [
      'input is wrong',
      seen({
        problem: { reason: 'ConfigInvalid', message: 'x' },
        pool: { ...pool, missing: [draft()] },
      }),
      [[], undefined, 'ConfigInvalid'],
    ],
    [
      'machines are made',
      seen({ pool: { ...pool, missing: [draft()] }, unresolved }),
      [['createMachine'], 'Pending', 'CreatingMachines'],
    ],
    [
      'machines are changed',
      seen({
        pool: { ...pool, changed: [{ machine: aReady(), draft: draft(), differs: ['version'] }] },
      }),
      [['updateMachine'], 'Pending', 'CreatingMachines'],
    ],
    ['an address is waited for', seen({ unresolved }), [[], 'Pending', 'WaitingForAddress']],
    [
      'a machine is too much',
      seen({ pool: { ...pool, surplus: [CONFIGURED] } }),
      [['removeMachine'], 'Pending', 'RemovingMachines'],
    ],
    [
      'a name is taken',
      seen({ pool: { ...pool, taken: [{ draft: draft(), machine: aReady() }] } }),
      [[], 'Pending', 'MachineNameTaken'],
    ],
    [
      'its configuration is shown',
      seen({ config: { name: 'pool-config', due: 'create' } }),
      [['writeConfig'], 'Ready', undefined],
    ],
    [
      'a machine is not ready',
      seen({ machines: [aReady(false)] }),
      [[], 'Pending', 'MachinesNotReady'],
    ],
    [
      'a machine is ready with the kubelet before',
      seen({ machines: [OLD_KUBELET], unasked: [OLD_KUBELET] }),
      [[], 'Pending', 'MachinesNotReady'],
    ],
    ['it has no machines, and none are wanted', seen({ machines: [] }), [[], 'Ready', undefined]],
    ['all is well', seen({}), [[], 'Ready', undefined]],
  ])('%s', (_title, decided, expected) => {
    expect(decided).toEqual(expected)
  })

  test('a world that no rule speaks of is a mistake of ours, and not taken for ready', () => {
    expect(() => planBy([])(aWorker(), aWorld(), NOW)).toThrow('no rule')
    expect(rules.at(-1)?.(aWorker(), aWorld())).toEqual({ state: 'Ready' })
  })

  test('a machine that is ready with the kubelet before is said to be looked at still', () => {
    const world = aWorld({ machines: [OLD_KUBELET], unasked: [OLD_KUBELET] })

    expect(plan(aWorker(), world, NOW).conditions.Ready?.message).toBe(
      `${OLD_KUBELET.metadata.name}: not looked at since its spec changed`,
    )
  })

  test('the Secret of somebody else is told of, and stops nothing', () => {
    const { notices, steps } = plan(
      aWorker(),
      aWorld({ config: { name: 'pool-config', due: 'taken' } }),
      NOW,
    )
    expect([notices?.map(({ reason }) => reason), steps]).toEqual([['SecretNameTaken'], []])
  })

  test('it is looked at again on its own only where addresses are those of other objects', () => {
    const wake = (over: Partial<World>, worker = aWorker()) =>
      plan(worker, aWorld(over), NOW).wakeAt
    const machines = [{ machineRef: { kind: 'Host', name: 'a' } }]
    const referring = aWorker({ spec: { metalSpec: { machines } } })
    expect(wake({})).toBeUndefined()
    expect(wake({}, referring)).toEqual(new Date(NOW.getTime() + 60_000))
    expect(wake({ unresolved }, referring)).toEqual(new Date(NOW.getTime() + 5_000))
  })

  test('it is looked at again while its spec is wrong, because another object may mend that', () => {
    const problem = { reason: 'ConfigRefMissing' as const, message: 'not there' }
    const { wakeAt } = plan(aWorker(), aWorld({ problem }), NOW)
    expect(wakeAt).toEqual(new Date(NOW.getTime() + 60_000))
  })

  test('there is something to take down once there are machines', () => {
    const needs = (over: Partial<World>) => plan(aWorker(), aWorld(over), NOW).needsTeardown
    expect(needs({ machines: [], controlPlane: undefined })).toBe(false)
    expect(needs({ machines: [], pool: { ...pool, missing: [draft()] } })).toBe(true)
    expect(needs({ controlPlane: undefined })).toBe(true)
  })
})

describe('the end of a pool', () => {
  const stepsOf = (over: Partial<World>, annotations: Record<string, string> = {}) => {
    const decided = teardown(aWorker({ metadata: { annotations, ...LEAVING } }), aWorld(over))
    return decided === 'finished' ? decided : decided.steps.map((step) => step.do)
  }

  test('all of its machines go at once, and it with the last of them', () => {
    const going = aWorkerMachine({ metadata: { name: 'pool-2', ...LEAVING } })
    expect(stepsOf({ machines: [aReady(), going] })).toEqual(['removeMachine'])
    expect(stepsOf({ machines: [going] })).toEqual([])
    expect(stepsOf({ machines: [] })).toBe('finished')
  })

  test('that its machines are to be kept reaches them before the deletion does', () => {
    const spec = { deletionPolicy: 'preserve' as const }
    expect(teardown(aWorker({ metadata: LEAVING, spec }), aWorld())).toMatchObject({
      steps: [{ do: 'keepMachine' }, { do: 'removeMachine' }],
    })
  })

  test('it does not matter that its control plane is gone', () => {
    expect(stepsOf({ controlPlane: undefined })).toEqual(['removeMachine'])
  })

  test('force reaches the machines before the deletion does', () => {
    expect(stepsOf({}, { [FORCE_DELETION]: 'true' })).toEqual(['forceMachine', 'removeMachine'])
  })
})
