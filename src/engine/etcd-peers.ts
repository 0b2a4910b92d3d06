import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { EtcdMember } from '#talos/calls/etcd-members.ts'
import type { BoundMachine } from '#talos/machine.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { MachineError } from '#talos/outcome.ts'
import { hexId, quorumOf } from './etcd-members.ts'
import { onlyTo, orNothing, unlessFailed } from './machine-identity.ts'
import type { TalosMachines } from './talos-machines.ts'

// The members of etcd as they are at this moment, asked before something is done to one of them.

/** How machines of a control plane are asked. */
export interface Asking {
  machines: TalosMachines
  access: ClusterAccess
  signal: AbortSignal
}

/** A machine whose etcd has a leader, and whom that lists. */
export interface Peer {
  machine: Machine
  member: bigint
  members: readonly EtcdMember[]
}

/** Does something to one of them and to no other machine. */
export const to = <Result>(
  { machines, access, signal }: Asking,
  { metadata, spec }: Machine,
  deed: (same: BoundMachine) => Promise<Result>,
): Promise<Result> => {
  const uuid = metadata.annotations?.[MACHINE_UUID] ?? ''
  return onlyTo(machines.machine({ address: spec?.endpoint ?? '', access }), { uuid, signal }, deed)
}

/** The member that a machine is, as it says itself. */
export const memberIn = (
  { cluster }: BoundMachine,
  signal: AbortSignal,
): Promise<bigint | undefined> => orNothing(cluster.etcdMemberId({ signal }))

/** Undefined unless it says that it is a member, and whose: etcd without a leader does not tell. */
export const asPeer = (asking: Asking, machine: Machine): Promise<Peer | undefined> =>
  unlessFailed(
    to(asking, machine, async (same) => {
      const { signal } = asking
      const member = await memberIn(same, signal)
      if (member === undefined) return undefined
      return { machine, member, members: await same.etcd.members({ local: true }, { signal }) }
    }),
  )

/** Throws unless an etcd that has a leader answers, and knows nothing of a member, as all these machines say at this moment. */
export async function assertUnlisted(
  asking: Asking,
  member: string,
  machines: readonly Machine[],
): Promise<void> {
  const answers = await Promise.all(machines.map((one) => asPeer(asking, one)))
  const peers = answers.filter((peer) => peer !== undefined)
  const listing = peers.find(({ members }) => members.some(({ id }) => hexId(id) === member))
  if (peers.length > 0 && !listing) return
  throw new MachineError({
    outcome: 'not-ready',
    message: listing
      ? `${member} is a member of etcd, as ${listing.machine.metadata.name} says`
      : `no machine says whether ${member} is a member of etcd`,
  })
}

/**
 * Throws unless etcd keeps its majority while this machine is down, as all others say at this moment. Of one member alone
 * there is no majority to keep: then the API of its cluster is away for a while, and nothing is lost.
 */
export async function assertBearable(
  asking: Asking,
  machine: Machine,
  others: readonly Machine[],
): Promise<void> {
  const [own, ...answers] = await Promise.all(
    [machine, ...others].map((one) => asPeer(asking, one)),
  )
  const peers = answers.filter((peer) => peer !== undefined)
  const listed = [...peers, ...(own ? [own] : [])].flatMap(({ members }) => members)
  const voters = new Set(listed.filter(({ isLearner }) => !isLearner).map(({ id }) => id))
  const well = new Set(peers.map(({ member }) => member).filter((id) => voters.has(id)))
  const isAlone = voters.size === 1 && own !== undefined && voters.has(own.member)
  if (isAlone || well.size >= quorumOf(voters.size)) return
  throw new MachineError({
    outcome: 'not-ready',
    message: `${machine.metadata.name} is not taken down: of ${voters.size} members of etcd ${well.size} would be left that are well, and ${quorumOf(voters.size)} are needed`,
  })
}
