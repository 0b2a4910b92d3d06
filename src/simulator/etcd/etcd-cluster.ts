import type { Cancel } from '#base/clock.ts'
import { sameJson } from '#base/same-json.ts'
import { randomBytesFrom } from '#simulator/random.ts'
import { ClusterMember } from './cluster-member.ts'
import type { EtcdContent } from './etcd-content.ts'
import type { EtcdMember, MemberAlarm } from './etcd-member.ts'
import { etcdRefusal } from './etcd-refusal.ts'
import type { ContentOwner, EtcdState, KeptMember, NewMember } from './etcd-state.ts'
import { databaseOf } from './snapshot.ts'

export interface BootstrapOptions {
  random: () => number
  member: NewMember
  /** What it begins with, if not with nothing. */
  restored?: EtcdContent
}

const EMPTY: EtcdContent = { revision: 1, entries: [] }

/**
 * An etcd: its members, who of them runs, who leads, and what it refuses so that no majority is ever
 * lost by a change of membership (it runs with `--strict-reconfig-check`, as Talos does). Nothing here takes
 * time. What it refuses has the words of etcd; a member's calls have those of Talos around them.
 */
export class EtcdCluster implements EtcdState {
  /** By which data knows its cluster: other data never joins it. */
  readonly clusterId: bigint
  /** What it was recovered with. */
  readonly restored: EtcdContent | undefined
  content: ContentOwner = { snapshot: () => Promise.resolve(this.restored ?? EMPTY) }
  readonly #random: () => number
  readonly #members = new Map<bigint, KeptMember>()
  readonly #listeners = new Set<() => void>()
  #alarms: MemberAlarm[] = []
  #leader: bigint | undefined
  #term = 1n
  #index = 1n

  constructor(random: () => number, restored?: EtcdContent) {
    this.#random = random
    this.restored = restored
    this.clusterId = this.#newId()
  }

  /** A cluster of one member, which runs. */
  static bootstrap({ random, member, restored }: BootstrapOptions): EtcdCluster {
    const cluster = new EtcdCluster(random, restored)
    const id = cluster.#newId()
    cluster.#members.set(id, {
      ...member,
      id,
      isLearner: false,
      isRunning: true,
      hasStarted: true,
    })
    cluster.#settle()
    return cluster
  }

  /** In the order of their ids, as etcd lists them. */
  get members(): readonly KeptMember[] {
    return [...this.#members.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  get hasQuorum(): boolean {
    return this.#leader !== undefined
  }

  get leader(): bigint | undefined {
    return this.#leader
  }

  get term(): bigint {
    return this.#term
  }

  get index(): bigint {
    return this.#index
  }

  get alarms(): readonly MemberAlarm[] {
    return this.#alarms
  }

  async database(): Promise<Buffer> {
    return databaseOf(await this.content.snapshot(), this.members)
  }

  isMember(id: bigint): boolean {
    return this.#members.has(id)
  }

  /** How a member sees all this. */
  member(id: bigint): EtcdMember {
    return new ClusterMember(this, id)
  }

  /** Somebody new, who has no vote until it is promoted. One at a time, and only while all voters run. */
  addLearner(member: NewMember): bigint {
    this.requireLeader()
    const isKnown = this.members.some(({ peerUrls }) =>
      peerUrls.some((url) => member.peerUrls.includes(url)),
    )
    if (isKnown) throw etcdRefusal('peerExists')
    if (this.#voters.some(({ isRunning }) => !isRunning)) throw etcdRefusal('unhealthy')
    if (this.members.some(({ isLearner }) => isLearner)) {
      throw etcdRefusal('tooManyLearners')
    }
    const id = this.#newId()
    this.#change({ ...member, id, isLearner: true, isRunning: false, hasStarted: false })
    return id
  }

  /** A learner that has everything gets a vote. */
  promote(id: bigint): void {
    this.requireLeader()
    const member = this.#members.get(id)
    if (!member) throw etcdRefusal('notFound')
    if (!member.isLearner) throw etcdRefusal('notLearner')
    if (!member.isRunning) {
      throw etcdRefusal('notInSync')
    }
    this.#change({ ...member, isLearner: false })
  }

  /** Refuses what would leave fewer running voters than a majority of those that remain. */
  remove(id: bigint): void {
    this.requireLeader()
    const member = this.#members.get(id)
    if (!member) throw etcdRefusal('notFound')
    if (!member.isLearner) this.#refuseLossOf(member)
    this.#members.delete(id)
    this.#alarms = this.#alarms.filter(({ memberId }) => memberId !== id)
    this.#settle()
  }

  start(id: bigint): void {
    const member = this.#members.get(id)
    if (member && !member.isRunning) {
      this.#change({ ...member, isRunning: true, hasStarted: true })
    }
  }

  stop(id: bigint): void {
    const member = this.#members.get(id)
    if (member?.isRunning) this.#change({ ...member, isRunning: false })
  }

  /** Where a member is reached from now on. Nobody hears of it while there is no majority. */
  advertise(id: bigint, { peerUrls, clientUrls }: NewMember): void {
    const member = this.#members.get(id)
    if (!member || !this.hasQuorum || sameJson(member.peerUrls, peerUrls)) return
    this.#change({ ...member, peerUrls, clientUrls })
  }

  /** Makes another voter lead. */
  moveLeader(to: bigint): void {
    const member = this.#members.get(to)
    if (!member || member.isLearner) throw etcdRefusal('badTransferee')
    if (!member.isRunning) {
      throw etcdRefusal('transferTimeout')
    }
    this.#elect(to)
    this.#tell()
  }

  raiseAlarm(id: bigint, alarm: 'NOSPACE' | 'CORRUPT'): void {
    if (!this.isMember(id)) return
    this.#alarms = [...this.#alarms.filter((one) => one.memberId !== id), { memberId: id, alarm }]
    this.#tell()
  }

  disarm(): readonly MemberAlarm[] {
    const disarmed = this.#alarms
    this.#alarms = []
    this.#tell()
    return disarmed
  }

  /** Told of every change of members, leader and alarms. */
  onChange(listener: () => void): Cancel {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Who has lost the majority answers nobody. */
  requireLeader(): void {
    if (this.#leader === undefined) throw etcdRefusal('noLeader')
  }

  get #voters(): readonly KeptMember[] {
    return this.members.filter(({ isLearner }) => !isLearner)
  }

  #refuseLossOf(member: KeptMember): void {
    const others = this.#voters.filter(({ id }) => id !== member.id)
    const majority = majorityOf(others.length)
    if (others.filter(({ hasStarted }) => hasStarted).length < majority) {
      throw etcdRefusal('notEnoughStarted')
    }
    // Whoever does not run is no part of the majority that there is.
    if (member.isRunning && others.filter(({ isRunning }) => isRunning).length < majority) {
      throw etcdRefusal('unhealthy')
    }
  }

  #change(member: KeptMember): void {
    this.#members.set(member.id, member)
    this.#settle()
  }

  /** Finds out who leads now. */
  #settle(): void {
    this.#index++
    const voters = this.#voters
    const running = voters.filter(({ isRunning }) => isRunning)
    if (running.length < majorityOf(voters.length)) this.#leader = undefined
    else if (!running.some(({ id }) => id === this.#leader)) this.#elect(running[0]?.id)
    this.#tell()
  }

  #elect(id: bigint | undefined): void {
    if (id === this.#leader) return
    this.#leader = id
    this.#term++
    this.#index++
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  #newId(): bigint {
    return Buffer.from(randomBytesFrom(this.#random, 8)).readBigUInt64BE() || 1n
  }
}

const majorityOf = (count: number): number => Math.floor(count / 2) + 1
