import { expect, test } from 'vitest'
import { MACHINE_UUID, RECONCILE_MODE } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { World } from '#controllers/worker/world.ts'
import { aMachine, aWorker } from '#test/builders.ts'
import { drainBlocked, removeSurplus, silentStay } from './removal.ts'

const condition = (type: string, isSo: boolean) => ({
  ...{ type, status: isSo ? ('True' as const) : ('False' as const), reason: 'Tested', message: '' },
  lastTransitionTime: '2030-01-01T00:00:00Z',
})
const machine = (name: string, { isUp = true, isLeaving = false, says = '' } = {}): Machine =>
  aMachine({
    metadata: {
      ...{ name, uid: name, annotations: { [MACHINE_UUID]: name } },
      ...(isLeaving && { deletionTimestamp: '2030-01-01T00:00:00Z' }),
    },
    status: {
      conditions: [
        ...[condition('Ready', isUp), condition('Reachable', isUp)],
        { ...condition('Deleting', isLeaving), reason: says, message: `it says ${says}` },
      ],
    },
  })

/** One that is well, and only waits to be changed, if that is what it says. */
const pending = (name: string, reason = 'ConfigPending'): Machine => {
  const { status, ...rest } = machine(name)
  const conditions = [{ ...condition('Ready', false), reason }, condition('Reachable', true)]
  return { ...rest, status: { ...status, conditions } }
}
const OLD = {
  metadata: { ...machine('b').metadata, generation: 2 },
  status: { ...machine('b').status, observedGeneration: 1 },
}
const leftAlone: Machine = {
  ...{ ...machine('b'), ...OLD },
  metadata: { ...OLD.metadata, annotations: { [RECONCILE_MODE]: 'disable' } },
}
const blocked = machine('a', { isLeaving: true, says: 'DrainBlocked' })

interface Given {
  known?: Machine[]
  maxUnavailable?: number | string
  isOld?: boolean
  /** Who has a turn, by uid. */
  held?: string[]
}

const worldOf = (
  surplus: Machine[],
  { known = [machine('stays')], isOld = false, held = [] }: Given = {},
): World => {
  const none = { missing: [], changed: [], same: [], taken: [], waiting: [] }
  const pool = { ...none, known, surplus }
  return {
    ...{ controlPlane: undefined, machines: [...known, ...surplus], pool, isOld },
    elsewhere: [],
    unasked: [],
    rejecting: [],
    turns: {
      turns: { last: 1, held: held.map((uid) => ({ id: 1, machine: uid, uid })) },
      gone: new Set(),
    },
    isControlPlaneReady: true,
    isKubernetesMoving: false,
    mayKubeletsMove: false,
    ...{ unresolved: undefined, problem: undefined, warnings: [], means: {} },
    config: { name: 'pool-config', due: undefined },
  }
}

const decided = (surplus: Machine[], given: Given = {}) => {
  const { maxUnavailable = 1 } = given
  const world = worldOf(surplus, given)
  const rolloutStrategy = { type: 'RollingUpdate' as const, rollingUpdate: { maxUnavailable } }
  const { steps = [], ready } = removeSurplus(aWorker({ spec: { rolloutStrategy } }), world) ?? {}
  return [steps.map((step) => ('machine' in step ? step.machine : '')), ready?.reason]
}

test.each<[string, ReturnType<typeof decided>, [string[], string | undefined]]>([
  ['nothing is too much', decided([]), [[], undefined]],
  ['one of two goes', decided([machine('a'), machine('b')]), [['a'], 'RemovingMachines']],
  [
    'as many go as may be down',
    decided([machine('a'), machine('b')], { maxUnavailable: '100%' }),
    [['a', 'b'], 'RemovingMachines'],
  ],
  [
    'one is on its way, and the next one waits',
    decided([machine('a', { isLeaving: true }), machine('b')]),
    [[], 'RemovingMachines'],
  ],
  [
    'one cannot be drained, and the next one waits',
    decided([blocked, machine('b')]),
    [[], undefined],
  ],
  [
    'those that are off go at once, and count for nothing',
    decided([machine('a', { isUp: false }), machine('b', { isUp: false }), machine('c')]),
    [['a', 'b', 'c'], 'RemovingMachines'],
  ],
  [
    'whoever replaces it is not there yet',
    decided([machine('a')], { known: [machine('new', { isUp: false })] }),
    [[], undefined],
  ],
  [
    'those that stay only wait to be changed',
    decided([machine('a')], { known: [pending('b'), pending('c', 'UpgradePending')] }),
    [['a'], 'RemovingMachines'],
  ],
  [
    'one that stays cannot be changed',
    decided([machine('a')], { known: [pending('b'), pending('c', 'UpgradeFailed')] }),
    [[], undefined],
  ],
  [
    'one that stays says what it did of an older spec',
    decided([machine('a')], { known: [{ ...machine('b'), ...OLD }] }),
    [[], undefined],
  ],
  [
    'one that stays is left alone, and says nothing of the spec that it has now',
    decided([machine('a')], { known: [leftAlone] }),
    [['a'], 'RemovingMachines'],
  ],
  [
    'one that stays is about to be changed',
    decided([machine('a')], { known: [pending('b')], held: ['b'], maxUnavailable: 2 }),
    [[], undefined],
  ],
  [
    'only one is about to be changed that goes',
    decided([machine('a')], { known: [pending('b')], held: ['a'] }),
    [['a'], 'RemovingMachines'],
  ],
  [
    'the spec is another one by now',
    decided([machine('a')], { isOld: true }),
    [[], 'WaitingForView'],
  ],
])('%s', (_what, found, expected) => {
  expect(found).toEqual(expected)
})

/** One that stands for no machine yet, and who answers there. */
const made = (isUp: boolean, reason = 'Tested', uuid?: string): Machine =>
  aMachine({
    metadata: { name: 'made' },
    spec: { endpoint: '192.0.2.9', ...(uuid && { uuid }) },
    status: {
      ...(isUp && { uuid: 'new' }),
      conditions: [{ ...condition('Reachable', isUp), reason }, condition('Ready', false)],
    },
  })

test('those that are off stay until it is known who is at a new address, and go when that is another', () => {
  const off = [machine('a', { isUp: false })]
  const all = [machine('a'), ...off]

  expect(decided(off, { known: [made(false)] })).toEqual([[], undefined])
  expect(decided(all, { known: [made(false)] })).toEqual([[], undefined])
  expect(silentStay(worldOf(off, { known: [made(false)] }).pool)).toMatchObject({
    ...{ ok: false, reason: 'WaitingForMachines' },
    message:
      'a does not work, and is in the spec no more. It stays until it is known who answers at 192.0.2.9, because it may have moved there. made: . Switch the machine on, name it by uuid in its entry, or take that out',
  })
  for (const known of [made(true), made(false, 'NotInMaintenance'), made(false, '', 'named')]) {
    expect(decided(off, { known: [known] })).toEqual([['a'], 'RemovingMachines'])
    expect(silentStay(worldOf(off, { known: [known] }).pool)).toBeUndefined()
  }
  expect(silentStay(worldOf([machine('a')], { known: [made(false)] }).pool)).toBeUndefined()
})

test('a machine that cannot be drained is told of, with what to do', () => {
  expect(drainBlocked(aWorker(), worldOf([]))).toBeUndefined()
  expect(drainBlocked(aWorker(), worldOf([blocked, machine('b')]))).toMatchObject({
    ready: { ok: false, reason: 'DrainBlocked', message: 'a: it says DrainBlocked' },
  })
})
