import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import { readEndpoint } from '#machineconfig/generate/endpoint.ts'
import { no } from '#runtime/plan.ts'
import { DRAIN_BLOCKED } from './drain.ts'
import { type EtcdSeen, isForgotten, isVoterWell, memberOf, quorumOf } from './etcd-members.ts'
import { canonicalAddress } from './pool-address.ts'
import { isConfigured, isTrue, machinesInTheWay, whatIsMissing } from './pool-machines.ts'
import type { MachinePlan } from './pool-plan.ts'
import { stuck } from './stuck.ts'
import { isVirtualAddress } from './virtual-address.ts'
import { endpointOf } from './wanted-config-cluster.ts'
import { answererFor } from './who-answers.ts'

/** What is said while a spec is not believed. */
export const OLD_SPEC = {
  ready: no(
    'WaitingForView',
    'the spec was changed, and the operator does not see that yet: no machine goes before it does',
  ),
}

export const isLeaving = ({ metadata }: Machine): boolean =>
  metadata.deletionTimestamp !== undefined

/** What a machine that was told to go waits for, in a word. */
export const leavingReason = ({ status }: Machine): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'Deleting')?.reason

/** Whether its node could not be drained, so that it stays until somebody helps. */
export const isDrainBlocked = (machine: Machine): boolean =>
  isLeaving(machine) && leavingReason(machine) === DRAIN_BLOCKED

/** Does not answer, or is a member of etcd that does not work: nothing is lost with it, and it may keep others from joining. */
export const isSick = (machine: Machine): boolean =>
  !isTrue(machine, 'Reachable') || (isAnyMember(machine) && !isVoterWell(machine))

const isAnyMember = (machine: Machine): boolean =>
  memberOf(machine).length > 0 || isForgotten(machine)

export const sickFirst = (machines: readonly Machine[]): Machine[] => [
  ...machines.filter(isSick),
  ...machines.filter((machine) => !isSick(machine)),
]

/**
 * Machines that are in the spec no more and do not work go at once, unless nobody knows yet who is at a new address: that may be
 * one of them, which has moved. What is said then; undefined if all that are new have answered, or are named by their UUID.
 */
export function waitsForAnswers(surplus: readonly Machine[], pool: MachinePlan) {
  if (surplus.length === 0) return undefined
  const silent = pool.known.filter(isUnheard)
  // Nobody looks where there is no object.
  const taken = pool.taken.filter(({ draft }) => draft.spec.uuid === undefined)
  const unheard = [...silent, ...taken.map(({ draft }) => draft)]
  if (unheard.length === 0) return undefined
  const who = sorted(surplus.map(({ metadata }) => metadata.name))
  const where = sorted(unheard.map(({ spec }) => spec?.endpoint ?? ''))
  const why = silent.length > 0 ? whatIsMissing(silent) : machinesInTheWay(pool)?.message
  return no(
    'WaitingForMachines',
    `${who} does not work, and is in the spec no more. It stays until it is known who answers at ${where}, because it may have moved there. ${why}. Switch the machine on, name it by uuid in its entry, or take that out`,
  )
}

const sorted = (texts: readonly string[]): string => [...texts].sort().join(', ')

/** Whether it may be a machine that has another object already, for all that is known. */
const isUnheard = (machine: Machine): boolean =>
  !isConfigured(machine) &&
  machine.spec?.uuid === undefined &&
  answererFor(machine).is === 'unknown'

/** Why a machine cannot be taken out of a control plane that stays; undefined if it can. */
export function removalProblem(controlPlane: ControlPlane, machine: Machine, etcd: EtcdSeen) {
  // Nobody is cut off from a cluster that never began.
  if (etcd.voters.length === 0) return undefined
  return endpointProblem(controlPlane, machine) ?? quorumProblem(machine, etcd)
}

/** Nobody would reach the cluster any more, the operator included. */
function endpointProblem(controlPlane: ControlPlane, machine: Machine) {
  const { metadata, spec, status } = machine
  const { host } = readEndpoint(endpointOf(controlPlane))
  const isAt = (address: string) => canonical(address) === canonical(host)
  // One that it has besides is its own, unless the configuration names it: a virtual IP moves on to another machine.
  const specs = [controlPlane.spec?.metalSpec?.machineSpec, spec?.machineSpec]
  const isItsOwn = (status?.addresses ?? []).some(isAt) && !isVirtualAddress(host, specs)
  if (!isAt(spec?.endpoint ?? '') && !isItsOwn) return undefined
  return stuck(
    'EndpointOnMachine',
    `${metadata.name} stays: spec.endpoint leads to it, and nobody would reach the cluster without it. Give the control plane an endpoint that outlives a machine (a virtual IP, a load balancer, a DNS name), then it goes`,
  )
}

const canonical = (address: string): string => canonicalAddress(address) ?? address

/** A member goes only if those that remain are a majority of themselves. */
function quorumProblem(machine: Machine, { voters, isListed }: EtcdSeen) {
  const { name } = machine.metadata
  const own = memberOf(machine)
  if (isListed && !voters.some(({ id }) => own.includes(id))) return undefined
  if (!isListed) {
    return stuck(
      'QuorumWouldBeLost',
      `${name} stays: no member of etcd says who the others are, so nobody knows whether they are enough`,
    )
  }
  const others = voters.filter(({ id }) => !own.includes(id))
  const well = others.filter(({ isWell }) => isWell)
  if (well.length === 0) {
    return stuck(
      'LastHealthyMember',
      `${name} stays: no other member of etcd is well, and what is in it would be lost. Bring another one back or add one, or delete the whole control plane`,
    )
  }
  if (well.length >= quorumOf(others.length)) return undefined
  const sick = others.filter(({ isWell }) => !isWell).map((one) => one.machine ?? wordsFor(one))
  return stuck(
    'QuorumWouldBeLost',
    `${name} stays: without it etcd has ${others.length} members and needs ${quorumOf(others.length)} of them, and ${sick.sort().join(', ')} is not well. Bring that back, or take it out first`,
  )
}

const wordsFor = ({ id, name }: { id: string; name: string | undefined }): string =>
  `the member ${id}${name ? ` (${name})` : ''}, which no TalosMachine stands for,`
