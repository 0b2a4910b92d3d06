import { BOOTSTRAP_ACCEPTED, BOOTSTRAP_MACHINE, ETCD_SEEN } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/control-plane/decision.ts'
import {
  claimedUuid,
  hasBegun,
  hasLeft,
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
export const recordBegun: Rule = ({ metadata, status }, { machines }) => {
  const { annotations = {} } = metadata
  const notes = [BOOTSTRAP_ACCEPTED, BOOTSTRAP_MACHINE, ETCD_SEEN]
  if (notes.every((note) => annotations[note] !== undefined)) return undefined
  const member = machines.find((machine) => isMember(machine) && isClaimed(machine))
  const on = member && claimedUuid(member)
  if (!member || !on) return undefined
  const uuid = annotations[BOOTSTRAP_MACHINE] ?? on
  const steps = [{ do: 'recordBegun' as const, machine: member.metadata.name, uuid, on }]
  // It was ready without: nothing of the cluster changes by what is written down of it.
  if (status?.state === 'Ready') return { steps, state: 'Ready' }
  return {
    steps,
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
export const chooseBootstrap: Rule = ({ metadata }, { machines, pool }) => {
  const { [BOOTSTRAP_MACHINE]: known, [ETCD_SEEN]: seen } = metadata.annotations ?? {}
  if (known || seen || hasBegun(machines)) return undefined
  // Whoever was let go before anything began is not where it did.
  const unknown = machines.filter(
    (machine) => isClaimed(machine) && !isAnswering(machine) && !hasLeft(machine),
  )
  // Whoever is in the spec no more would take the cluster with it.
  const [first] = pool.known.filter(isUp)
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
  // Once it was seen, whatever is wrong with it now, beginning anew would lose what is in it.
  if (annotations[ETCD_SEEN] !== undefined) return accepted(machines, RECOVERY)
  if (annotations[BOOTSTRAP_ACCEPTED] === uuid) {
    return accepted(machines, chosen && isUp(chosen) ? wayOut(chosen) : undefined)
  }
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

/** It began, whatever can be seen of it now: never again, unless somebody who knows better says so. */
export function accepted(machines: readonly Machine[], ifItLasts: string | undefined): Decision {
  const waits = `the cluster has begun, and its etcd is not seen yet. ${whatIsMissing(machines)}`
  const message = ifItLasts === undefined ? waits : `${waits}. If this lasts, ${ifItLasts}`
  return { state: 'Bootstrapped', ready: no('WaitingForEtcd', message) }
}

export const RECOVERY =
  'and the data of etcd was wiped or is lost, recover it from a snapshot, see docs/guides/lost-quorum.md: it is never begun empty again'

/** Whoever loses power at that moment has forgotten that it was asked, and waits to be. */
const wayOut = ({ metadata }: Machine): string =>
  `${metadata.name} may have lost power before its etcd began: remove the annotation ${BOOTSTRAP_ACCEPTED} from this object, and that machine, and no other, is asked again`

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
