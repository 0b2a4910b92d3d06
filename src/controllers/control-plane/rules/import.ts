import type { ControlPlane } from '#api/control-plane.ts'
import type { Rule } from '#controllers/control-plane/decision.ts'
import { isClaimed } from '#controllers/control-plane/machine-facts.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { isToBeImported } from '#engine/adoption.ts'
import { clusterVerdict, IMPORTING, importProblem } from '#engine/import-verdict.ts'
import { machineSteps, machinesInTheWay } from '#engine/pool-machines.ts'
import { stuck } from '#engine/stuck.ts'
import { no } from '#runtime/plan.ts'
import { contractOf } from './facts.ts'

/** Whether the cluster is still to be taken over. One of whose machines is ours is ours. */
const isImporting = (controlPlane: ControlPlane, { machines }: World): boolean =>
  isToBeImported(controlPlane) && !machines.some(isClaimed)

/** Without the keys of a cluster nobody could even ask it. */
export const importNeedsKeys: Rule = (controlPlane, world) => {
  if (!isImporting(controlPlane, world) || controlPlane.spec?.configRef) return undefined
  if (world.secrets.is !== 'refused' || world.secrets.reason !== 'SecretsLost') return undefined
  return {
    ready: stuck(
      'ConfigRefMissing',
      'spec.configRef: to take over a cluster its keys are needed. Put the machine configuration of one of its control planes into a ConfigMap, and name that here',
    ),
  }
}

/**
 * A cluster that runs is taken over as a whole or not at all. Until all of it was seen to be as it is described, nothing is
 * written but the objects of its machines, which only say what they see.
 */
export const importCluster: Rule = (controlPlane, world) => {
  const { secrets, pool, unresolved, api } = world
  if (!isImporting(controlPlane, world) || secrets.is === 'refused') return undefined
  // An older operator kept them, and its machines cannot be asked before they are where they belong.
  if (secrets.is === 'to be made' && secrets.from !== 'configRef') return undefined
  const steps = machineSteps(pool)
  if (steps.length > 0) {
    return { steps, ready: no(IMPORTING, 'the objects of its machines are made') }
  }
  if (unresolved) return { ready: no(unresolved.reason, unresolved.message), again: 'soon' }
  const ready =
    machinesInTheWay(pool) ?? importProblem(clusterVerdict(controlPlane, pool.known, api))
  return ready && { ready }
}

/** All of it is as it is described: from now on it is ours, and its machines may say so, too. */
export const adopt: Rule = (controlPlane, world) => {
  const { spec } = controlPlane
  const { known } = world.pool
  const uuids = known.flatMap(({ status }) => status?.uuid ?? [])
  if (!spec || uuids.length === 0 || !isImporting(controlPlane, world)) return undefined
  const { version, kubeVersion } = spec
  return {
    steps: [{ do: 'adopt', machines: uuids, contract: contractOf(version, known), kubeVersion }],
    state: 'Bootstrapped',
    ready: no(IMPORTING, 'the cluster is as it is described, and is taken over as it runs'),
  }
}
