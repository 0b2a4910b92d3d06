import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import type { Rule } from '#controllers/control-plane/decision.ts'
import { isClaimed, standing } from '#controllers/control-plane/machine-facts.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { areFactsFixed, type ClusterFacts, recordedFacts } from '#engine/cluster-facts.ts'
import { oldestOf } from '#engine/kubernetes-moves.ts'
import { olderOf } from '#engine/wanted-config-cluster.ts'
import { minorText } from '#machineconfig/versions/version.ts'
import { no } from '#runtime/plan.ts'

/**
 * What the configurations are made for is written down before there is a machine, and stays: or else an edit of a
 * version, or a status that was lost, would change the configurations of all machines at once.
 */
export const recordFacts: Rule = (controlPlane, world) => {
  const recorded = recordedFacts(controlPlane)
  const facts = factsFor(controlPlane, world, recorded)
  const isRecorded =
    facts?.contract === recorded.contract && facts?.kubeVersion === recorded.kubeVersion
  if (!facts || isRecorded) return undefined
  const steps = [{ do: 'recordFacts' as const, ...facts }]
  // It was ready without: nothing of the cluster changes by what is written down of it.
  if (controlPlane.status?.state === 'Ready') return { steps, state: 'Ready' }
  return {
    steps,
    state: standing(world.machines),
    ready: no('CreatingMachines', 'the versions that it is made for are written down'),
  }
}

/** Undefined while it cannot be known: then it is not guessed. */
function factsFor(
  controlPlane: ControlPlane,
  { machines, api }: World,
  recorded: Partial<ClusterFacts>,
): ClusterFacts | undefined {
  const { spec } = controlPlane
  const running = api.is === 'answering' ? oldestOf(api.version, machines) : undefined
  // One of an older operator runs what it was made for, and not what the spec has come to say since.
  const isAnothers = recorded.kubeVersion === undefined && machines.some(isInUse)
  const wanted = isAnothers ? undefined : spec?.kubeVersion
  const kubeVersion = areFactsFixed(controlPlane) ? (recorded.kubeVersion ?? running) : wanted
  if (!spec || kubeVersion === undefined) return undefined
  return { contract: recorded.contract ?? contractOf(spec.version, machines), kubeVersion }
}

/** The oldest that any of them runs takes no newer form. */
export const contractOf = (wanted: string, machines: readonly Machine[]): string =>
  minorText(machines.map(({ status }) => status?.observedVersion ?? wanted).reduce(olderOf, wanted))

const isInUse = (machine: Machine): boolean => isClaimed(machine) || Boolean(machine.status?.config)
