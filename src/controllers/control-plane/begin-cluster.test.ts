import { describe, expect, test } from 'vitest'
import type { Machine } from '#api/machine.ts'
import { Secret } from '#base/secret.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import { aCluster } from '#talos/a-machine.cases.ts'
import type { BoundMachine, TalosMachine } from '#talos/machine.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { MachineError, type Outcome } from '#talos/outcome.ts'
import { aBooting, anUnclaimed, uuidAt } from '#test/control-plane-world.ts'
import { type ChangingPlaces, changingPlaces, MEANT } from '#test/our-client/changing-places.ts'
import { assertNeverBegun, beginCluster } from './begin-cluster.ts'

const access: ClusterAccess = {
  ...{ kind: 'cluster', authority: '', certificate: '', key: new Secret('') },
}

const failure = (outcome: Outcome) => new MachineError({ outcome, message: outcome })

/** How a machine answers: with these, or with failures. */
interface Answers {
  uuid?: string
  member?: bigint | Error
  bootstrap?: Error
}

class Fleet implements TalosMachines {
  /** In the order in which they were asked. */
  readonly asked: string[] = []
  readonly #answers: ReadonlyMap<string, Answers>

  constructor(answers: Record<string, Answers> = {}) {
    this.#answers = new Map(Object.entries(answers))
  }

  machine({ address, access: given }: Parameters<TalosMachines['machine']>[0]): TalosMachine {
    expect(given).toBe(access)
    const { uuid = uuidAt(Number(address.at(-1))), ...answers } = this.#answers.get(address) ?? {}
    const answer = async <Answer>(what: string, value: Answer | Error | undefined) => {
      this.asked.push(`${what} ${address}`)
      if (value instanceof Error) throw value
      return value
    }
    const machine = {
      where: address,
      bootstrap: () => answer('bootstrap', answers.bootstrap),
      state: { systemInformation: () => answer('identity', { uuid }) },
      cluster: { etcdMemberId: () => answer('etcd', answers.member ?? failure('absent')) },
    }
    const bound: TalosMachine['bound'] = (work) => {
      const same = { ...machine, isBound: true }
      return work(same as unknown as BoundMachine) // a call to the rest of it fails the test
    }
    return { ...machine, bound } as unknown as TalosMachine // a call to the rest of it fails the test
  }

  begin(all: readonly Machine[] = [aBooting(1), aBooting(2)]): Promise<void> {
    const { signal } = new AbortController()
    const chosen = { machine: 'prod-192.0.2.1', uuid: uuidAt(1) }
    return beginCluster({ machines: this, access, all, ...chosen, signal })
  }

  get begun(): string[] {
    return this.asked.filter((call) => call.startsWith('bootstrap'))
  }
}

describe('to begin a cluster', () => {
  test('all others are asked for etcd, then the chosen one who it is, then it is told', async () => {
    const fleet = new Fleet()
    await fleet.begin([aBooting(1), aBooting(2), anUnclaimed(3)])
    expect(fleet.asked).toEqual([
      ...['etcd 192.0.2.2', 'etcd 192.0.2.3'],
      ...['identity 192.0.2.1', 'bootstrap 192.0.2.1'],
    ])
  })

  test('it is well if the machine had accepted before', async () => {
    await new Fleet({ '192.0.2.1': { bootstrap: failure('already-done') } }).begin()
  })

  test.each([
    ['another has etcd', { '192.0.2.2': { member: 7n } }, 'is a member of etcd already'],
    [
      'another that should answer does not',
      { '192.0.2.2': { member: failure('unreachable') } },
      'unreachable',
    ],
    ['the answer of another was lost', { '192.0.2.2': { member: failure('lost') } }, 'lost'],
    ['another machine is at the address', { '192.0.2.1': { uuid: 'ffff' } }, 'is the machine ffff'],
    ['the machine does not say who it is', { '192.0.2.1': { uuid: '' } }, 'does not say who it is'],
  ])('nobody is told if %s', async (_title, answers, message) => {
    const fleet = new Fleet(answers)
    await expect(fleet.begin()).rejects.toThrow(message)
    expect(fleet.begun).toEqual([])
  })

  test('one that was let go, and turns out to have etcd for this cluster, stops it', async () => {
    const fleet = new Fleet({ '192.0.2.2': { member: 7n } })
    await expect(fleet.begin([aBooting(1), anUnclaimed(2)])).rejects.toThrow('member of etcd')
    expect(fleet.begun).toEqual([])
  })

  test.each(['unreachable', 'wrong-identity', 'not-ready'] as const)(
    'one that was never configured and is %s does not',
    async (outcome) => {
      const fleet = new Fleet({ '192.0.2.2': { member: failure(outcome) } })
      await fleet.begin([aBooting(1), anUnclaimed(2)])
      expect(fleet.begun).toEqual(['bootstrap 192.0.2.1'])
    },
  )

  test.each(['lost', 'refused', 'not-ready', 'unreachable'] as const)(
    'an answer that was %s is a failure, and asked for again by who plans',
    async (outcome) => {
      const fleet = new Fleet({ '192.0.2.1': { bootstrap: failure(outcome) } })
      await expect(fleet.begin()).rejects.toMatchObject({ outcome })
      expect(fleet.begun).toHaveLength(1)
    },
  )

  test('a machine that is not among those that were looked at is not asked', async () => {
    const fleet = new Fleet()
    await expect(fleet.begin([aBooting(2)])).rejects.toThrow('not of this look')
    expect(fleet.asked).toEqual([])
  })
})

describe('a cluster', () => {
  const cluster = aCluster()
  const begin = ({ machines }: ChangingPlaces, { signal } = new AbortController()) =>
    beginCluster({
      ...{ machines, access: cluster.access, all: [aBooting(1)], signal },
      ...{ machine: 'prod-192.0.2.1', uuid: MEANT },
    })

  test('is begun on the machine that was chosen', async () => {
    await using places = await changingPlaces(cluster)
    await begin(places)

    expect(places.done).toEqual({ meant: ['begin'], stranger: [] })
  })

  test('is not begun on another one that takes the address once it has said who it is', async () => {
    await using places = await changingPlaces(cluster)
    places.swapAfterIdentity = 1

    await expect(begin(places)).rejects.toMatchObject({ outcome: 'unreachable' })
    await expect(begin(places)).rejects.toMatchObject({ outcome: 'wrong-identity' })
    expect(places.done).toEqual({ meant: [], stranger: [] })
  })

  test('is not begun again on another one when the answer was lost', async () => {
    await using places = await changingPlaces(cluster)
    places.diesOfDeed = true

    await expect(begin(places)).rejects.toMatchObject({ outcome: 'lost' })
    await places.swap()
    await expect(begin(places)).rejects.toMatchObject({ outcome: 'wrong-identity' })
    expect(places.done).toEqual({ meant: ['begin'], stranger: [] })
  })

  test('is begun on nobody if that is interrupted after the machine said who it is', async () => {
    await using places = await changingPlaces(cluster)
    const stop = new AbortController()
    places.swapAfterIdentity = 1
    places.swap = async () => stop.abort(new Error('enough'))

    await expect(begin(places, stop)).rejects.toThrow('enough')
    expect(places.done).toEqual({ meant: [], stranger: [] })
  })
})

test('that a cluster never began is asked of all, and silence is no answer to the contrary', async () => {
  const { signal } = new AbortController()
  const ask = (fleet: Fleet) =>
    assertNeverBegun([aBooting(1), aBooting(2)], { machines: fleet, access, signal })

  await ask(new Fleet({ '192.0.2.1': { member: failure('unreachable') } }))
  await expect(ask(new Fleet({ '192.0.2.2': { member: 7n } }))).rejects.toThrow(
    'is a member of etcd already',
  )
})
