import { Secret } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { CreationTries } from '#controllers/kubernetes-cluster/creation-tries.ts'
import { strangeShape } from '#controllers/kubernetes-cluster/foreign-shape.ts'
import { observe } from '#controllers/kubernetes-cluster/observe.ts'
import { isLeaving } from '#controllers/kubernetes-cluster/own.ts'
import {
  blockedBy,
  type KubernetesClusterPlan,
  planEvery,
} from '#controllers/kubernetes-cluster/plan.ts'
import { clusterNameOf } from '#controllers/kubernetes-cluster/shape.ts'
import type { World } from '#controllers/kubernetes-cluster/world.ts'
import { looseSecretsDraft } from '#engine/cluster-secrets.ts'
import { typeMeta } from '#kube/paths.ts'
import type { HeldObjects } from './diff-held.ts'
import { type DiffPorts, NamespaceReader } from './diff-ports.ts'
import type { Said } from './diff-report.ts'
import { afterStep, type ShapeModel, settled } from './diff-shape-model.ts'
import { ShapeReader } from './diff-shape-reader.ts'
import { rehearsed } from './diff-shape-rehearse.ts'
import type { StandIns } from './diff-stand-ins.ts'
import { noResultsFolder } from './no-results-folder.ts'

/** Objects together with what KubernetesClusters among them come to. */
export interface Shaped {
  readonly objects: HeldObjects
  readonly found: ReadonlyMap<string, ShapeFound>
}

/** What the operator would say of a cluster by its shape. */
export interface ShapeFound {
  /** The name of its control plane. */
  readonly controlPlane: string
  readonly problem?: Said
  readonly hindrances: readonly Said[]
  readonly notes: readonly Said[]
}

interface Options {
  /** Of the clusters. */
  readonly names: readonly string[]
  readonly namespace: string
  /** Ids of objects that are not as the API has them. */
  readonly given: ReadonlySet<string>
  /** KubernetesClusters of other namespaces. */
  readonly elsewhere: readonly KubernetesCluster[]
  readonly standIns: StandIns
}

// A look asks for 50 names at most, and a group has up to a thousand machines.
const MOST_ROUNDS = 1_000

/**
 * Has the KubernetesClusters of these names come to what they ask for, by the rules of the operator, as if their
 * providers did what they should. TalosMachines stay as they are: what becomes of them follows from their parts.
 */
export async function withShapes(
  objects: HeldObjects,
  options: Options,
  ports: DiffPorts,
): Promise<Shaped> {
  const found = new Map<string, ShapeFound>()
  let made = objects
  for (const name of options.names) {
    const cluster = made.get(KubernetesCluster, name)
    if (!cluster || isLeaving(cluster) || strangeShape(cluster).length > 0) continue
    const { first, last, model } = await carriedOn(cluster, made, { ...options, ...ports })
    const { held, refusals } = await rehearsed(model, { given: options.given, before: made }, ports)
    made = held.with(objects.list(Machine))
    found.set(name, foundIn(cluster, { first, last, refusals }))
  }
  return { objects: made, found }
}

interface CarriedOn {
  /** What would be decided now. */
  readonly first: KubernetesClusterPlan
  /** What would be seen when nothing is left to do. */
  readonly last: World
  readonly model: ShapeModel
}

async function carriedOn(
  cluster: KubernetesCluster,
  objects: HeldObjects,
  options: Options & DiffPorts,
): Promise<CarriedOn> {
  const look = observe({ provided: { results: noResultsFolder } }, new CreationTries())
  const decide = planEvery(0)
  const now = options.clock.now()
  let first: KubernetesClusterPlan | undefined
  let model: ShapeModel = { held: objects, written: new Map() }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    model = { ...model, held: settled(model.held, cluster, options.standIns) }
    const world = await look(cluster, readerOf(model.held, options))
    const plan = decide(cluster, world, now)
    first ??= plan
    if (plan.steps.length === 0) return { first, last: world, model }
    const on = { cluster, world, secret: await secretFor(world, options) }
    model = plan.steps.reduce((so, step) => afterStep(so, step, on), model)
  }
  throw new Error(`what KubernetesCluster ${cluster.metadata.name} asks for has no end`)
}

function readerOf(held: HeldObjects, options: Options & DiffPorts): ShapeReader {
  const { namespace, elsewhere, signal } = options
  const api = new NamespaceReader(options, namespace, held)
  return new ShapeReader({ namespace, held, elsewhere, signal, api })
}

/** The Secret with the keys that would be made: any will do to try configurations with. */
async function secretFor(
  { secrets }: World,
  { namespace, trialBundle }: Options & DiffPorts,
): Promise<KubeObject | undefined> {
  if (secrets.is !== 'to be made') return undefined
  const { name } = secrets
  const { metadata, ...draft } = looseSecretsDraft({ name }, await trialBundle()).open()
  return { ...typeMeta(Secret), ...draft, metadata: { ...metadata, namespace } }
}

interface Seen {
  first: KubernetesClusterPlan
  last: World
  refusals: readonly Said[]
}

function foundIn(cluster: KubernetesCluster, { first, last, refusals }: Seen): ShapeFound {
  const { conditions, notices = [] } = first
  const invalid = conditions.TopologyValid
  const blocked = 'shape' in last.judged ? blockedBy(last.judged.shape, last) : undefined
  const isRefused = invalid?.ok === false
  return {
    controlPlane: last.talos.controlPlane?.metadata.name ?? clusterNameOf(cluster),
    ...(isRefused && { problem: said(invalid) }),
    hindrances: [...(blocked && !isRefused ? [said(blocked)] : []), ...refusals],
    notes: notices.map(said),
  }
}

const said = ({ reason, message }: Said): Said => ({ reason, message })
