import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import { liveObject } from '#engine/live-object.ts'
import { keyOf } from '#kube/cache.ts'
import type { Reader } from '#runtime/reader.ts'
import { canBegin } from './beginning.ts'
import type { CreationTries } from './creation-tries.ts'
import { fileOf, type Wanted, wantedMachines } from './drafts.ts'
import { partsOf } from './entries.ts'
import { isLabel } from './finding.ts'
import { inTheirPlaces } from './in-place.ts'
import { lookAtGone } from './look-gone.ts'
import { lookAtOthers } from './look-others.ts'
import { lookAtSecrets } from './look-secrets.ts'
import { byClusterName, namesakeOf } from './namesake.ts'
import { isOwn } from './own.ts'
import type { ProvidedPorts } from './ports.ts'
import type { FilesOwner, FilesSeen, ResultsFolder } from './results.ts'
import { isAtRest, SecretsAtRest } from './secrets-at-rest.ts'
import { clusterNameOf, judge, type Shape } from './shape.ts'
import { normalisedEndpoint } from './shape-network.ts'
import type { SecretsSeen, Taken, TalosSeen, World } from './world.ts'

const NO_SECRETS: SecretsSeen = { is: 'wrong', problem: 'the spec is wrong' }
const NO_FILES: FilesSeen = { stale: [], surplus: [] }

/** What clusters are found by: their names and endpoints, which should be one cluster's alone. */
export const foundBy = {
  name: byClusterName,
  endpoint: ({ spec }: KubernetesCluster): string[] => {
    const endpoint = normalisedEndpoint(spec?.clusterEndpoint ?? '')
    return endpoint ? [endpoint] : []
  },
}

interface LookPorts {
  provided: Pick<ProvidedPorts['provided'], 'results'>
}

/** Looks at all that a cluster has, and at what stands in its way. */
export const observe = ({ provided: { results } }: LookPorts, tries: CreationTries) => {
  const atRest = new SecretsAtRest()
  return async (cluster: KubernetesCluster, read: Reader): Promise<World> => {
    const judged = judge(cluster)
    const isLeaving = cluster.metadata.deletionTimestamp !== undefined
    if (isLeaving) tries.ended(cluster)
    const shape = 'shape' in judged && !isLeaving ? judged.shape : undefined
    const wanted = shape ? wantedMachines(cluster, shape) : []
    const own = ownOf(cluster, read)
    const known = restingIn(cluster, { wanted, ...own }, read) ? atRest.of(cluster) : undefined
    const isKnown = known !== undefined
    const others = await lookAtOthers(cluster, { shape, wanted, ...own, isKnown }, read)
    const { free, held, isOld, controlPlane } = others
    const seen = withOthers(cluster, { own, others }, read)
    const asked = { cluster, shape, controlPlane, isBeginning: canBegin({ wanted, ...seen }) }
    const secrets = known ?? (await secretsOf(asked, read))
    atRest.note(cluster, secrets)
    const { handedOver, ...gone } = await lookAtGone(cluster, seen, read)
    return {
      ...{ judged, wanted: inTheirPlaces(wanted, seen), ...seen, free, held, isOld, secrets },
      ...{ ...gone, taken: eachOnce([...others.taken, ...handedOver]) },
      files: await filesOf(cluster, { made: madeOf(wanted, { ...seen, free }), results }, read),
      sameEndpoint: sharing(cluster, shape, read),
      ...(shape && { namesake: namesakeOf(cluster, seen, read) }),
      ...(isLeaving && { leftUnseen: await leftUnseen(cluster, own, read) }),
    }
  }
}

const eachOnce = (taken: readonly Taken[]): Taken[] => [
  ...new Map(taken.map((one) => [one.what, one])).values(),
]

/** Whether nothing depends on the keys, and nobody is seen to have the name of its control plane. */
const restingIn = (
  cluster: KubernetesCluster,
  seen: Own & Pick<World, 'wanted'>,
  read: Reader,
): boolean => isAtRest(seen) && read.get(ControlPlane, clusterNameOf(cluster)) === undefined

type Asked = Omit<Parameters<typeof lookAtSecrets>[0], 'shape'> & { shape: Shape | undefined }

const secretsOf = async ({ shape, ...asked }: Asked, read: Reader): Promise<SecretsSeen> =>
  shape ? lookAtSecrets({ ...asked, shape }, read) : NO_SECRETS

/** The cluster's own, what no cache shows of it included. */
function withOthers(
  cluster: KubernetesCluster,
  { own, others }: { own: Own; others: Awaited<ReturnType<typeof lookAtOthers>> },
  read: Reader,
): Own {
  const { controlPlane } = others
  const parts = {
    controlPlane: controlPlane && isOwn(cluster, controlPlane) ? controlPlane : undefined,
    workers: [...own.talos.workers, ...others.workers],
  }
  return { machines: [...own.machines, ...others.machines], talos: withMachines(parts, read) }
}

interface Own {
  machines: ProvidedMachine[]
  talos: TalosSeen
}

/** What the caches show of the cluster's own. */
function ownOf(cluster: KubernetesCluster, read: Reader): Own {
  const owned = { ownerUid: cluster.metadata.uid ?? '' }
  const isOurs = (object: KubeObject) => isOwn(cluster, object)
  const [controlPlane] = read.list(ControlPlane, owned).filter(isOurs)
  const workers = read.list(Worker, owned).filter(isOurs)
  return {
    machines: read.list(ProvidedMachine, owned).filter(isOurs),
    talos: withMachines({ controlPlane, workers }, read),
  }
}

const withMachines = (parts: Omit<TalosSeen, 'machines'>, read: Reader): TalosSeen => ({
  ...parts,
  machines: partsOf(parts).flatMap(({ metadata }) =>
    read.list(Machine, { ownerUid: metadata.uid ?? '' }),
  ),
})

/** Those that are there, or are made in this pass. Whoever applies the file of another one writes over what is somebody's. */
function madeOf(
  wanted: readonly Wanted[],
  { machines, free }: Pick<World, 'machines' | 'free'>,
): Wanted[] {
  const names = new Set([...machines.map(({ metadata }) => metadata.name), ...free])
  return wanted.filter(({ name }) => names.has(name))
}

async function filesOf(
  cluster: KubernetesCluster,
  { made, results }: { made: readonly Wanted[]; results: ResultsFolder },
  read: Reader,
): Promise<FilesSeen> {
  const owner = filesOwner(cluster)
  if (!isLabel(owner.folder)) return NO_FILES
  return results.look(
    owner,
    made.map(fileOf),
    ({ namespace, name, uid }) =>
      read.get(KubernetesCluster, name, namespace)?.metadata.uid === uid,
  )
}

export const filesOwner = (cluster: KubernetesCluster): FilesOwner => {
  const { namespace = '', name, uid = '', generation = 0 } = cluster.metadata
  return { folder: clusterNameOf(cluster), namespace, name, uid, generation }
}

const sharing = (cluster: KubernetesCluster, shape: Shape | undefined, read: Reader): string[] =>
  (shape ? read.find(KubernetesCluster, 'endpoint', shape.endpoint) : [])
    .filter(({ metadata }) => metadata.uid !== cluster.metadata.uid)
    .map(keyOf)

/** The cluster goes when nothing of it is left: whoever believes that asks first. */
async function leftUnseen(
  cluster: KubernetesCluster,
  { machines, talos }: Own,
  read: Reader,
): Promise<string | undefined> {
  if (talos.workers.length > 0) return undefined
  const isOurs = (object: KubeObject) => isOwn(cluster, object)
  const [worker] = (await read.fetchAll(Worker, cluster)).filter(isOurs)
  if (worker) return `TalosWorker ${worker.metadata.name}`
  if (talos.controlPlane) return undefined
  const name = clusterNameOf(cluster)
  const controlPlane = isLabel(name) ? await liveObject(ControlPlane, name, read) : undefined
  if (controlPlane && isOurs(controlPlane)) return `TalosControlPlane ${name}`
  if (machines.length > 0) return undefined
  const [machine] = (await read.fetchAll(ProvidedMachine, cluster)).filter(isOurs)
  return machine && `Machine ${machine.metadata.name}`
}
