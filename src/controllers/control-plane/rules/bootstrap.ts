import { BOOTSTRAP_ACCEPTED, BOOTSTRAP_MACHINE } from '#api/labels.ts'
import type { Decision, Rule } from '#controllers/control-plane/decision.ts'
import {
  claimedUuid,
  hasBegun,
  isAnswering,
  isClaimed,
  isMember,
  isUp,
} from '#controllers/control-plane/machine-facts.ts'
import { whatIsMissing } from '#engine/pool-machines.ts'
import { stuck } from '#engine/stuck.ts'
import { no } from '#runtime/plan.ts'

/**
 * That the cluster has begun is seen only while etcd runs. Written down, it is known also when all
 * machines boot at once, when one was replaced, or when the machines were those of an older operator.
 */
export const recordBegun: Rule = ({ metadata }, { machines }) => {
  const { [BOOTSTRAP_ACCEPTED]: accepted, [BOOTSTRAP_MACHINE]: chosen } = metadata.annotations ?? {}
  if (accepted !== undefined && chosen !== undefined) return undefined
  const member = machines.find((machine) => isMember(machine) && isClaimed(machine))
  const uuid = chosen ?? (member && claimedUuid(member))
  if (!member || !uuid) return undefined
  return {
    steps: [{ do: 'recordBegun', machine: member.metadata.name, uuid }],
    state: 'Bootstrapped',
    ready: no(
      'Bootstrapping',
      `the cluster has begun: ${member.metadata.name} is a member of etcd`,
    ),
  }
}

/**
 * A cluster begins once, on one machine. Which one is written down before it is asked, and no other is
 * ever asked: a lost answer, a crash or an old view can only ask the same machine again, which says so.
 */
export const chooseBootstrap: Rule = ({ metadata }, { machines }) => {
  if (metadata.annotations?.[BOOTSTRAP_MACHINE] || hasBegun(machines)) return undefined
  const unknown = machines.filter((machine) => isClaimed(machine) && !isAnswering(machine))
  const [first] = machines.filter(isUp)
  const uuid = first && claimedUuid(first)
  // One that has its configuration and does not answer may be where the cluster already began.
  if (unknown.length > 0 || !first || !uuid) {
    return waiting(
      'WaitingForMachines',
      `the cluster begins when its machines answer. ${whatIsMissing(machines)}`,
    )
  }
  return {
    steps: [{ do: 'chooseBootstrap', machine: first.metadata.name, uuid }],
    state: 'Available',
    ready: no('Bootstrapping', `the cluster begins on ${first.metadata.name}`),
  }
}

export const bootstrap: Rule = ({ metadata }, { machines }) => {
  if (hasBegun(machines)) return undefined
  const { annotations = {} } = metadata
  const uuid = annotations[BOOTSTRAP_MACHINE] ?? ''
  const chosen = machines.find((one) => claimedUuid(one) === uuid)
  if (annotations[BOOTSTRAP_ACCEPTED] === uuid) return accepted(whatIsMissing(machines))
  if (!chosen) return chosenIsGone(uuid)
  const { name } = chosen.metadata
  if (!isUp(chosen)) {
    return waiting(
      'WaitingForMachines',
      `the cluster begins on ${name}, and on no other machine unless the annotation ${BOOTSTRAP_MACHINE} is removed. ${whatIsMissing([chosen])}`,
    )
  }
  return {
    steps: [{ do: 'bootstrap', machine: name, uuid }],
    state: 'Available',
    ready: no('Bootstrapping', `the cluster begins on ${name}`),
  }
}

/** It began, whatever can be seen of it now: never again. */
const accepted = (missing: string): Decision => ({
  state: 'Bootstrapped',
  ready: no('WaitingForEtcd', `the cluster has begun, and its etcd is not seen yet. ${missing}`),
})

const chosenIsGone = (uuid: string): Decision => ({
  state: 'Pending',
  ready: stuck(
    'BootstrapMachineMissing',
    `the machine ${uuid} that the cluster was to begin on is not among its machines any more. If the cluster never began, remove the annotation ${BOOTSTRAP_MACHINE}, and another one is chosen; if it did, bring that machine back`,
  ),
})

const waiting = (reason: string, message: string): Decision => ({
  state: 'Pending',
  ready: no(reason, message),
})
