import type { Machine } from '#api/machine.ts'
import type { Rule } from '#controllers/control-plane/decision.ts'
import { hasLeft, isAnswering, isClaimed } from '#controllers/control-plane/machine-facts.ts'
import { isVoterWell, listedBy, memberOf } from '#engine/etcd-members.ts'
import { whatIsMissing } from '#engine/pool-machines.ts'
import { isLeaving } from '#engine/removal.ts'
import { stuck } from '#engine/stuck.ts'
import { no } from '#runtime/plan.ts'
import { deliverySteps } from './health.ts'
import { emptying, namesOf } from './quorum.ts'

// Somebody recovers a cluster by hand: a new etcd begins from what is left of the old one. Nothing here touches a machine.

/** Two etcds of one cluster: what was given up for lost has come back, and is a majority of what there was. */
export const splitEtcd: Rule = (_controlPlane, { machines, due }) => {
  const groups = etcdsOf(machines.filter((one) => isVoterWell(one) && !hasLeft(one)))
  if (groups.length < 2) return undefined
  const ways = groups.map((kept) => wayOn(kept, groups.filter((one) => one !== kept).flat()))
  return {
    steps: deliverySteps(due),
    state: 'Bootstrapped',
    ready: stuck(
      'EtcdSplit',
      `its machines have ${groups.length} etcds that know nothing of each other: ${groups.map(wordsForEtcd).sort().join('; ')}. What was recovered and what was given up for lost both run, with objects of their own, and nothing is done to any machine. Choose, see docs/guides/lost-quorum.md: ${ways.sort().join('; ')}`,
    ),
  }
}

/**
 * A new etcd knows nothing of the members that the old one had. They are written down all the same, and would be counted
 * whenever the new one does not answer: as if it had lost a majority that it never had.
 */
export const forgetMembers: Rule = (_controlPlane, { machines }) => {
  const listed = listedBy(machines)
  if (listed.size === 0) return undefined
  const steps = machines
    .filter((one) => isClaimed(one) && !hasLeft(one) && !isVoterWell(one))
    .flatMap((one) => {
      const { name: machine, uid = '' } = one.metadata
      const unknown = memberOf(one).filter((id) => !listed.has(id))
      return unknown.map((member) => ({ do: 'forgetMember' as const, machine, uid, member }))
    })
  if (steps.length === 0) return undefined
  return {
    steps,
    state: 'Bootstrapped',
    ready: no('MachinesNotReady', whatIsMissing(machines)),
  }
}

/** A machine that comes back with what the old etcd left on it never joins the new one. */
export const oldEtcd: Rule = (_controlPlane, { machines }) => {
  const listed = listedBy(machines)
  const [first] = machines.filter((one) => !isLeaving(one) && isOfAnother(one, listed))
  if (listed.size === 0 || !first) return undefined
  const { name } = first.metadata
  return {
    state: 'Bootstrapped',
    ready: stuck(
      'OldEtcdData',
      `${name} has data of an etcd that is no more, or that it was removed from: it does not join with that. Nothing of it is needed: delete TalosMachine ${name}, and it is wiped and installed anew; or empty it with ${emptying(first)}`,
    ),
  }
}

const isOfAnother = (machine: Machine, listed: ReadonlySet<string>): boolean => {
  const { etcdMember } = machine.status ?? {}
  const isOut = etcdMember !== undefined && !etcdMember.learner && !listed.has(etcdMember.id)
  return isOut && isAnswering(machine) && !isVoterWell(machine)
}

/** Machines by the etcd that they are of. Lists of one etcd may be of different times, and then still have somebody in common. */
function etcdsOf(machines: readonly Machine[]): Machine[][] {
  const groups: Machine[][] = []
  for (const machine of machines) {
    const own = listedBy([machine])
    const same = groups.filter((group) => [...listedBy(group)].some((id) => own.has(id)))
    const others = groups.filter((group) => !same.includes(group))
    groups.splice(0, groups.length, ...others, [...same.flat(), machine])
  }
  return groups
}

/** Whoever is emptied joins those that are left. */
const wayOn = (kept: readonly Machine[], others: readonly Machine[]): string =>
  `to go on with ${namesOf(kept)}, ${others.map(emptying).sort().join(', ')}`

const wordsForEtcd = (machines: readonly Machine[]): string => {
  const { size } = listedBy(machines)
  return `${namesOf(machines)} with ${size} ${size === 1 ? 'member' : 'members'}`
}
