import type {
  EtcdMember,
  MemberAlarm,
  MemberStatus,
  MemberView,
} from '#simulator/etcd/etcd-member.ts'
import type { MachineInside } from './inside.ts'

/** The member of etcd on a machine: what it does to itself has consequences there. */
export class OwnEtcdMember implements EtcdMember {
  readonly #inside: MachineInside
  readonly #member: EtcdMember

  constructor(inside: MachineInside, member: EtcdMember) {
    this.#inside = inside
    this.#member = member
  }

  get id(): bigint {
    return this.#member.id
  }

  members(): readonly MemberView[] {
    return this.#member.members()
  }

  status(): MemberStatus {
    return this.#member.status()
  }

  alarms(): readonly MemberAlarm[] {
    return this.#member.alarms()
  }

  disarm(): readonly MemberAlarm[] {
    return this.#member.disarm()
  }

  defragment(): void {
    this.#member.defragment()
  }

  forfeitLeadership(): string {
    const next = this.#member.forfeitLeadership()
    if (next !== '') this.#inside.record('gives the leadership of etcd away')
    return next
  }

  leave(): void {
    leaveOwnEtcd(this.#inside)
  }

  removeMember(id: bigint): void {
    this.#member.removeMember(id)
  }

  snapshot(): Promise<Uint8Array> {
    return this.#member.snapshot()
  }
}

/** Leaves etcd, stops it and empties its data. Throws a Refusal, after which everything is as before. */
export function leaveOwnEtcd(inside: MachineInside): void {
  const place = inside.storage.ephemeral.etcd
  if (!place) return
  place.half.etcd.member(place.memberId).leave()
  inside.record('leaves etcd')
  inside.boot?.services.stop('etcd')
  inside.storage.ephemeral.etcd = undefined
  inside.boot?.cluster?.changed()
  inside.changed()
}
