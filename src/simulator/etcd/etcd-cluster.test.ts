import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '#simulator/random.ts'
import { Refusal } from '#simulator/refusal.ts'
import { EtcdCluster } from './etcd-cluster.ts'
import type { NewMember } from './etcd-state.ts'
import { readSnapshot } from './snapshot.ts'

const machine = (name: string): NewMember => ({
  name,
  peerUrls: [`https://${name}:2380`],
  clientUrls: [`https://${name}:2379`],
})

function anEtcd(...further: string[]) {
  const cluster = EtcdCluster.bootstrap({ random: seededRandom(7), member: machine('one') })
  const ids = [cluster.members[0]?.id ?? 0n]
  for (const name of further) ids.push(joined(cluster, name))
  return { cluster, ids, at: (index: number) => ids[index] ?? 0n }
}

function joined(cluster: EtcdCluster, name: string): bigint {
  const id = cluster.addLearner(machine(name))
  cluster.start(id)
  cluster.promote(id)
  return id
}

describe('an etcd', () => {
  it('begins with one member, which leads', () => {
    const { cluster, at } = anEtcd()
    expect(cluster.leader).toBe(at(0))
    expect(cluster.member(at(0)).members()).toEqual([
      {
        id: at(0),
        name: 'one',
        peerUrls: ['https://one:2380'],
        clientUrls: ['https://one:2379'],
        isLearner: false,
      },
    ])
  })

  it('has the same ids for the same seed', () => {
    expect(anEtcd('two').ids).toEqual(anEtcd('two').ids)
  })

  it('shows a learner without a name until it has started, and gives it no vote', () => {
    const { cluster, at } = anEtcd()
    const id = cluster.addLearner(machine('two'))
    const seen = () =>
      cluster
        .member(at(0))
        .members()
        .find((one) => one.id === id)
    expect(seen()).toMatchObject({ name: '', clientUrls: [], isLearner: true })
    expect(cluster.hasQuorum).toBe(true)
    cluster.start(id)
    expect(seen()).toMatchObject({ name: 'two', isLearner: true })
    cluster.promote(id)
    expect(seen()).toMatchObject({ isLearner: false })
  })

  it('takes one learner at a time', () => {
    const { cluster } = anEtcd()
    cluster.addLearner(machine('two'))
    expect(() => cluster.addLearner(machine('three'))).toThrow(
      'etcdserver: too many learner members in cluster',
    )
  })

  it('takes nobody twice', () => {
    const { cluster } = anEtcd()
    expect(() => cluster.addLearner(machine('one'))).toThrow('Peer URLs already exists')
  })

  it('takes nobody while a voter is down', () => {
    const { cluster, at } = anEtcd('two', 'three')
    cluster.stop(at(1))
    expect(() => cluster.addLearner(machine('four'))).toThrow('etcdserver: unhealthy cluster')
    cluster.remove(at(1))
    expect(cluster.addLearner(machine('four'))).toBeTypeOf('bigint')
  })

  it('promotes only a learner that runs', () => {
    const { cluster, at } = anEtcd()
    const id = cluster.addLearner(machine('two'))
    expect(() => cluster.promote(id)).toThrow('which is in sync with leader')
    expect(() => cluster.promote(at(0))).toThrow('can only promote a learner member')
    expect(() => cluster.promote(5n)).toThrow('member not found')
  })

  it('answers nobody without a majority, and everybody when it is back', () => {
    const { cluster, at } = anEtcd('two', 'three')
    cluster.stop(at(0))
    expect(cluster.hasQuorum).toBe(true)
    cluster.stop(at(1))
    const last = cluster.member(at(2))
    expect(cluster.hasQuorum).toBe(false)
    expect(last.status()).toMatchObject({ leader: 0n, errors: ['etcdserver: no leader'] })
    expect(() => last.members()).toThrow('etcdserver: no leader')
    expect(() => last.removeMember(at(0))).toThrow('etcdserver: no leader')
    expect(() => last.alarms()).toThrow('etcdserver: no leader')
    cluster.start(at(0))
    expect(last.members()).toHaveLength(3)
  })

  it('elects another when its leader goes, in a new term', () => {
    const { cluster, at } = anEtcd('two', 'three')
    const { leader, term } = cluster
    cluster.stop(leader ?? 0n)
    expect(cluster.leader).not.toBe(leader)
    expect(cluster.term).toBe(term + 1n)
    expect([at(0), at(1), at(2)]).toContain(cluster.leader)
  })

  describe('removes', () => {
    it('a member that is down, so that those who are left have their majority', () => {
      const { cluster, at } = anEtcd('two', 'three')
      cluster.stop(at(2))
      cluster.member(at(0)).removeMember(at(2))
      expect(cluster.isMember(at(2))).toBe(false)
    })

    it('nobody who is needed for the majority', () => {
      const { cluster, at } = anEtcd('two', 'three')
      cluster.stop(at(2))
      expect(() => cluster.member(at(0)).removeMember(at(1))).toThrow(
        `failed to remove member: failed to remove member ${at(1)}: etcdserver: unhealthy cluster`,
      )
    })

    it('not the last one', () => {
      const { cluster, at } = anEtcd()
      expect(() => cluster.member(at(0)).leave()).toThrow(
        `failed to leave cluster: failed to remove member ${at(0)}: etcdserver: re-configuration failed due to not enough started members`,
      )
    })

    it('nobody whom it does not know, with the code for that', () => {
      const { cluster, at } = anEtcd()
      const remove = () => cluster.member(at(0)).removeMember(99n)
      expect(remove).toThrow('failed to remove member 99: etcdserver: member not found')
      expect(codeOf(remove)).toBe('NotFound')
    })

    it('whoever leaves, and takes it well when that one is gone already', () => {
      const { cluster, at } = anEtcd('two')
      const member = cluster.member(at(1))
      member.leave()
      member.leave()
      expect(cluster.members).toHaveLength(1)
    })

    it('the alarms of a member with it', () => {
      const { cluster, at } = anEtcd('two', 'three')
      cluster.raiseAlarm(at(2), 'NOSPACE')
      cluster.remove(at(2))
      expect(cluster.alarms).toEqual([])
    })
  })

  describe('moves its leadership', () => {
    it('to another member, and names it', () => {
      const { cluster } = anEtcd('two', 'three')
      const old = cluster.leader ?? 0n
      const name = cluster.member(old).forfeitLeadership()
      const leader = cluster.members.find(({ id }) => id === cluster.leader)
      expect(leader?.id).not.toBe(old)
      expect(name).toBe(leader?.name)
    })

    it('not when asked of one who does not lead', () => {
      const { cluster, ids } = anEtcd('two')
      const follower = ids.find((id) => id !== cluster.leader) ?? 0n
      expect(cluster.member(follower).forfeitLeadership()).toBe('')
    })

    it('not when there is nobody else', () => {
      const { cluster, at } = anEtcd()
      expect(() => cluster.member(at(0)).forfeitLeadership()).toThrow(
        'failed to forfeit leadership: cannot forfeit leadership, only one member',
      )
    })
  })

  it('shows alarms until they are disarmed', () => {
    const { cluster, at } = anEtcd('two', 'three')
    const member = cluster.member(at(0))
    cluster.raiseAlarm(at(1), 'NOSPACE')
    expect(member.alarms()).toEqual([{ memberId: at(1), alarm: 'NOSPACE' }])
    expect(member.disarm()).toHaveLength(1)
    expect(member.alarms()).toEqual([])
  })

  it('comes back from its snapshot as another cluster, with one member and what it held', async () => {
    const { cluster, at } = anEtcd('two', 'three')
    const entries = [{ key: '/registry/a', value: Buffer.from('1'), revision: 12 }]
    cluster.content = { snapshot: () => Promise.resolve({ revision: 30, entries }) }
    const bytes = await cluster.member(at(1)).snapshot()
    const again = EtcdCluster.bootstrap({
      random: seededRandom(8),
      member: machine('one'),
      restored: readSnapshot(bytes),
    })
    expect(again.clusterId).not.toBe(cluster.clusterId)
    expect(again.members).toHaveLength(1)
    expect(again.restored).toMatchObject({ revision: 30, entries: [{ key: '/registry/a' }] })
  })
})

const codeOf = (act: () => void): string => {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error.code
  }
  return 'none'
}

/** What etcd promises, said as shortly as can be: lists of names and counting. */
class Reference {
  voters = ['m0']
  learner: string | undefined
  running = new Set(['m0'])

  get upVoters() {
    return this.voters.filter((name) => this.running.has(name))
  }
  get hasQuorum() {
    return this.upVoters.length * 2 > this.voters.length
  }
  add(name: string): boolean {
    if (!this.hasQuorum || this.learner || this.upVoters.length < this.voters.length) return false
    this.learner = name
    return true
  }
  promote(name: string): boolean {
    if (!this.hasQuorum || this.learner !== name || !this.running.has(name)) return false
    this.learner = undefined
    this.voters.push(name)
    return true
  }
  remove(name: string): boolean {
    const isKnown = this.voters.includes(name) || this.learner === name
    if (!this.hasQuorum || !isKnown) return false
    if (this.learner === name) this.learner = undefined
    else {
      const left = this.voters.filter((one) => one !== name)
      const up = left.filter((one) => this.running.has(one))
      if (up.length * 2 <= left.length) return false
      this.voters = left
    }
    this.running.delete(name)
    return true
  }
}

describe('an etcd and a simple picture of one', () => {
  it('allow and refuse the same, whatever happens', () => {
    const step = fc.record({
      act: fc.constantFrom('add', 'promote', 'remove', 'start', 'stop'),
      who: fc.nat({ max: 6 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const picture = new Reference()
        const cluster = EtcdCluster.bootstrap({ random: seededRandom(1), member: machine('m0') })
        const ids = new Map([['m0', cluster.members[0]?.id ?? 0n]])
        let lastTerm = cluster.term
        for (const { act, who } of steps) {
          const name = `m${who}`
          expect(done(() => real(cluster, ids, { act, name }))).toBe(
            pictured(picture, { act, name }),
          )
          expect(cluster.hasQuorum).toBe(picture.hasQuorum)
          expect(cluster.members.filter((one) => !one.isLearner)).toHaveLength(
            picture.voters.length,
          )
          const leader = cluster.members.find(({ id }) => id === cluster.leader)
          if (picture.hasQuorum) expect(picture.upVoters).toContain(leader?.name)
          expect(cluster.term >= lastTerm).toBe(true)
          lastTerm = cluster.term
        }
      }),
      { numRuns: 500 },
    )
  })
})

const done = (act: () => void): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}

interface Step {
  act: string
  name: string
}

function real(cluster: EtcdCluster, ids: Map<string, bigint>, { act, name }: Step): void {
  const id = ids.get(name) ?? 0n
  if (act === 'add') ids.set(name, cluster.addLearner(machine(name)))
  else if (act === 'promote') cluster.promote(id)
  else if (act === 'remove') cluster.remove(id)
  else if (act === 'start') cluster.start(id)
  else if (act === 'stop') cluster.stop(id)
}

function pictured(picture: Reference, { act, name }: Step): boolean {
  const isMember = picture.voters.includes(name) || picture.learner === name
  if (act === 'add') return isMember ? false : picture.add(name)
  if (act === 'promote') return picture.promote(name)
  if (act === 'remove') return picture.remove(name)
  if (act === 'start' && isMember) picture.running.add(name)
  if (act === 'stop') picture.running.delete(name)
  return true
}
