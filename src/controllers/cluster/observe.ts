import type { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { Worker } from '#api/worker.ts'
import { sameJson } from '#base/same-json.ts'
import type { CacheReader } from '#runtime/reader.ts'
import { isNothing, takenOff } from './copied.ts'
import { controlPlaneDraft, workerDraft } from './drafts.ts'
import type { Part, World } from './plan.ts'

/** Looks at the parts of a cluster. */
export function observe(cluster: Cluster, read: Pick<CacheReader, 'get' | 'list'>): World {
  const { spec } = cluster
  const owned = { ownerUid: cluster.metadata.uid ?? '' }
  const controlPlanes = read.list(ControlPlane, owned)
  const workers = read.list(Worker, owned)
  const controlPlaneName = nameOf(cluster, {
    isInline: spec?.controlPlane !== undefined,
    referred: spec?.controlPlaneRef?.name,
    own: controlPlanes,
  })
  const workerName = nameOf(cluster, {
    isInline: spec?.worker !== undefined,
    referred: spec?.workerRef?.name,
    own: workers,
  })
  // Without a control plane of its own the cluster's workers join the one that they name.
  const joined =
    controlPlaneName || (spec?.worker?.controlPlaneRef?.name ?? '') || cluster.metadata.name
  const controlPlane = controlPlaneName ? read.get(ControlPlane, controlPlaneName) : undefined
  const worker = workerName ? read.get(Worker, workerName) : undefined
  return {
    joined,
    controlPlane: partOf({
      kind: ControlPlane.kind,
      name: controlPlaneName,
      isInline: spec?.controlPlane !== undefined,
      child: controlPlane,
      own: controlPlanes,
      wanted: controlPlaneDraft(cluster, controlPlaneName, controlPlane),
    }),
    worker: partOf({
      kind: Worker.kind,
      name: workerName,
      isInline: spec?.worker !== undefined,
      child: worker,
      own: workers,
      wanted: workerDraft(cluster, { name: workerName, controlPlane: joined, child: worker }),
    }),
  }
}

interface Naming {
  isInline: boolean
  referred: string | undefined
  own: readonly (ControlPlane | Worker)[]
}

/** That of the cluster; or as the part is called already, which older operators named otherwise. */
function nameOf({ metadata }: Cluster, { isInline, referred, own }: Naming): string {
  if (!isInline) return referred ?? ''
  const isCalled = (name: string) => own.some((child) => child.metadata.name === name)
  const [only] = own
  if (isCalled(metadata.name) || own.length !== 1 || !only) return metadata.name
  return only.metadata.name
}

interface Looked<Child extends ControlPlane | Worker> {
  kind: string
  name: string
  isInline: boolean
  child: Child | undefined
  own: readonly Child[]
  wanted: { metadata: ControlPlane['metadata']; spec?: unknown }
}

function partOf<Child extends ControlPlane | Worker>(looked: Looked<Child>): Part<Child> {
  const { kind, name, isInline, child, own, wanted } = looked
  const isOwn = own.some(({ metadata }) => metadata.name === name)
  return {
    ...{ kind, name, isInline, child, isOwn },
    isAsWanted: child !== undefined && says(child, wanted),
    leftOver: own.find(({ metadata }) => metadata.name !== name),
  }
}

/** Whether an object says all that the draft says, and nothing of what it had from the cluster before. */
function says(
  child: ControlPlane | Worker,
  { metadata, spec }: Looked<ControlPlane>['wanted'],
): boolean {
  const { labels = {}, annotations = {} } = child.metadata
  const has = (texts: Record<string, string>, wanted: Record<string, string> = {}) =>
    Object.entries(wanted).every(([key, value]) => texts[key] === value)
  return (
    sameJson(child.spec, spec) &&
    has(labels, metadata.labels) &&
    has(annotations, metadata.annotations) &&
    isNothing(takenOff(child, metadata))
  )
}
