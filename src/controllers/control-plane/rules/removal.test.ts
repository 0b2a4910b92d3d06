import { describe, expect, test } from 'vitest'
import {
  ADOPTED,
  BOOTSTRAP_MACHINE,
  ETCD_LEFT,
  FORCE_DELETION,
  MAY_GO,
  RECONCILE_MODE,
} from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Decision } from '#controllers/control-plane/decision.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { aControlPlane } from '#test/builders.ts'
import { aBooting, aMember, anUnclaimed, aSilent, aWorld } from '#test/control-plane-world.ts'
import { leaveEtcd, removeSurplus, uncordonStrays } from './removal.ts'

const listing = (...ids: number[]) => ({
  etcdMembers: ids.map((at) => ({
    ...{ id: `${at}`.padStart(16, '0'), name: `cp-${at}`, learner: false },
  })),
})
const well = (at: number) => aMember(at, listing(1, 2, 3))
const [one, two, three] = [well(1), well(2), well(3)]
/** One that is well, and only waits to be changed, if that is what it says. */
const pending = (at: number, reason = 'ConfigPending', { etcdMembers } = listing(1, 2, 3)) =>
  aMember(at, {
    etcdMembers,
    conditions: (well(at).status?.conditions ?? []).map((one) =>
      one.type === 'Ready' ? { ...one, status: 'False' as const, reason } : one,
    ),
  })
const ofTwo = (at: number) => pending(at, 'UpgradePending', listing(1, 2))
const leaving = (machine: Machine, annotations: Record<string, string> = {}): Machine => ({
  ...machine,
  metadata: {
    ...machine.metadata,
    ...{ deletionTimestamp: '2030-01-01T00:00:00Z' },
    annotations: { ...machine.metadata.annotations, ...annotations },
  },
})
const left = (machine: Machine) => leaving(machine, { [ETCD_LEFT]: 'true' })
/** Told to go, let go, and somewhere on its way. */
const letGo = (machine: Machine, reason: string): Machine => {
  const deleting = {
    ...{ type: 'Deleting', status: 'True' as const, reason, message: `it says ${reason}` },
    lastTransitionTime: '2030-01-01T00:00:00Z',
  }
  const going = leaving(machine, { [MAY_GO]: 'true' })
  const conditions = [...(machine.status?.conditions ?? []), deleting]
  return { ...going, status: { ...going.status, conditions } }
}
const drained = (machine: Machine) => letGo(machine, 'Drained')
const blocked = (machine: Machine) => letGo(machine, 'DrainBlocked')

function draftAt(at: number) {
  const { spec, ...draft } = anUnclaimed(at)
  if (!spec) throw new Error('it has one')
  return { ...draft, spec }
}

/** One that stands for no machine yet, and whether it is known who answers there. */
const made = (at: number, isHeard: boolean): Machine =>
  anUnclaimed(at, {
    ...(isHeard && { uuid: `uuid-${at}` }),
    conditions: [
      {
        ...{ type: 'Reachable', status: isHeard ? ('True' as const) : ('False' as const) },
        ...{ reason: 'Tested', message: '', lastTransitionTime: '2030-01-01T00:00:00Z' },
      },
    ],
  })

const said = (decision: Decision | undefined) => [
  (decision?.steps ?? []).map((step) => ('machine' in step ? `${step.do} ${step.machine}` : '')),
  decision?.ready?.reason,
]

describe('a machine that was told to go', () => {
  const IMPORTED = { [ADOPTED]: 'true' }
  const restrained = { [RECONCILE_MODE]: 'disable' }
  const decided = (...machines: Machine[]) =>
    said(
      leaveEtcd(
        aControlPlane({ spec: { endpoint: 'https://vip.example:6443' } }),
        aWorld({ machines }),
      ),
    )

  test.each<[string, ReturnType<typeof decided>, [string[], string | undefined]]>([
    ['is none', decided(one, two, three), [[], undefined]],
    [
      'is drained first',
      decided(one, two, leaving(three)),
      [['letGo prod-192.0.2.3'], 'RemovingMachine'],
    ],
    [
      'is waited for while it is drained',
      decided(one, two, letGo(three, 'Draining')),
      [[], 'RemovingMachine'],
    ],
    [
      'leaves etcd when it is drained',
      decided(one, two, drained(three)),
      [['leaveEtcd prod-192.0.2.3'], 'RemovingMachine'],
    ],
    ['stays if it cannot be drained', decided(one, two, blocked(three)), [[], 'DrainBlocked']],
    [
      'goes before one that cannot be drained',
      decided(one, leaving(two), blocked(three)),
      [['letGo prod-192.0.2.2'], 'RemovingMachine'],
    ],
    [
      'goes after one that is on its way',
      decided(one, leaving(two), letGo(three, 'Draining')),
      [[], 'RemovingMachine'],
    ],
    [
      'is kept back if etcd needs it by now',
      decided(one, drained(two), aSilent(3)),
      [['keepBack prod-192.0.2.2'], 'QuorumWouldBeLost'],
    ],
    [
      'does not wait for one that is out of etcd and cannot be drained',
      decided(one, drained(two), leaving(blocked(three), { [ETCD_LEFT]: 'true' })),
      [['leaveEtcd prod-192.0.2.2'], 'RemovingMachine'],
    ],
    ['is let go if it was imported', decided(one, two, leaving(three, IMPORTED)), [[], undefined]],
    [
      'waits for one that does not answer',
      decided(one, leaving(two), leaving(aSilent(3))),
      [['leaveEtcd prod-192.0.2.3'], 'RemovingMachine'],
    ],
    [
      'waits for one that is being reset',
      decided(one, leaving(two), left(three)),
      [[], 'RemovingMachine'],
    ],
    [
      'waits for nobody who was to be reset and is off',
      decided(one, leaving(two), left(aSilent(3))),
      [[], 'QuorumWouldBeLost'],
    ],
    [
      'lets another one go first that is not needed',
      decided(leaving(one), leaving(two), anUnclaimed(4)),
      [[], 'QuorumWouldBeLost'],
    ],
    ['stays if it is needed', decided(one, leaving(two), aSilent(3)), [[], 'QuorumWouldBeLost']],
    [
      'is left alone if that is what it says',
      decided(one, two, leaving(three, restrained)),
      [[], undefined],
    ],
    ['has left already', decided(one, two, left(three)), [[], undefined]],
    [
      'and goes as it is leaves nothing',
      decided(one, two, leaving(three, { [FORCE_DELETION]: 'true' })),
      [[], undefined],
    ],
    [
      'and was never configured has nothing to leave',
      decided(one, leaving(anUnclaimed(4))),
      [[], undefined],
    ],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected)
  })

  const endpoint = 'https://vip.example:6443'
  const inWorld = (over: Partial<World>, annotations = {}) =>
    said(leaveEtcd(aControlPlane({ metadata: { annotations }, spec: { endpoint } }), aWorld(over)))

  test('gives way to one that is in the spec no more, and in its way', () => {
    const dead = aSilent(3)
    const pool = { ...aWorld().pool, surplus: [dead] }

    expect(inWorld({ machines: [one, leaving(two), dead], pool })).toEqual([[], undefined])
  })

  test('goes at once where no cluster ever began, and not while one may', () => {
    const machines = [aBooting(1), leaving(aBooting(2))]

    expect(inWorld({ machines })).toEqual([['letGo prod-192.0.2.2'], 'RemovingMachine'])
    expect(inWorld({ machines }, { [BOOTSTRAP_MACHINE]: 'uuid-1' })).toEqual([[], undefined])
  })

  test('and is to be preserved is let go', () => {
    const kept = leaving(three)
    const { spec } = kept
    const machine = {
      ...kept,
      ...(spec && { spec: { ...spec, deletionPolicy: 'preserve' as const } }),
    }

    expect(decided(one, two, machine)).toEqual([[], undefined])
  })
})

describe('a node that was drained for nobody who is there any more', () => {
  const strays = [{ node: 'cp-1', uid: 'u', by: 'gone' }]

  test('takes pods again, and makes nothing less ready than it was', () => {
    const steps = [{ do: 'uncordon', ...strays[0] }]

    expect(uncordonStrays(aControlPlane(), aWorld())).toBeUndefined()
    expect(
      uncordonStrays(aControlPlane({ status: { state: 'Ready' } }), aWorld({ strays })),
    ).toEqual({
      ...{ steps, state: 'Ready' },
    })
    expect(uncordonStrays(aControlPlane(), aWorld({ strays }))).toMatchObject({
      ...{ steps, state: 'Bootstrapped', ready: { ok: false, reason: 'Uncordoning' } },
    })
  })
})

describe('a machine that is in the spec no more', () => {
  const decided = (surplus: Machine[], known: Machine[], over: Partial<World> = {}) => {
    const pool = { ...aWorld().pool, surplus, known }
    const world = aWorld({ machines: [...known, ...surplus], pool, ...over })
    return said(
      removeSurplus(aControlPlane({ spec: { endpoint: 'https://vip.example:6443' } }), world),
    )
  }
  const silent = { is: 'connecting' as const }
  const heldBy = ({ metadata: { name, uid = '' } }: Machine): Partial<World> => ({
    turns: { turns: { last: 1, held: [{ id: 1, machine: name, uid }] }, gone: new Set() },
  })

  test('says whom it waits for, and what keeps that one', () => {
    const world = aWorld({
      ...{ machines: [aSilent(1), two, three], ...heldBy(aSilent(1)) },
      pool: { ...aWorld().pool, surplus: [three], known: [aSilent(1), two] },
    })

    expect(removeSurplus(aControlPlane(), world)?.ready?.message).toMatch(
      /^prod-192\.0\.2\.3 waits until prod-192\.0\.2\.1 was changed, whose turn it is\. prod-192\.0\.2\.1: /,
    )
  })

  test.each<[string, ReturnType<typeof decided>, [string[], string | undefined]]>([
    ['is none', decided([], [one]), [[], undefined]],
    ['goes', decided([three], [one, two]), [['removeMachine prod-192.0.2.3'], 'RemovingMachine']],
    ['goes when all others are well', decided([three], [one, aSilent(2)]), [[], undefined]],
    [
      'goes when the others only wait for their turn',
      decided([pending(3, 'UpgradeFailed')], [pending(1), pending(2, 'UpgradePending')]),
      [['removeMachine prod-192.0.2.3'], 'RemovingMachine'],
    ],
    [
      'is one of two, of which etcd needs both while they are members, and goes',
      decided([ofTwo(2)], [ofTwo(1)]),
      [['removeMachine prod-192.0.2.2'], 'RemovingMachine'],
    ],
    [
      'stays while another one cannot be changed',
      decided([three], [pending(1), pending(2, 'UpgradeFailed')]),
      [[], undefined],
    ],
    [
      'stays while another one joins, though all others only wait for their turn',
      decided([three], [pending(1), pending(2), aBooting(4)]),
      [[], undefined],
    ],
    ['goes when the API answers', decided([three], [one, two], { api: silent }), [[], undefined]],
    [
      'goes at once if it does not answer',
      decided([two, aSilent(3)], [one], { api: silent }),
      [['removeMachine prod-192.0.2.3'], 'RemovingMachine'],
    ],
    [
      'stays if it may be at a new address, where nobody has answered yet',
      decided([aSilent(3)], [one, two, made(4, false)]),
      [[], 'WaitingForMachines'],
    ],
    [
      'goes at once if another machine is at the new address',
      decided([aSilent(3)], [one, two, made(4, true)]),
      [['removeMachine prod-192.0.2.3'], 'RemovingMachine'],
    ],
    [
      'stays if it may be at an address whose name another machine has',
      decided([aSilent(3)], [one, two], {
        pool: {
          ...{ ...aWorld().pool, known: [one, two], surplus: [aSilent(3)] },
          taken: [{ draft: draftAt(2), machine: two }],
        },
      }),
      [[], 'WaitingForMachines'],
    ],
    [
      'does not wait for one that cannot be drained',
      decided([three, blocked(aMember(4, listing(1, 2, 3, 4)))], [one, two]),
      [['removeMachine prod-192.0.2.3'], 'RemovingMachine'],
    ],
    [
      'goes after whoever is on the way',
      decided([three, leaving(two)], [one]),
      [[], 'RemovingMachine'],
    ],
    [
      'waits for nobody who is out of etcd and off',
      decided([three, left(aSilent(4))], [one, two]),
      [['removeMachine prod-192.0.2.3'], 'RemovingMachine'],
    ],
    [
      'waits until whoever has the turn was changed',
      decided([three], [one, two], heldBy(one)),
      [[], 'RemovingMachine'],
    ],
    [
      'goes though it has the turn itself',
      decided([two, aSilent(3)], [one], { ...heldBy(aSilent(3)), api: silent }),
      [['removeMachine prod-192.0.2.3'], 'RemovingMachine'],
    ],
    [
      'goes before others that are in the spec no more, if it has the turn',
      decided([two, three], [one], heldBy(three)),
      [['removeMachine prod-192.0.2.3'], 'RemovingMachine'],
    ],
    [
      'stays while the spec is not the last',
      decided([three], [one, two], { isOld: true }),
      [[], 'WaitingForView'],
    ],
    [
      'stays if it is needed',
      decided(
        [aMember(1, listing(1))],
        [anUnclaimed(2)].filter(() => false),
      ),
      [[], 'LastHealthyMember'],
    ],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected)
  })
})
