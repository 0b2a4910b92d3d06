import type { EtcdContent } from './etcd-content.ts'
import type { MemberAlarm } from './etcd-member.ts'

/** Who joins: by the name of its machine, and where it is reached. */
export interface NewMember {
  readonly name: string
  readonly peerUrls: readonly string[]
  readonly clientUrls: readonly string[]
}

/** A member as the cluster keeps it. */
export interface KeptMember extends NewMember {
  readonly id: bigint
  readonly isLearner: boolean
  /** Its process runs, and the others get through to it. */
  readonly isRunning: boolean
  /** Its process has run at some time: from then on others know its name. */
  readonly hasStarted: boolean
}

/** Whoever keeps something in etcd: the Kubernetes API of the cluster. */
export interface ContentOwner {
  snapshot(): Promise<EtcdContent>
}

/** An etcd, as its members work with it. What it refuses has the words of etcd. */
export interface EtcdState {
  readonly members: readonly KeptMember[]
  readonly leader: bigint | undefined
  readonly term: bigint
  readonly index: bigint
  readonly alarms: readonly MemberAlarm[]
  /** The file in which each of its members keeps it, also one that does not run. */
  database(): Promise<Buffer>
  requireLeader(): void
  remove(id: bigint): void
  moveLeader(to: bigint): void
  disarm(): readonly MemberAlarm[]
}
