import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import type { Kind, ObjectOf } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { problem } from '#base/problem.ts'
import { judge } from '#controllers/kubernetes-cluster/shape.ts'
import { areFactsFixed, recordedFacts } from '#engine/cluster-facts.ts'
import { ownerNamesOf } from '#engine/cluster-owners.ts'
import { versionsProblem } from '#engine/kubernetes-checks.ts'
import { versionsHad } from '#engine/kubernetes-moves.ts'
import type { KubeClient } from '#kube/client.ts'
import { modeAmong } from '#runtime/reconcile-mode.ts'
import type { OfOneCluster } from './upgrade-k8s-edits.ts'

/** The objects of one cluster, with all machines of its own. */
export interface Found extends OfOneCluster {
  readonly machines: readonly Machine[]
}

interface Wanted {
  readonly namespace: string
  /** Of the TalosControlPlane. */
  readonly name: string
  readonly signal: AbortSignal
}

/** Looks at a control plane and at what belongs to it. Throws a problem for people if it is not there. */
export async function lookAtCluster(
  client: KubeClient,
  { namespace, name, signal }: Wanted,
): Promise<Found> {
  const call = { signal }
  const controlPlane = await client.find(ControlPlane, { namespace, name }, call)
  if (!controlPlane) {
    throw problem({
      what: `there is no TalosControlPlane ${name} in the namespace ${namespace}`,
      why: 'Kubernetes is upgraded from its control plane on',
      remedy: 'see what there is with: kubectl get tcp --all-namespaces',
    })
  }
  const ownersOf = <K extends Kind>(kind: K) => foundOwners(kind, controlPlane, { client, call })
  const [pools, machines, clusters, shapes] = await Promise.all([
    client.list(Worker, { namespace }, call),
    client.list(Machine, { namespace }, call),
    ownersOf(Cluster),
    ownersOf(KubernetesCluster),
  ])
  const own = pools.items.filter(({ spec }) => spec?.controlPlaneRef?.name === name)
  const names = own.map(({ metadata }) => metadata.name)
  return {
    ...{ controlPlane, pools: own, clusters, shapes },
    machines: machines.items.filter(({ spec }) =>
      spec?.workerRef
        ? names.includes(spec.workerRef.name ?? '')
        : spec?.controlPlaneRef?.name === name,
    ),
  }
}

/** The objects of a kind that a control plane is a part of. */
async function foundOwners<K extends Kind>(
  kind: K,
  { metadata }: ControlPlane,
  { client, call }: { client: KubeClient; call: { signal: AbortSignal } },
): Promise<ObjectOf<K>[]> {
  const { namespace = '' } = metadata
  const owners = ownerNamesOf(kind, metadata).map((name) =>
    client.find(kind, { namespace, name }, call),
  )
  return (await Promise.all(owners)).filter((one) => one !== undefined)
}

/** Throws a problem for people if an edit would come to nothing, by what the objects say alone. */
export function demandUpgradable(found: Found, to: string): void {
  const { controlPlane, clusters, shapes, machines } = found
  const { name } = controlPlane.metadata
  const what = `TalosControlPlane ${name} is not upgraded to ${to}, and nothing was edited`
  const { kubeVersion: from } = recordedFacts(controlPlane)
  if ([controlPlane, ...shapes].some(({ metadata }) => metadata.deletionTimestamp !== undefined)) {
    throw problem({ what, why: 'it is being deleted', remedy: 'nothing, or make another one' })
  }
  if (from === undefined || !areFactsFixed(controlPlane)) {
    const remedy = 'set spec.kubeVersion, and the cluster is made with it'
    throw problem({ what, why: 'the cluster has not begun: there is nothing to upgrade', remedy })
  }
  const mode = modeAmong(controlPlane, [...clusters, ...shapes])
  if (mode === 'disable' || mode === 'dryrun') {
    const remedy = 'take the annotation talos.alperen.cloud/reconcile-mode away first'
    throw problem({ what, why: `its reconcile-mode is ${mode}: the operator does nothing`, remedy })
  }
  const [refusal] = shapes.flatMap((shape) => refusalOf(shape, to))
  if (refusal) throw problem({ what, why: refusal, remedy: 'mend that first' })
  const own = machines.filter(({ spec }) => spec?.workerRef === undefined)
  const has = versionsHad(controlPlane, own)
  const against = from === to ? undefined : versionsProblem(machines, { has, to })
  if (against) {
    const why = `${against.reason}: ${against.message}`
    throw problem({ what, why, remedy: 'choose a version that fits, or mend what is said there' })
  }
}

/** While the spec of a cluster by its shape is wrong, nothing of it is carried on. */
function refusalOf(shape: KubernetesCluster, kubernetesVersion: string): string[] {
  const judged = judge({ ...shape, spec: { ...shape.spec, kubernetesVersion } })
  if (!('problems' in judged)) return []
  const { kind, metadata } = shape
  return [`${kind} ${metadata.name}: ValidationFailed: ${judged.problems.join('; ')}`]
}
