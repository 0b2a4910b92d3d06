import type { ControlPlane } from '#api/control-plane.ts'
import { BOOTSTRAP_ACCEPTED, BOOTSTRAP_MACHINE, ETCD_SEEN, RECONCILE_MODE } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/control-plane/decision.ts'
import {
  claimedUuid,
  hasBegun,
  hasEverBegun,
  hasLeft,
  isAnswering,
  isClaimed,
} from '#controllers/control-plane/machine-facts.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { secretsNameOf } from '#engine/cluster-secrets.ts'
import { memberOf } from '#engine/etcd-members.ts'
import { whatIsMissing } from '#engine/pool-machines.ts'
import { stuck } from '#engine/stuck.ts'
import { endpointOf } from '#engine/wanted-config-cluster.ts'
import { no } from '#runtime/plan.ts'
import { accepted, RECOVERY } from './bootstrap.ts'
import { anotherCluster, checkingEndpoint } from './health.ts'

// Keys outlive the control plane that they were made for, and so do clusters. Before one begins, whatever could tell that
// it did already is looked at: a second etcd with the same keys tears it in two.

/**
 * Whoever answers with our keys where nothing of ours has begun is a cluster that was let go of. A machine that is given
 * its configuration would join that, so none is.
 */
export const runsAlready: Rule = (controlPlane, { api, machines }) => {
  if (
    machines.some((one) => isClaimed(one) || isOfOlder(one)) ||
    hasBegun(machines) ||
    hasEverBegun(controlPlane)
  )
    return undefined
  return isServing(api) ? { state: 'Pending', ready: alreadyRuns(controlPlane) } : undefined
}

/** The same once machines have their configuration: what answers is then a cluster that came back, or one that we began. */
export const apiIsSilent: Rule = (controlPlane, { api, machines }) => {
  if (isKnownToHaveBegun(controlPlane, machines)) return undefined
  if (api.is === 'connecting') return checkingEndpoint(controlPlane)
  if (isServing(api)) return servedBy(controlPlane, machines)
  return api.is === 'silent' && api.reason === 'Untrusted'
    ? { state: 'Pending', ready: anotherCluster(endpointOf(controlPlane), api.message) }
    : undefined
}

/** A machine that was a member says so for as long as its object is there, whatever else was lost. */
export const membersAreNoted: Rule = (controlPlane, { machines }) => {
  if (isKnownToHaveBegun(controlPlane, machines)) return undefined
  const noted = machines.some((one) => !hasLeft(one) && memberOf(one).length > 0)
  return noted ? accepted(machines, RECOVERY) : undefined
}

/**
 * Keys that were not made for this very object may be those of a cluster that runs, on machines that are off or out of
 * reach just now. Whoever has answered is known not to be one of those, or to be one.
 */
export const allHaveAnswered: Rule = (controlPlane, { machines, secrets }) => {
  if (isKnownToHaveBegun(controlPlane, machines)) return undefined
  if (secrets.is !== 'there' || !secrets.areBrought) return undefined
  const unheard = machines.filter((one) => !isClaimed(one) && one.status?.uuid === undefined)
  if (unheard.length === 0) return undefined
  const message = `the keys in Secret ${secretsNameOf(controlPlane)} were not made for this control plane, so a cluster may have begun with them: this one begins when each of its machines has answered once. ${whatIsMissing(unheard)}. Take out of spec.metalSpec.machines what is not to be waited for`
  return { state: 'Pending', ready: no('WaitingForMachines', message) }
}

/** By what was seen of its etcd, or by what is written down. */
function isKnownToHaveBegun({ metadata }: ControlPlane, machines: readonly Machine[]): boolean {
  const { annotations = {} } = metadata
  const chosen = annotations[BOOTSTRAP_MACHINE]
  return (
    hasBegun(machines) ||
    annotations[ETCD_SEEN] !== undefined ||
    (chosen !== undefined && chosen === annotations[BOOTSTRAP_ACCEPTED])
  )
}

/** Whether an API server with a certificate of our own authority is there, though it may not let us in yet. */
const isServing = (api: World['api']): boolean =>
  api.is === 'answering' || (api.is === 'silent' && api.reason === 'Refused')

/** Whether it was configured by an older operator, and is taken over from that as soon as it answers. */
const isOfOlder = ({ status }: Machine): boolean => Boolean(status?.config)

function servedBy(controlPlane: ControlPlane, machines: readonly Machine[]): Decision {
  const unheard = machines.filter((one) => isToBeHeard(one) && !hasLeft(one))
  if (unheard.length > 0) {
    const message = `the Kubernetes API at ${endpointOf(controlPlane)} answers with the keys of this cluster, which has begun, then. ${whatIsMissing(unheard)}`
    return { state: 'Pending', ready: no('WaitingForMachines', message), again: 'soon' }
  }
  const uuid = controlPlane.metadata.annotations?.[BOOTSTRAP_MACHINE]
  const chosen = machines.find((one) => uuid !== undefined && claimedUuid(one) === uuid)
  if (!chosen) return { state: 'Pending', ready: alreadyRuns(controlPlane) }
  const { name } = chosen.metadata
  // It may have been asked by one of us who did not live to write that down, and is seen to be a member in a moment.
  const message = `the Kubernetes API at ${endpointOf(controlPlane)} answers with the keys of this cluster, and ${name}, on which it was to begin, is not seen to be a member of etcd yet. If this lasts, ${WAYS}`
  return { state: 'Pending', ready: no('WaitingForEtcd', message), again: 'soon' }
}

/** Whether it may be a member of that cluster, for all that is known. */
const isToBeHeard = (machine: Machine): boolean =>
  isClaimed(machine) ? !isAnswering(machine) : isOfOlder(machine)

const alreadyRuns = (controlPlane: ControlPlane) =>
  stuck(
    'ClusterRunsAlready',
    `the Kubernetes API at ${endpointOf(controlPlane)} answers with the keys in Secret ${secretsNameOf(controlPlane)}: ${WAYS}`,
  )

const WAYS = `the cluster runs already, on machines that this object did not configure, and is not begun a second time. To take it over, list the machines that it runs on and set ${RECONCILE_MODE}: import, as docs/guides/importing.md says; to have them installed anew, wipe them with \`talosctl reset\`; to make another cluster, give it another name, which gets keys of its own, and another endpoint`
