/** etcd as one member of a cluster sees it. Calls throw a `Refusal`, in the words of etcd and Talos. */
export interface EtcdMember {
  readonly id: bigint
  /** All members, in the order of their ids. Talos asks for a leader even to list them. */
  members(): readonly MemberView[]
  status(): MemberStatus
  alarms(): readonly MemberAlarm[]
  disarm(): readonly MemberAlarm[]
  defragment(): void
  /** Gives leadership to another; answers with its name, or nothing if there was none to give. */
  forfeitLeadership(): string
  /** Leaves the cluster and empties its own data. */
  leave(): void
  removeMember(id: bigint): void
  /** The whole database, as etcd's snapshot has it: pages, then a SHA-256 of them. */
  snapshot(): Promise<Uint8Array>
}

export interface MemberView {
  readonly id: bigint
  /** Empty for a member that has not started yet. */
  readonly name: string
  readonly peerUrls: readonly string[]
  readonly clientUrls: readonly string[]
  readonly isLearner: boolean
}

export interface MemberStatus {
  readonly memberId: bigint
  readonly leader: bigint
  readonly raftIndex: bigint
  readonly raftTerm: bigint
  readonly raftAppliedIndex: bigint
  readonly dbBytes: bigint
  readonly dbBytesInUse: bigint
  readonly isLearner: boolean
  readonly protocolVersion: string
  readonly storageVersion: string
  readonly errors: readonly string[]
}

export interface MemberAlarm {
  readonly memberId: bigint
  readonly alarm: 'NONE' | 'NOSPACE' | 'CORRUPT'
}
