import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { ALLOW_SCALE_DOWN } from '#api/labels.ts'
import type { Failure, Plan, Verdict } from '#runtime/plan.ts'
import { no, yes } from '#runtime/plan.ts'
import { fileSteps, filesVerdict, filesWakeAt } from './files-rules.ts'
import { installedSteps } from './installed-rules.ts'
import { lostControlPlane } from './lost-control-plane.ts'
import { addressPath } from './machine-address.ts'
import { makingSteps, removalSteps, waitingFor } from './machine-rules.ts'
import { isServed, noticesFor } from './notices.ts'
import { readinessOf, statusOf } from './readiness.ts'
import { saidBefore } from './said-before.ts'
import type { Shape } from './shape.ts'
import { isControlPlane } from './surplus.ts'
import { takenWords } from './taken.ts'
import { talosSteps } from './talos-rules.ts'
import { nameIsTaken, withheld } from './withheld.ts'
import type { Step, World } from './world.ts'

export type KubernetesClusterPlan = Plan<Step, typeof KubernetesCluster>

// More at once would be a slip of the finger more often than not: 5 that become 1.
const MOST_CONTROL_PLANES_LESS = 2

/** What follows for a cluster that is looked at so often. */
export const planEvery =
  (resyncMs: number) =>
  (cluster: KubernetesCluster, world: World, now: Date): KubernetesClusterPlan => {
    const later = new Date(now.getTime() + resyncMs)
    const problems = problemsIn(cluster, world)
    if (problems.length > 0 || !('shape' in world.judged)) {
      return refused(problems, { cluster, world, later })
    }
    const { namesake } = world
    if (namesake !== undefined) return withheld(world, { namesake, later })
    return carriedOn(cluster, world, { shape: world.judged.shape, now, later })
  }

function problemsIn(cluster: KubernetesCluster, world: World): string[] {
  const { judged, secrets } = world
  if ('problems' in judged) return judged.problems
  return [
    ...(secrets.is === 'wrong' ? [secrets.problem] : []),
    ...scaleDownProblems(cluster, judged.shape, world),
    ...domainProblems(judged.shape, world),
  ]
}

function scaleDownProblems({ metadata }: KubernetesCluster, { controlPlane }: Shape, world: World) {
  const isAllowed = metadata.annotations?.[ALLOW_SCALE_DOWN] === 'true'
  const present = world.machines.filter(isControlPlane).length
  const less = present - controlPlane.replicas
  if (isAllowed || less <= MOST_CONTROL_PLANES_LESS) return []
  return [
    `spec.controlPlane.replicas is ${controlPlane.replicas} and there are ${present}: go down by two at a time, or annotate the cluster with ${ALLOW_SCALE_DOWN}=true`,
  ]
}

/** Names in a cluster end with it, and all certificates have it. */
function domainProblems({ dnsDomain }: Shape, { talos }: World): string[] {
  const { clusterDomain = dnsDomain } = talos.controlPlane?.spec ?? {}
  return clusterDomain === dnsDomain
    ? []
    : [
        `spec.talosConfig.cluster.network.dnsDomain is ${dnsDomain}, and the cluster was made with ${clusterDomain}: it cannot be changed, so set it back`,
      ]
}

interface Refused {
  cluster: KubernetesCluster
  world: World
  later: Date
}

/** Nothing that is there is touched, and nothing is made: what was said of Machines and files stays true. */
function refused(
  problems: readonly string[],
  { cluster, world, later }: Refused,
): KubernetesClusterPlan {
  const message = problems.join('; ')
  return {
    steps: [],
    status: { ...statusOf(world, world.machines.length), phase: 'Failed' },
    conditions: {
      TopologyValid: no('ValidationFailed', message),
      Ready: no('ValidationFailed', message),
      ...saidBefore(cluster, 'MachinesCreated', 'FilesGenerated'),
    },
    failure: { code: 'ValidationError', message },
    needsTeardown: false,
    wakeAt: later,
  }
}

interface Given {
  shape: Shape
  now: Date
  later: Date
}

function carriedOn(
  cluster: KubernetesCluster,
  world: World,
  { shape, now, later }: Given,
): KubernetesClusterPlan {
  const steps = stepsFor(cluster, world, { shape, now })
  const created = steps.filter((step) => step.do === 'createMachine').length
  const conflict = conflictIn(world)
  const waiting = waitingFor(world)
  const blocked = blockedBy(shape, world)
  const status = statusOf(world, world.machines.length + created)
  return {
    steps,
    status: { ...status, ...(blocked && status.phase === 'Running' && STILL_COMING) },
    conditions: {
      TopologyValid: yes('ValidationSucceeded', 'the spec makes sense'),
      MachinesCreated: creation(conflict, waiting),
      FilesGenerated: filesVerdict(world),
      Ready: blocked ?? readinessOf(world),
    },
    notices: noticesFor(shape, world),
    ...(conflict && { failure: conflict }),
    wakeAt: filesWakeAt(world, later),
  }
}

/**
 * A cluster that runs is looked after before Machines are made, which a provider or the API may refuse for good. Files
 * come last: what fails before them is known to have kept them from being written.
 */
function stepsFor(
  cluster: KubernetesCluster,
  world: World,
  { shape, now }: Pick<Given, 'shape' | 'now'>,
): Step[] {
  const { secrets, talos } = world
  const care: Step[] = [
    ...removalSteps(world),
    ...(secrets.is === 'to be made' && isServed(shape)
      ? [{ do: 'createSecrets' as const, name: secrets.name, from: secrets.from }]
      : []),
    ...talosSteps({ cluster, shape, world }),
    ...installedSteps(world),
  ]
  const making = makingSteps(world)
  const all = talos.controlPlane ? [...care, ...making] : [...making, ...care]
  return [...all, ...fileSteps(world, now)]
}

const STILL_COMING = { phase: 'Provisioning' } as const

/** What keeps a cluster from becoming what its spec says, though the spec makes sense. */
export function blockedBy(shape: Shape, world: World): Verdict | undefined {
  const conflict = conflictIn(world)
  if (conflict) return no('OwnerReferenceFailed', conflict.message)
  return unserved(shape, world) ?? lostIn(world)
}

/** Machines of any version can be made; only those that we know can be installed. */
function unserved(shape: Shape, { wanted, machines }: World): Verdict | undefined {
  const named = new Map(machines.map((machine) => [machine.metadata.name, machine]))
  const isAddressed = wanted.every(({ name, role }) => {
    const machine = role === 'controlplane' ? named.get(name) : undefined
    return role !== 'controlplane' || (machine && addressPath(machine) !== undefined)
  })
  if (isServed(shape) || !isAddressed) return undefined
  return no(
    'MachinesNotReady',
    `its machines have addresses, and Talos ${shape.talosVersion} is none that can be installed: change spec.talosVersion`,
  )
}

function lostIn(world: World): Verdict | undefined {
  const lost = lostControlPlane(world)
  return lost === undefined ? undefined : no('MachinesNotReady', lost)
}

/** Something of another is in the way: it is never taken over. */
function conflictIn({ taken, namesake }: World): Failure | undefined {
  if (namesake !== undefined) return nameIsTaken(namesake)
  if (taken.length === 0) return undefined
  const message = `${takenWords(taken)}: it is left as it is. Rename or delete one of the two, or make this cluster its controller`
  return { code: 'OwnerReferenceError', message }
}

const creation = (conflict: Failure | undefined, waiting: string | undefined): Verdict =>
  conflict || waiting !== undefined
    ? no('CreationFailed', conflict?.message ?? waiting ?? '')
    : yes('CreationSucceeded', 'every Machine that the spec asks for is there')
