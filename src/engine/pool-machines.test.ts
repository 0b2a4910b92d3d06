import { describe, expect, test } from 'vitest'
import { FORCE_DELETION, MACHINE_UUID, RECONCILE_MODE, RESET_ACCEPTED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { aWriter } from '#test/a-writer.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { type MachineDraft, machineDraft } from './pool.ts'
import {
  isTrue,
  judgedBy,
  leavingSteps,
  machineActs,
  machineSteps,
  machinesInTheWay,
  machineWords,
  partingSteps,
  toBeRemoved,
  whatBlocks,
  whatIsMissing,
} from './pool-machines.ts'
import type { MachinePlan } from './pool-plan.ts'

const NOTHING: MachinePlan = {
  ...{ missing: [], changed: [], same: [], known: [], surplus: [], taken: [], waiting: [] },
}

function draftAt(address: string): MachineDraft {
  const draft = machineDraft(aControlPlane(), { address }, address)
  if (!draft) throw new Error('it has a spec')
  return draft
}

const draft = draftAt('192.0.2.1')
/** By us, and by an older operator. */
const CONFIGURED = [
  aMachine({ metadata: { annotations: { [MACHINE_UUID]: 'uuid-1' } } }),
  aMachine({ status: { config: 'old' } }),
]
const saying = (name: string, type: string, said: string | false): Machine =>
  aMachine({
    metadata: { name },
    status: {
      conditions: [
        {
          ...{ type, status: said === false ? 'False' : 'True', reason: 'Tested' },
          message: said || 'no answer',
          lastTransitionTime: '2030-01-01T00:00:00Z',
        },
      ],
    },
  })

describe('what makes machines those that are wanted', () => {
  test('first those that are missing, then those that are otherwise; none goes', () => {
    const changed = [{ machine: aMachine(), draft, differs: ['version' as const] }]
    const missing = [draftAt('192.0.2.2')]
    expect(machineSteps({ ...NOTHING, missing, changed, surplus: CONFIGURED })).toEqual([
      { do: 'createMachine', machine: 'prod-192.0.2.2', address: '192.0.2.2' },
      { do: 'updateMachine', machine: 'prod-192.0.2.1', fields: ['version'] },
    ])
  })

  test('one that never had its configuration goes with its entry, once', () => {
    const wrong = aMachine({ metadata: { name: 'wrong', uid: 'u1' } })
    const leaving = aMachine({ metadata: { name: 'gone', deletionTimestamp: '2030-01-01' } })
    const plan = { ...NOTHING, surplus: [wrong, leaving, ...CONFIGURED] }
    expect(machineSteps(plan)).toMatchObject([{ do: 'removeMachine', machine: 'wrong', uid: 'u1' }])
    expect(machinesInTheWay({ ...NOTHING, surplus: [wrong, leaving] })).toBeUndefined()
  })

  test.each([
    [{ taken: [{ draft, machine: aMachine() }], surplus: CONFIGURED }, 'MachineNameTaken'],
    [{ surplus: CONFIGURED }, 'TakingOver'],
    [{}, undefined],
  ])('what is in the way of it is said: %#', (plan, reason) => {
    expect(machinesInTheWay({ ...NOTHING, ...plan })?.reason).toBe(reason)
  })

  test('a name that a machine of the same parent kept when it moved is told with what to do', () => {
    const saidOf = (machine: Machine) =>
      machinesInTheWay({ ...NOTHING, taken: [{ draft, machine }] })?.message
    const moved = aMachine({ spec: { endpoint: '192.0.2.9' } })

    expect(saidOf(moved)).toMatch(
      /^TalosMachine prod-192\.0\.2\.1 is there and stands for the machine at 192\.0\.2\.9, which was at 192\.0\.2\.1 before.*write its uuid into the entry/,
    )
    expect(saidOf(aMachine({ spec: { workerRef: { name: 'pool' } } }))).toBe(
      'TalosMachine prod-192.0.2.1 is there and belongs to another: take the machine out of one of the two',
    )
  })

  test('one is created as it was planned, and no other', async () => {
    const { write, written } = aWriter()
    const world = { pool: { ...NOTHING, missing: [draft, draftAt('192.0.2.2')] } }
    await machineActs.createMachine({ machine: 'prod-192.0.2.2' }, { world, write })
    expect(written).toEqual([{ how: 'create', name: 'prod-192.0.2.2', what: draftAt('192.0.2.2') }])
    expect(() => machineActs.createMachine({ machine: 'other' }, { world, write })).toThrow(
      'not of this look',
    )
  })

  test('one that says more than is wanted after it was applied loses the rest', async () => {
    const world = { pool: { ...NOTHING, changed: [{ machine: aMachine(), draft, differs: [] }] } }
    const machine = draft.metadata.name
    const there = { ...aMachine(), spec: draft.spec }
    const settled = aWriter(there)
    await machineActs.updateMachine({ machine }, { world, write: settled.write })
    expect(settled.written.map(({ how }) => how)).toEqual(['apply'])
    const more = aWriter({
      ...there,
      spec: { ...draft.spec, configRef: { name: 'old', key: 'k' } },
    })
    await machineActs.updateMachine({ machine }, { world, write: more.write })
    expect(more.written).toMatchObject([
      { how: 'apply' },
      {
        how: 'patch',
        what: {
          type: 'json',
          body: [
            { op: 'test', path: '/metadata/uid', value: aMachine().metadata.uid },
            { op: 'replace', path: '/spec', value: draft.spec },
          ],
        },
      },
    ])
  })
})

test('those that run and are in the spec no more are to go, and are not waited for once they do', () => {
  const wrong = aMachine({ metadata: { name: 'wrong' } })
  const first = aMachine({ metadata: { annotations: { [MACHINE_UUID]: 'uuid-1' } } })
  const leaving = { ...first, metadata: { ...first.metadata, deletionTimestamp: '2030-01-01' } }
  const plan = { ...NOTHING, surplus: [wrong, leaving, first] }

  expect(toBeRemoved(plan)).toEqual([first])
  expect(judgedBy([leaving, first, wrong], plan)).toEqual([first, wrong])
  expect(judgedBy([leaving], NOTHING)).toEqual([leaving])
})

describe('what lets machines go', () => {
  const TOLD = { annotations: { [RESET_ACCEPTED]: '2030-01-01T00:00:00Z' } }
  const gone = aMachine({ metadata: { name: 'b', deletionTimestamp: '2030-01-01T00:00:00Z' } })
  const forced = aMachine({ metadata: { name: 'c', annotations: { [FORCE_DELETION]: 'true' } } })

  test('those that are not on their way are deleted, each by the object that was seen', () => {
    expect(leavingSteps([aMachine(), gone], false)).toEqual([
      {
        ...{ do: 'removeMachine', machine: 'prod-192.0.2.1', uid: aMachine().metadata.uid },
      },
    ])
  })

  test('that a machine goes on running, as its deletionPolicy says, is said', () => {
    const kept = aMachine({ spec: { deletionPolicy: 'preserve' } })
    const preserved = 'because deletionPolicy is preserve'
    expect(leavingSteps([kept], false)).toMatchObject([{ do: 'removeMachine', kept: preserved }])
    expect(machineWords.removeMachine({ machine: 'm', kept: preserved }).deed).toBe(
      'delete TalosMachine m, whose machine is not reset and goes on running, because deletionPolicy is preserve',
    )
  })

  test('one that is to be kept is said so before it goes, of the object that was seen and of no other', async () => {
    const kept = aMachine({ metadata: { name: 'b', uid: 'u' } })
    const steps = machineSteps({ ...NOTHING, surplus: [kept], spared: [kept] })
    const { write, written } = aWriter()
    await machineActs.keepMachine({ machine: 'b', uid: 'u' }, { world: { pool: NOTHING }, write })

    expect(steps[0]).toEqual({ do: 'keepMachine', machine: 'b', uid: 'u' })
    expect(written).toMatchObject([
      { what: { body: { metadata: { uid: 'u' }, spec: { deletionPolicy: 'preserve' } } } },
    ])
    expect(machineWords.keepMachine({ machine: 'b' }).deed).toContain('keep the machine of')
  })

  test('a parent that goes says what it says of its machines before they do, but for one that is being wiped', () => {
    const [first, told] = [aMachine(), aMachine({ metadata: { name: 'd', ...TOLD } })]
    const kept = aMachine({ metadata: { name: 'e' }, spec: { deletionPolicy: 'preserve' } })
    const keeping = aControlPlane({ spec: { deletionPolicy: 'preserve' } })
    const preserved = 'because deletionPolicy is preserve'

    expect(partingSteps(keeping, [first, gone, told, kept])).toMatchObject([
      { do: 'keepMachine', machine: 'prod-192.0.2.1', uid: first.metadata.uid },
      { do: 'keepMachine', machine: 'b' },
      { do: 'removeMachine', machine: 'prod-192.0.2.1', kept: preserved },
      { do: 'removeMachine', machine: 'd' },
      { do: 'removeMachine', machine: 'e', kept: preserved },
    ])
    expect(partingSteps(aControlPlane(), [first])).toMatchObject([{ do: 'removeMachine' }])
  })

  test('force comes before deletion, for a machine that is only deleted is wiped', () => {
    expect(
      leavingSteps([aMachine(), gone, forced], true).map((one) => [one.do, one.machine]),
    ).toEqual([
      ['forceMachine', 'prod-192.0.2.1'],
      ['forceMachine', 'b'],
      ['removeMachine', 'prod-192.0.2.1'],
      ['removeMachine', 'c'],
    ])
  })

  test('nothing but what is meant is written', async () => {
    const { write, written } = aWriter()
    const on = { world: { pool: NOTHING }, write }
    await machineActs.forceMachine({ machine: 'b' }, on)
    await machineActs.removeMachine({ machine: 'b', uid: 'u' }, on)
    const metadata = { annotations: { [FORCE_DELETION]: 'true' } }
    expect(written).toEqual([
      { how: 'patch', name: 'b', what: { type: 'merge', body: { metadata } } },
      { how: 'remove', name: 'b', what: { uid: 'u' } },
    ])
  })
})

describe('what machines say', () => {
  const machines = [
    saying('b', 'Ready', false),
    saying('a', 'Deleting', 'wiped'),
    saying('c', 'Ready', 'well'),
  ]

  test('those that are not ready say why, by name', () => {
    expect(whatIsMissing(machines)).toBe('a: not looked at yet; b: no answer')
    expect(whatIsMissing([saying('c', 'Ready', 'well')])).toBe('')
  })

  test('those that leave say what they wait for', () => {
    expect(whatBlocks(machines)).toBe('a: wiped; b: not looked at yet; c: not looked at yet')
  })

  test('one that nobody looks at any more says how that ends', () => {
    const held = aMachine({ metadata: { annotations: { [RECONCILE_MODE]: 'disable' } } })
    const how = 'has the reconcile-mode disable: remove that annotation to go on'

    expect(whatBlocks([held])).toBe(`prod-192.0.2.1 ${how}`)
    expect(whatIsMissing([held])).toBe(`prod-192.0.2.1 ${how}`)
  })

  test('a condition holds only if it says so', () => {
    expect(isTrue(saying('a', 'Ready', 'well'), 'Ready')).toBe(true)
    expect(isTrue(saying('a', 'Ready', false), 'Ready')).toBe(false)
    expect(isTrue(aMachine(), 'Ready')).toBe(false)
  })
})

test('steps are told by names', () => {
  expect([
    machineWords.createMachine({ machine: 'm', address: '192.0.2.1' }),
    machineWords.updateMachine({ machine: 'm', fields: ['version', 'labels'] }),
    machineWords.removeMachine({ machine: 'm' }),
    machineWords.forceMachine({ machine: 'm' }),
  ]).toEqual([
    {
      ...{ reason: 'Created', failure: 'FailedCreate' },
      deed: 'create TalosMachine m for 192.0.2.1',
      done: 'TalosMachine m created for 192.0.2.1',
    },
    {
      ...{ reason: 'Updated', failure: 'FailedUpdate' },
      deed: 'update TalosMachine m: version, labels',
      done: 'TalosMachine m updated: version, labels',
    },
    {
      ...{ reason: 'Deleting', failure: 'DeleteFailed' },
      ...{ deed: 'delete TalosMachine m', done: 'TalosMachine m is being deleted' },
    },
    {
      ...{ reason: 'Forced', failure: 'FailedForce' },
      deed: 'let TalosMachine m go without a reset of its machine',
      done: 'TalosMachine m goes without a reset of its machine',
    },
  ])
})
