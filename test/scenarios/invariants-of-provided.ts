import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { ALLOW_SCALE_DOWN, ROLE } from '#api/labels.ts'
import { finalizerOf, type KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import type { Worker } from '#api/worker.ts'
import { type Call, type KubernetesCall, wordsFor } from './boundary.ts'
import { ownerIn, type ProvidedAround } from './provided-around.ts'

// All of it by what the API had at that moment, and not by what the operator saw of it.

const MOST_LESS = 2

type Made = KubernetesCall & { provided: ProvidedAround }

/** What does not hold of what was done for clusters by their shape, in sentences. */
export const brokenProvided = (history: readonly Call[]): string[] =>
  history
    .filter(isMade)
    .flatMap((call) => problemsOf(call).map((problem) => `${wordsFor(call)}: ${problem}`))

/** How many Machines were made for clusters. */
export const machinesMadeIn = (history: readonly Call[]): number =>
  history.filter(isMade).filter(({ kind, status }) => isMachines(kind) && status === 201).length

const isMade = (call: Call): call is Made =>
  call.to === 'kubernetes' && call.provided !== undefined && (call.status ?? 300) < 300

const isMachines = (kind: string): boolean => kind === ProvidedMachine.plural

function problemsOf(call: Made): string[] {
  if (call.kind === KubernetesCluster.plural) return tooSoon(call)
  if (call.method === 'DELETE') return isMachines(call.kind) ? wrongRemoval(call) : []
  return [...takenOver(call), ...(isMachines(call.kind) ? [] : wrongList(call))]
}

/** A cluster that is let go before what it has, nobody could look after that any more. */
function tooSoon({ name, provided }: Made): string[] {
  const { clusters, machines, parts, sent } = provided
  const cluster = clusters.find(({ metadata }) => metadata.name === name)
  const holds = sent?.metadata?.finalizers?.includes(finalizerOf(KubernetesCluster)) ?? true
  if (holds || !cluster) return []
  return [...parts, ...machines]
    .filter((one) => clusterOf(one, provided) === cluster)
    .map(({ kind, metadata }) => `${kind} ${metadata.name} is still there`)
}

/** Whatever somebody else has made, or what belongs to somebody else, stays so. */
function takenOver({ kind, name, provided }: Made): string[] {
  const all: KubeObject[] = [...(isMachines(kind) ? provided.machines : provided.parts)]
  const isSame = (one: KubeObject) => one.metadata.name === name && one.kind === provided.sent?.kind
  const found = all.find(isSame)
  return found && controllerOf(found) !== ownerIn(provided.sent)?.uid
    ? ['it is there, and not of this cluster']
    : []
}

function wrongRemoval({ name, provided }: Made): string[] {
  const machine = provided.machines.find(({ metadata }) => metadata.name === name)
  if (!machine) return []
  const cluster = clusterOf(machine, provided)
  if (!cluster) return ['it is of no KubernetesCluster']
  return [
    ...stillUsed(name, provided),
    ...(isLeaving(cluster) ? [] : early(machine, cluster, provided)),
  ]
}

/** A machine that is taken away from under the engine can neither be reset nor leave etcd. */
function stillUsed(name: string, { parts, talosMachines }: ProvidedAround): string[] {
  const listing = parts.filter((part) => namesIn(part).includes(name))
  const standing = talosMachines.filter(({ metadata }) =>
    metadata.ownerReferences?.some((owner) => metadata.name === `${owner.name}-${name}`),
  )
  return [
    ...listing.map((part) => `${part.kind} ${part.metadata.name} has it in its list`),
    ...standing.map(({ metadata }) => `TalosMachine ${metadata.name} stands for it`),
  ]
}

function early(
  machine: ProvidedMachine,
  cluster: KubernetesCluster,
  provided: ProvidedAround,
): string[] {
  const { name } = machine.metadata
  if (wantedBy(cluster).includes(name)) return ['its cluster wants it']
  if (!isControlPlane(machine)) return []
  const others = surplusIn(cluster, provided).filter((one) => one.metadata.name !== name)
  return [
    ...others
      .filter((one) => isControlPlane(one) && isLeaving(one))
      .map((one) => `${one.metadata.name} is on its way out`),
    ...outOfOrder(cluster, provided),
  ]
}

/** Workers go before control planes, and no more of these than a user can mean. */
function outOfOrder(cluster: KubernetesCluster, provided: ProvidedAround): string[] {
  const workers = surplusIn(cluster, provided).filter((one) => !isControlPlane(one))
  const own = provided.machines.filter((one) => clusterOf(one, provided) === cluster)
  const less = own.filter(isControlPlane).length - (cluster.spec?.controlPlane?.replicas ?? 0)
  const isAllowed = cluster.metadata.annotations?.[ALLOW_SCALE_DOWN] === 'true'
  return [
    ...workers.map(({ metadata }) => `the worker ${metadata.name} has to go first`),
    ...(less > MOST_LESS && !isAllowed ? [`there are to be ${less} control planes less`] : []),
  ]
}

/** What a part has in its list, and is to have no more. */
function wrongList({ name, provided }: Made): string[] {
  const { sent, parts, machines } = provided
  const part = parts.find((one) => one.metadata.name === name && one.kind === sent?.kind)
  const cluster = part && clusterOf(part, provided)
  if (!part || !cluster) return []
  const after = new Set(namesIn(Object(sent)))
  const dropped = entriesIn(part).filter(({ name: one }) => !after.has(one))
  const wanted = wantedBy(cluster)
  const isThere = (entry: Entry) =>
    machines.some(
      (one) =>
        one.metadata.name === entry.name && one.metadata.uid === entry.uid && !isLeaving(one),
    )
  const needed = dropped.filter((entry) => wanted.includes(entry.name) && isThere(entry))
  return [
    ...needed.map((entry) => `its cluster wants ${entry.name}`),
    ...(part.kind === ControlPlane.kind ? wrongDrop(part, dropped, { cluster, provided }) : []),
  ]
}

function wrongDrop(
  part: ControlPlane | Worker,
  dropped: readonly Entry[],
  { cluster, provided }: { cluster: KubernetesCluster; provided: ProvidedAround },
): string[] {
  if (dropped.length === 0) return []
  const wanted = wantedBy(cluster)
  const listed = namesIn(part).map((name) => `${part.metadata.name}-${name}`)
  const going = provided.talosMachines.filter(
    ({ metadata }) =>
      metadata.ownerReferences?.some(({ uid }) => uid === part.metadata.uid) &&
      !listed.includes(metadata.name),
  )
  return [
    ...(dropped.length > 1 ? [`${dropped.length} control planes go at once`] : []),
    ...going.map(({ metadata }) => `TalosMachine ${metadata.name} has not gone yet`),
    ...(dropped.some(({ name }) => !wanted.includes(name)) ? outOfOrder(cluster, provided) : []),
  ]
}

/** The names of the Machines that a spec asks for. */
function wantedBy({ metadata, spec = {} }: KubernetesCluster): string[] {
  const cluster = spec.clusterName || metadata.name
  const groups = [{ name: 'cp', ...spec.controlPlane }, ...(spec.workers ?? [])]
  return groups.flatMap(({ name, replicas = 0 }) =>
    Array.from({ length: replicas }, (_, index) => `${cluster}-${name}-${index}`),
  )
}

const surplusIn = (cluster: KubernetesCluster, provided: ProvidedAround): ProvidedMachine[] =>
  provided.machines.filter(
    (one) => clusterOf(one, provided) === cluster && !wantedBy(cluster).includes(one.metadata.name),
  )

const clusterOf = (object: KubeObject, { clusters }: ProvidedAround) =>
  clusters.find(({ metadata }) => metadata.uid === controllerOf(object))

const controllerOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid

interface Entry {
  name: string
  uid: string | undefined
}

const entriesIn = ({ spec }: Pick<ControlPlane | Worker, 'spec'>): Entry[] =>
  (spec?.metalSpec?.machines ?? []).flatMap(({ machineRef }) =>
    machineRef?.name ? [{ name: machineRef.name, uid: machineRef.uid }] : [],
  )

const namesIn = (part: Pick<ControlPlane | Worker, 'spec'>): string[] =>
  entriesIn(part).map(({ name }) => name)

const isControlPlane = ({ metadata }: ProvidedMachine): boolean =>
  metadata.labels?.[ROLE] === 'controlplane'

const isLeaving = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined
