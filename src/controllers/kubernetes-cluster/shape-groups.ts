import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { type Finding, isLabel, LONGEST_NAME, shown } from './finding.ts'

/** Machines that are alike. */
export interface Group {
  /** What their names begin with, and what comes after it is their index. */
  prefix: string
  replicas: number
  template: Readonly<Record<string, unknown>>
}

interface WorkerGroup extends Group {
  name: string
}

/** The machines of a cluster. */
export interface Groups {
  controlPlane: Group
  workers: WorkerGroup[]
}

type Spec = NonNullable<KubernetesCluster['spec']>
type SpecGroup = NonNullable<Spec['workers']>[number]

// Odd, so that etcd has a majority, and few, so that it is quick.
const CONTROL_PLANES = [1, 3, 5]
const CONTROL_PLANE_GROUP = 'cp'
// A slip of the finger must not ask a provider for millions.
const MOST_REPLICAS = 1_000
// As many nodes as Kubernetes is made for.
const MOST_MACHINES = 5_000

/** Judges how many machines there are to be, and what they are called. */
export function judgeGroups(cluster: string, spec: Spec): Finding<Groups> {
  const { replicas, machineTemplate } = spec.controlPlane ?? {}
  const workers = spec.workers ?? []
  const groups = workers.map(({ name = '', ...group }) => ({
    ...{ name, prefix: `${cluster}-${name}`, replicas: group.replicas ?? 0 },
    template: group.machineTemplate?.spec ?? {},
  }))
  const controlPlane = {
    ...{ prefix: `${cluster}-${CONTROL_PLANE_GROUP}`, replicas: replicas ?? 0 },
    template: machineTemplate?.spec ?? {},
  }
  const problems = [
    ...controlPlaneProblems(replicas),
    ...workers.flatMap(groupProblems),
    ...sumProblems(groups),
    ...(isLabel(cluster) ? [controlPlane, ...groups].flatMap(lengthProblems) : []),
  ]
  return { value: { controlPlane, workers: groups }, problems }
}

function controlPlaneProblems(replicas: number | undefined): string[] {
  if (replicas === undefined) return ['spec.controlPlane.replicas is missing: write 1, 3 or 5']
  if (CONTROL_PLANES.includes(replicas)) return []
  return [`spec.controlPlane.replicas is ${replicas}: write 1, 3 or 5`]
}

function groupProblems(
  { name, replicas }: SpecGroup,
  at: number,
  all: readonly SpecGroup[],
): string[] {
  const field = `spec.workers[${at}]`
  return [...nameProblems(field, name, all.slice(0, at)), ...replicasProblems(field, replicas)]
}

function nameProblems(
  field: string,
  name: string | undefined,
  before: readonly SpecGroup[],
): string[] {
  if (!name) return [`${field}.name is missing: it becomes part of the names of its machines`]
  if (name === CONTROL_PLANE_GROUP)
    return [`${field}.name is ${CONTROL_PLANE_GROUP}, as control planes are called: choose another`]
  if (!isLabel(name)) {
    return [`${field}.name is ${shown(name)}: write small letters, digits and hyphens`]
  }
  return before.some((other) => other.name === name)
    ? [`${field}.name is ${name}, as that of another group: each group needs a name of its own`]
    : []
}

function replicasProblems(field: string, replicas: number | undefined): string[] {
  if (replicas === undefined)
    return [`${field}.replicas is missing: write how many, 0 for none at all`]
  const isNumber = Number.isInteger(replicas) && replicas >= 0 && replicas <= MOST_REPLICAS
  return isNumber ? [] : [`${field}.replicas is ${replicas}: write 0 to ${MOST_REPLICAS}`]
}

function sumProblems(groups: readonly WorkerGroup[]): string[] {
  const sum = groups.reduce((before, { replicas }) => before + replicas, 0)
  if (sum <= MOST_MACHINES || groups.some(({ replicas }) => replicas > MOST_REPLICAS)) return []
  return [`spec.workers asks for ${sum} machines together: write ${MOST_MACHINES} at most`]
}

/** The name of a machine becomes its host name. */
function lengthProblems({ prefix, replicas }: Group): string[] {
  const longest = `${prefix}-${Math.max(0, replicas - 1)}`
  if (longest.length <= LONGEST_NAME) return []
  return [
    `a machine would be called ${longest}, which is longer than ${LONGEST_NAME} characters: shorten spec.clusterName (by creating the cluster anew) or the name of the group`,
  ]
}
