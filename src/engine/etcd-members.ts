import { ETCD_FORGOTTEN, ETCD_MEMBER } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { isTrue } from './pool-machines.ts'

/** The id of a member as etcdctl prints it. */
export const hexId = (id: bigint): string => id.toString(16).padStart(16, '0')

/** A member of etcd that has a vote, and what is known of its machine. */
interface Voter {
  readonly id: string
  /** Of the TalosMachine that it is of; undefined if none is known. */
  readonly machine: string | undefined
  /** Its host name, as far as anybody said. */
  readonly name: string | undefined
  /** Whether its machine answers, and its etcd has a leader. */
  readonly isWell: boolean
}

/** What is known of the members of a cluster's etcd. */
export interface EtcdSeen {
  readonly voters: readonly Voter[]
  /** Whether a member that is well listed them. Otherwise they are those that were ever noted. */
  readonly isListed: boolean
  /** How many have to be well for anything to be written. */
  readonly quorum: number
}

/** How many of so many voters are a majority. */
export const quorumOf = (voters: number): number => Math.floor(voters / 2) + 1

/** Whether the machine answers and its etcd works. */
export const isVoterWell = (machine: Machine): boolean =>
  isTrue(machine, 'Reachable') &&
  machine.status?.etcdMember?.learner === false &&
  machine.status.etcdMembers !== undefined

/**
 * The members of etcd, from what the machines of its control plane say of it. Those that are well have to agree: where one
 * lists a voter that another does not, it counts, because whoever is counted too little costs the quorum.
 */
export function etcdSeen(machines: readonly Machine[]): EtcdSeen {
  const well = machines.filter(isVoterWell)
  const listed = well.flatMap(({ status }) => status?.etcdMembers ?? [])
  const voters = listed.filter(({ learner }) => !learner)
  const ids = sortedIds(well.length > 0 ? voters.map(({ id }) => id) : machines.flatMap(memberOf))
  return {
    voters: ids.map((id) => voterOf(id, machines)),
    isListed: well.length > 0,
    quorum: quorumOf(ids.length),
  }
}

const sortedIds = (ids: readonly string[]): string[] => [...new Set(ids)].sort()

/** The member that a machine is, or last was, as far as etcd knows of it. */
export const memberOf = (machine: Machine): string[] => {
  const id = idOf(machine)
  const isNone = machine.status?.etcdMember?.learner || isForgotten(machine)
  return id === undefined || isNone ? [] : [id]
}

/** Whether what it has of etcd, or had when it last answered, is of an etcd that its cluster has no more. */
export const isForgotten = (machine: Machine): boolean => {
  const forgotten = machine.metadata.annotations?.[ETCD_FORGOTTEN]
  return forgotten !== undefined && forgotten === idOf(machine)
}

const idOf = ({ metadata, status }: Machine): string | undefined =>
  status?.etcdMember?.id ?? metadata.annotations?.[ETCD_MEMBER]

/** The ids of all members, learners too, that machines list whose etcd has a leader. */
export const listedBy = (machines: readonly Machine[]): ReadonlySet<string> =>
  new Set(
    machines
      .filter(isVoterWell)
      .flatMap(({ status }) => status?.etcdMembers ?? [])
      .map(({ id }) => id),
  )

function voterOf(id: string, machines: readonly Machine[]): Voter {
  const machine = machines.find((one) => memberOf(one).includes(id))
  const entry = machines
    .flatMap(({ status }) => status?.etcdMembers ?? [])
    .find((one) => one.id === id)
  return {
    id,
    machine: machine?.metadata.name,
    name: entry?.name ?? machine?.status?.hostname,
    isWell: machine !== undefined && isVoterWell(machine),
  }
}
