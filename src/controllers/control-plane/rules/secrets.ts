import type { ControlPlane } from '#api/control-plane.ts'
import { CLUSTER_ID } from '#api/labels.ts'
import type { Rule } from '#controllers/control-plane/decision.ts'
import { hasBegun } from '#controllers/control-plane/machine-facts.ts'
import { secretsNameOf } from '#engine/cluster-secrets.ts'
import { stuck } from '#engine/stuck.ts'
import { no } from '#runtime/plan.ts'

/**
 * The cluster's secrets are made once. While it is not certain that there never were any, none are made:
 * others would lock everybody out of the machines that have the first ones.
 */
export const secrets: Rule = (controlPlane, { secrets: found }) => {
  if (found.is === 'refused') return { ready: stuck(found.reason, found.message), again: 'later' }
  if (found.is === 'to be made') {
    const name = secretsNameOf(controlPlane)
    return {
      steps: [{ do: 'createSecrets', name, from: found.from }],
      ready: no('CreatingSecrets', `the secrets of the cluster are put into Secret ${name}`),
    }
  }
  if (controlPlane.metadata.annotations?.[CLUSTER_ID] === found.clusterId) return undefined
  return {
    steps: [{ do: 'recordCluster', id: found.clusterId }],
    ready: no('CreatingSecrets', 'the cluster that the secrets are of is written down'),
  }
}

/** Whoever deletes the Secret, or the namespace, would lock everybody out of machines that are in use. */
export const holdSecrets: Rule = (controlPlane, { hold, machines }) => {
  if (hold !== 'loose') return undefined
  const name = secretsNameOf(controlPlane)
  const steps = [{ do: 'holdSecrets' as const, name }]
  // It was ready without: nothing of the cluster changes by it.
  if (controlPlane.status?.state === 'Ready') return { steps, state: 'Ready' }
  const ready = no('CreatingSecrets', `Secret ${name} is held while the cluster needs it`)
  return { steps, ...(hasBegun(machines) && { state: 'Bootstrapped' }), ready }
}

/** Nothing is lost yet, and somebody thinks that it is gone. */
export const condemned = (controlPlane: ControlPlane): { reason: string; message: string } => ({
  reason: 'SecretsDeleted',
  message: `Secret ${secretsNameOf(controlPlane)} was deleted by somebody, and is kept only because the cluster still needs it: it goes with this object. Save a copy of it, and create it again from that if the cluster is to outlive this object`,
})
