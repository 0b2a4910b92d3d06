import { Refusal } from '#simulator/refusal.ts'
import type { EtcdMember, MemberAlarm, MemberStatus, MemberView } from './etcd-member.ts'
import { refusals } from './etcd-refusal.ts'
import type { EtcdState, KeptMember } from './etcd-state.ts'
import { snapshotOf } from './snapshot.ts'

const PROTOCOL = '3.6.11'
const STORAGE = '3.6.0'
const EMPTY_DATABASE_BYTES = 20_480n

/** One member's view of its etcd, with the words that Talos puts around those of etcd. */
export class ClusterMember implements EtcdMember {
  readonly id: bigint
  readonly #cluster: EtcdState

  constructor(cluster: EtcdState, id: bigint) {
    this.#cluster = cluster
    this.id = id
  }

  members(): readonly MemberView[] {
    this.#cluster.requireLeader()
    return this.#cluster.members.map(({ id, name, hasStarted, isLearner, ...urls }) => ({
      ...{ id, isLearner, peerUrls: urls.peerUrls },
      name: hasStarted ? name : '',
      clientUrls: hasStarted ? urls.clientUrls : [],
    }))
  }

  status(): MemberStatus {
    const { leader, index, term } = this.#cluster
    return {
      memberId: this.id,
      leader: leader ?? 0n,
      raftIndex: index,
      raftTerm: term,
      raftAppliedIndex: index,
      dbBytes: EMPTY_DATABASE_BYTES,
      dbBytesInUse: EMPTY_DATABASE_BYTES,
      isLearner: this.#own?.isLearner ?? false,
      protocolVersion: PROTOCOL,
      storageVersion: STORAGE,
      errors: [
        ...(leader === undefined ? [refusals.noLeader] : []),
        ...this.#cluster.alarms.map(
          ({ memberId, alarm }) => `memberID:${memberId} alarm:${alarm} `,
        ),
      ],
    }
  }

  alarms(): readonly MemberAlarm[] {
    this.#cluster.requireLeader()
    return this.#cluster.alarms
  }

  disarm(): readonly MemberAlarm[] {
    this.#cluster.requireLeader()
    return this.#cluster.disarm()
  }

  defragment(): void {
    // There is nothing that could be fragmented.
  }

  forfeitLeadership(): string {
    return around('failed to forfeit leadership', () => this.#moveLeadership())
  }

  leave(): void {
    around('failed to leave cluster', () => {
      try {
        this.#remove(this.id)
      } catch (error) {
        // Removed by others is as good.
        if (!(error instanceof Refusal && error.code === 'NotFound')) throw error
      }
    })
  }

  removeMember(id: bigint): void {
    try {
      this.#remove(id)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'NotFound') throw error
      throw new Refusal(error.code, `failed to remove member: ${error.message}`)
    }
  }

  async snapshot(): Promise<Uint8Array> {
    return snapshotOf(await this.#cluster.database())
  }

  get #own(): KeptMember | undefined {
    return this.#cluster.members.find(({ id }) => id === this.id)
  }

  #moveLeadership(): string {
    this.#cluster.requireLeader()
    const others = this.#cluster.members.filter(({ id }) => id !== this.id)
    const [next] = others
    if (!next) throw new Refusal('Unknown', 'cannot forfeit leadership, only one member')
    if (this.#cluster.leader !== this.id) return ''
    // Talos takes the first of the list, whoever that is.
    this.#cluster.moveLeader(next.id)
    return next.hasStarted ? next.name : ''
  }

  #remove(id: bigint): void {
    try {
      this.#cluster.remove(id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const code = error.message === refusals.notFound ? 'NotFound' : error.code
      throw new Refusal(code, `failed to remove member ${id}: ${error.message}`)
    }
  }
}

function around<Result>(words: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.code, `${words}: ${error.message}`)
  }
}
