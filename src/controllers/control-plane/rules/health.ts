import type { ControlPlane } from '#api/control-plane.ts'
import type { Decision, Rule } from '#controllers/control-plane/decision.ts'
import { isClaimed } from '#controllers/control-plane/machine-facts.ts'
import type { Delivered, Due, Step, Taken } from '#controllers/control-plane/world.ts'
import { isReadyNow, judgedBy, whatIsMissing } from '#engine/pool-machines.ts'
import { stuck } from '#engine/stuck.ts'
import { endpointOf } from '#engine/wanted-config-cluster.ts'
import { no } from '#runtime/plan.ts'
import { isTurnHeld, rollingOut } from './rollout.ts'

/** What users are given is written as soon as it is good for something, and kept good. */
export const deliver: Rule = ({ status }, { due, machines }) => {
  if (due.length === 0) return undefined
  const steps = deliverySteps(due)
  // What is only renewed makes nothing less ready than it was.
  if (status?.state === 'Ready') return { steps, state: 'Ready' }
  const message = `its credentials are written. ${whatIsMissing(machines)}`.trim()
  return { steps, state: 'Bootstrapped', ready: no('Delivering', message) }
}

/** What writes these. */
export const deliverySteps = (due: readonly Due[]): Step[] =>
  due.map((one) => ({ do: 'deliver' as const, ...one }))

/** Nobody reaches a cluster whose credentials cannot be handed out. */
export const notDelivered: Rule = (_controlPlane, { taken }) => {
  const first = taken.find(({ what }) => FOR_USERS.includes(what))
  return (
    first && {
      state: 'Bootstrapped',
      ready: stuck('SecretNameTaken', wordsForTaken(first)),
      again: 'later',
    }
  )
}

const FOR_USERS: readonly Delivered[] = ['kubeconfig', 'talosconfig']

/** What is in the way of a Secret that we want to write. */
export const wordsForTaken = ({ what, name, why }: Taken): string =>
  `Secret ${name} ${why}, so the ${what} of this control plane is not put there: rename or delete it`

/**
 * What answers before the cluster has begun is something else, and machines that are to join there never
 * would. So it is looked before anything is done to them.
 */
export const endpointTaken: Rule = (controlPlane, { api, machines }) => {
  if (machines.some(isClaimed) || api.is === 'answering') return undefined
  if (api.is === 'connecting') return checkingEndpoint(controlPlane)
  return api.reason === 'Untrusted'
    ? { state: 'Pending', ready: anotherCluster(endpointOf(controlPlane), api.message) }
    : undefined
}

/** Whoever answers there is known in a moment. */
export const checkingEndpoint = (controlPlane: ControlPlane): Decision => ({
  state: 'Pending',
  ready: no(
    'CheckingEndpoint',
    `it is looked whether something else answers at ${endpointOf(controlPlane)}`,
  ),
})

export const anotherCluster = (endpoint: string, why: string) =>
  stuck(
    'EndpointOfAnotherCluster',
    `what answers at ${endpoint} is not this cluster: ${why}. Correct spec.endpoint, or what it leads to`,
  )

/** The endpoint is what everybody else reaches the cluster by. */
export const apiAnswers: Rule = (controlPlane, { api }) => {
  if (api.is === 'answering') return undefined
  // Who has just begun to look does not know better than who looked before, unless that was at another endpoint.
  if (api.is === 'connecting' && wasReady(controlPlane)) return undefined
  const endpoint = endpointOf(controlPlane)
  const begun = { state: 'Bootstrapped' as const }
  if (api.is === 'connecting') {
    return { ...begun, ready: no('WaitingForApi', `${endpoint} has not answered yet`) }
  }
  if (api.reason === 'Untrusted') {
    return { ...begun, ready: anotherCluster(endpoint, api.message) }
  }
  return {
    ...begun,
    ready: no(
      api.reason === 'Refused' ? 'ApiRefuses' : 'ApiUnreachable',
      `the Kubernetes API at ${endpoint} ${api.reason === 'Refused' ? 'refuses us' : 'does not answer'}: ${api.message}`,
    ),
  }
}

/** As its spec is now. */
const wasReady = ({ metadata, status }: ControlPlane): boolean =>
  status?.state === 'Ready' &&
  (status.observedGeneration === undefined || status.observedGeneration === metadata.generation)

export const machinesReady: Rule = (_controlPlane, world) => {
  const machines = judgedBy(world.machines, world.pool)
  if (isTurnHeld(world)) return rollingOut(machines)
  return machines.every(isReadyNow)
    ? { state: 'Ready' }
    : { state: 'Bootstrapped', ready: no('MachinesNotReady', whatIsMissing(machines)) }
}
