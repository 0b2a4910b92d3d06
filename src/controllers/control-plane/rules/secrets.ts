import { CLUSTER_ID } from '#api/labels.ts'
import type { Rule } from '#controllers/control-plane/decision.ts'
import { secretsNameOf } from '#engine/cluster-secrets.ts'
import { no } from '#runtime/plan.ts'

/**
 * The cluster's secrets are made once. While it is not certain that there never were any, none are made:
 * others would lock everybody out of the machines that have the first ones.
 */
export const secrets: Rule = (controlPlane, { secrets: found }) => {
  if (found.is === 'refused') return { ready: no(found.reason, found.message), again: 'later' }
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
