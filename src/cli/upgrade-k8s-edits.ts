import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { Worker } from '#api/worker.ts'
import { clusterOwners } from '#engine/cluster-owners.ts'
import { isOlder } from '#engine/kubernetes-record.ts'
import type { KubeClient, Patch } from '#kube/client.ts'

/** A control plane, its pools, and the TalosClusters of its namespace. */
export interface OfOneCluster {
  readonly controlPlane: ControlPlane
  readonly pools: readonly Worker[]
  readonly clusters: readonly Cluster[]
}

/** One object, and which of its fields get the version. */
export interface Edit {
  readonly kind: typeof Cluster | typeof ControlPlane | typeof Worker
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

/** What has to be written where, so that the version is asked for. A part of a TalosCluster is what that says. */
export function editsFor({ controlPlane, pools, clusters }: OfOneCluster, to: string): Edits {
  const before = controlPlane.spec?.kubeVersion
  const left = pools.filter(({ spec }) => before && isOlder(spec?.kubeVersion, before))
  const following = pools.filter((pool) => !left.includes(pool))
  const places = [
    placeOf(ControlPlane, controlPlane, clusters),
    ...following.map((pool) => placeOf(Worker, pool, clusters)),
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
  { metadata: own, spec: has }: ControlPlane | Worker,
  clusters: readonly Cluster[],
): Place {
  const member = kind === ControlPlane ? 'controlPlane' : 'worker'
  const owners = clusterOwners(own)
  const owner = clusters.find(
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

/** What is in one object is written at once. */
function gathered(places: readonly Place[]): Edit[] {
  const edits = new Map<string, Edit>()
  for (const { kind, name, field } of places) {
    const id = `${kind.kind} ${name}`
    edits.set(id, { kind, name, fields: [...(edits.get(id)?.fields ?? []), field] })
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
