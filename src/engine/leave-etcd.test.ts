import { describe, expect, test } from 'vitest'
import { ETCD_MEMBER } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { Secret } from '#base/secret.ts'
import type { EtcdMember } from '#talos/calls/etcd-members.ts'
import type { BoundMachine, TalosMachine } from '#talos/machine.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { MachineError, type Outcome } from '#talos/outcome.ts'
import { aMember, uuidAt } from '#test/control-plane-world.ts'
import { leaveEtcd } from './leave-etcd.ts'
import type { TalosMachines } from './talos-machines.ts'

const access: ClusterAccess = {
  ...{ kind: 'cluster', authority: '', certificate: '', key: new Secret('') },
}
const failure = (outcome: Outcome) => new MachineError({ outcome, message: outcome })

/** What a machine does otherwise than one that is well. */
interface Habits {
  isOff?: boolean
  hasLostLeader?: boolean
  uuid?: string
  leave?: Outcome
  forfeit?: Outcome
  /** It leaves, and nobody hears of it. */
  leavesUnheard?: boolean
  remove?: Outcome
}

/** Machines 1 to 3 of an etcd whose members are those of the list, by number. */
class Fleet implements TalosMachines {
  readonly done: string[] = []
  members: EtcdMember[]
  readonly #habits: Record<number, Habits>

  constructor(habits: Record<number, Habits> = {}, members: readonly number[] = [1, 2, 3]) {
    this.#habits = habits
    this.members = members.map(memberAt)
  }

  machine({ address }: Parameters<TalosMachines['machine']>[0]): TalosMachine {
    const at = Number(address.at(-1))
    const { isOff, hasLostLeader, uuid = uuidAt(at), ...habits } = this.#habits[at] ?? {}
    const deed = async (what: string, fails: Outcome | undefined, effect: () => void) => {
      this.done.push(`${what} ${at}`)
      if (fails) throw failure(fails)
      effect()
    }
    const without = (id: bigint) => () => {
      this.members = this.members.filter((one) => one.id !== id)
    }
    const same = {
      where: address,
      state: { systemInformation: async () => ({ uuid }) },
      cluster: {
        etcdMemberId: async () => {
          if (!this.members.some(({ id }) => id === BigInt(at))) throw failure('absent')
          return BigInt(at)
        },
      },
      etcd: {
        members: async () => {
          if (hasLostLeader) throw failure('not-ready')
          return this.members
        },
        forfeitLeadership: () => deed('forfeit', habits.forfeit, () => undefined),
        leave: async () => {
          if (habits.leavesUnheard) without(BigInt(at))()
          await deed('leave', habits.leave, without(BigInt(at)))
        },
        removeMember: (id: bigint) => deed(`remove ${id} through`, habits.remove, without(id)),
      },
    }
    const bound: TalosMachine['bound'] = async (work) => {
      if (isOff) throw failure('unreachable')
      return work(same as unknown as BoundMachine) // a call to the rest of it fails the test
    }
    return { bound } as unknown as TalosMachine // a call to the rest of it fails the test
  }

  /** Takes machine 3 out. */
  async takeOut(machine = noted(3), others = [aMember(1), aMember(2)]): Promise<string> {
    const { signal } = new AbortController()
    const peer = await leaveEtcd({ machines: this, access, machine, others, signal })
    return peer.metadata.name
  }
}

const memberAt = (at: number): EtcdMember => ({
  ...{ id: BigInt(at), hostname: `cp-${at}`, isLearner: false },
  ...{ peerUrls: [`https://192.0.2.${at}:2380`], clientUrls: [] },
})

const noted = (at: number): Machine => {
  const { metadata, ...rest } = aMember(at)
  const annotations = { ...metadata.annotations, [ETCD_MEMBER]: `${at}`.padStart(16, '0') }
  return { ...rest, metadata: { ...metadata, annotations } }
}

describe('a machine is taken out of etcd', () => {
  test('by its own leave, after it has given up to lead', async () => {
    const fleet = new Fleet()

    expect(await fleet.takeOut()).toBe('prod-192.0.2.1')
    expect(fleet.done).toEqual(['forfeit 3', 'leave 3'])
    expect(fleet.members).toHaveLength(2)
  })

  test('also if it cannot give up to lead', async () => {
    const fleet = new Fleet({ 3: { forfeit: 'refused' } })
    await fleet.takeOut()
    expect(fleet.done).toEqual(['forfeit 3', 'leave 3'])
  })

  test.each<[string, Habits, string[]]>([
    ['does not answer', { isOff: true }, []],
    ['is another one than it should be', { uuid: 'ffff' }, []],
    ['says no', { leave: 'refused' }, ['forfeit 3', 'leave 3']],
    ['does not say what became of it', { leave: 'lost' }, ['forfeit 3', 'leave 3']],
  ])('through another one if it %s', async (_what, habits, before) => {
    const fleet = new Fleet({ 3: habits })
    await fleet.takeOut()
    expect(fleet.done).toEqual([...before, 'remove 3 through 1'])
    expect(fleet.members).toHaveLength(2)
  })

  test('and nothing is done if nobody lists it any more', async () => {
    const fleet = new Fleet({}, [1, 2])
    await fleet.takeOut()
    expect(fleet.done).toEqual([])
  })

  test('and an answer that was lost is no failure if it is gone', async () => {
    const fleet = new Fleet({ 3: { leave: 'lost', leavesUnheard: true } })
    await fleet.takeOut()
    expect(fleet.done).toEqual(['forfeit 3', 'leave 3'])
  })

  test('also if somebody else took it out in the same moment', async () => {
    const fleet = new Fleet({ 1: { remove: 'already-done' }, 3: { isOff: true } })
    fleet.members = [memberAt(1), memberAt(2), memberAt(3)]
    await expect(fleet.takeOut()).rejects.toThrow('is still a member of etcd')
  })

  test('by the address of its member if it has joined again under another id', async () => {
    const fleet = new Fleet({ 3: { isOff: true } }, [1, 2])
    fleet.members = [...fleet.members, { ...memberAt(3), id: 77n }]
    await fleet.takeOut()
    expect(fleet.done).toEqual(['remove 77 through 1'])
  })
})

test('whoever has its address by now stays, as a member that is well or that was noted', async () => {
  const fleet = new Fleet({ 3: { isOff: true } }, [1, 2])
  fleet.members = [memberAt(1), { ...memberAt(2), peerUrls: ['https://192.0.2.3:2380'] }]
  await fleet.takeOut()
  expect(fleet.done).toEqual([])

  const off = new Fleet({ 2: { isOff: true }, 3: { isOff: true } }, [1, 2])
  off.members = [memberAt(1), { ...memberAt(2), peerUrls: ['https://192.0.2.3:2380'] }]
  await expect(off.takeOut(noted(3), [aMember(1), noted(2)])).rejects.toThrow('are needed')
  expect(off.done).toEqual([])
})

describe('nobody is taken out of etcd', () => {
  test.each<[string, Fleet, string]>([
    ['if too few are left', new Fleet({ 2: { isOff: true } }), '1 are well, and 2 are needed'],
    [
      'if the others have no leader',
      new Fleet({ 1: { hasLostLeader: true }, 2: { isOff: true } }),
      'not taken out',
    ],
    [
      'if another machine is where a member was',
      new Fleet({ 2: { uuid: 'ffff' } }),
      'and 2 are needed',
    ],
    ['if nobody else is a member', new Fleet({}, [3]), '0 are well'],
    [
      'if whoever is asked to remove it says no',
      new Fleet({ 1: { remove: 'refused' }, 3: { isOff: true } }),
      'refused',
    ],
  ])('%s', async (_what, fleet, said) => {
    await expect(fleet.takeOut()).rejects.toThrow(said)
    expect(fleet.members.some(({ id }) => id === 3n)).toBe(true)
  })
})
