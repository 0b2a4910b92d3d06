import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Worker } from '#api/worker.ts'
import { isOwn } from '#controllers/kubernetes-cluster/own.ts'
import { clusterOwners } from '#engine/cluster-owners.ts'
import { isOlder } from '#engine/kubernetes-record.ts'
import type { KubeClient, Patch } from '#kube/client.ts'

/** A control plane, its pools, and what it is a part of. */
export interface OfOneCluster {
  readonly controlPlane: ControlPlane
  readonly pools: readonly Worker[]
  readonly clusters: readonly Cluster[]
  /** Clusters by their shape. */
  readonly shapes: readonly KubernetesCluster[]
}

/** One object, and which of its fields get the version. */
export interface Edit {
  readonly kind: typeof Cluster | typeof KubernetesCluster | typeof ControlPlane | typeof Worker
  readonly name: string
  readonly fields: readonly Field[]
}

interface Field {
  /** `spec.worker.kubeVersion`. */
  readonly path: string
  readonly from: string
}

export interface Edits {
  readonly edits: readonly Edit[]
  /** The names of the pools that get it with the control plane. */
  readonly followed: readonly string[]
  /** Those that asked for an older one than the control plane did, and keep it. */
  readonly left: readonly Worker[]
}

/** What has to be written where, so that the version is asked for. A part of a cluster is what that says. */
export function editsFor(found: OfOneCluster, to: string): Edits {
  const { controlPlane, pools } = found
  const before = controlPlane.spec?.kubeVersion
  // A cluster by its shape has one version: a pool of its own that has an older one is about to follow.
  const left = pools.filter(
    (pool) => !shapeOf(pool, found) && before && isOlder(pool.spec?.kubeVersion, before),
  )
  const following = pools.filter((pool) => !left.includes(pool))
  const places = [
    placeOf(ControlPlane, controlPlane, found),
    ...following.map((pool) => placeOf(Worker, pool, found)),
  ].filter(({ field }) => field.from !== to)
  return {
    edits: gathered(places),
    followed: following.map(({ metadata }) => metadata.name),
    left,
  }
}

interface Place {
  readonly kind: Edit['kind']
  readonly name: string
  readonly field: Field
}

function placeOf(
  kind: typeof ControlPlane | typeof Worker,
  part: ControlPlane | Worker,
  found: OfOneCluster,
): Place {
  const { metadata: own, spec: has } = part
  const shape = shapeOf(part, found)
  if (shape) {
    const { metadata, spec } = shape
    const field = { path: 'spec.kubernetesVersion', from: spec?.kubernetesVersion ?? '' }
    return { kind: KubernetesCluster, name: metadata.name, field }
  }
  const member = kind === ControlPlane ? 'controlPlane' : 'worker'
  const owners = clusterOwners(own)
  const owner = found.clusters.find(
    ({ metadata, spec }) => owners.includes(metadata.name) && spec?.[member] !== undefined,
  )
  const inline = owner?.spec?.[member]?.kubeVersion
  return owner && inline !== undefined
    ? {
        ...{ kind: Cluster, name: owner.metadata.name },
        field: { path: `spec.${member}.kubeVersion`, from: inline },
      }
    : {
        ...{ kind, name: own.name },
        field: { path: 'spec.kubeVersion', from: has?.kubeVersion ?? '' },
      }
}

const shapeOf = (part: ControlPlane | Worker, { shapes }: OfOneCluster) =>
  shapes.find((shape) => isOwn(shape, part))

/** What is in one object is written at once, and each field once. */
function gathered(places: readonly Place[]): Edit[] {
  const edits = new Map<string, Edit>()
  for (const { kind, name, field } of places) {
    const id = `${kind.kind} ${name}`
    const known = (edits.get(id)?.fields ?? []).filter(({ path }) => path !== field.path)
    edits.set(id, { kind, name, fields: [...known, field] })
  }
  return [...edits.values()]
}

/** The edit in words. */
export const wordsForEdit = ({ kind, name, fields }: Edit, to: string): string =>
  `${kind.kind} ${name}: ${fields.map(({ path, from }) => `${path} ${from} → ${to}`).join(', ')}`

interface Write {
  readonly namespace: string
  readonly to: string
  readonly isDryRun?: boolean
}

/** Makes an edit, unless somebody has asked for something else meanwhile. */
export const makeEdit = (
  client: KubeClient,
  { kind, name, fields }: Edit,
  { namespace, to, isDryRun = false }: Write,
) =>
  client.patch<Edit['kind']>(
    kind,
    { namespace, name },
    { type: 'json', body: patchOf(fields, to), dryRun: isDryRun },
  )

const patchOf = (fields: readonly Field[], to: string): Extract<Patch, { type: 'json' }>['body'] =>
  fields.flatMap(({ path, from }) => {
    const pointer = `/${path.replaceAll('.', '/')}`
    return [
      { op: 'test', path: pointer, value: from },
      { op: 'replace', path: pointer, value: to },
    ]
  })
