import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { type ApiKind, apiVersionOf } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import type { FileObject } from './diff-file.ts'
import { diffsIn } from './diff-namespace.ts'
import { type DiffPorts, trialBundles } from './diff-ports.ts'
import { referredTo } from './diff-referred.ts'
import { type PlacedObject, rehearse } from './diff-rehearse.ts'
import type { Report } from './diff-report.ts'

const LOOKED_AT = [Cluster, KubernetesCluster, ControlPlane, Worker]

/** What applying these objects would change. Nothing is written, neither to the API nor to a machine. */
export async function reportOn(
  objects: readonly PlacedObject[],
  given: Omit<DiffPorts, 'trialBundle'>,
): Promise<Report> {
  const ports = { ...given, trialBundle: trialBundles(given.clock) }
  const rehearsed = await Promise.all(
    objects.map(async (object) => {
      const kind = LOOKED_AT.find((one) => isOf(one, object))
      return { object, made: kind && (await rehearse(ports.client, kind, object)) }
    }),
  )
  const accepted = rehearsed.flatMap(({ made }) => (made?.is === 'accepted' ? [made.object] : []))
  const namespaces = [...new Set(accepted.map(({ metadata }) => metadata.namespace ?? ''))].sort()
  const referred = referredTo(objects, accepted)
  const diffs = await Promise.all(
    namespaces.map((namespace) => {
      const isHere = ({ metadata }: { metadata: { namespace?: string } }) =>
        metadata.namespace === namespace
      const further = referred.map(({ as }) => as).filter(isHere)
      return diffsIn({ namespace, accepted: accepted.filter(isHere), further }, ports)
    }),
  )
  return {
    objects: diffs.flat(),
    refused: rehearsed.flatMap(({ object, made }) => {
      if (made?.is !== 'refused') return []
      const { is: _, ...why } = made
      const { namespace, name } = object.metadata
      return [{ kind: object.kind, namespace, name, ...why }]
    }),
    notLookedAt: rehearsed
      .filter(({ object, made }) => !made && !referred.some((one) => one.object === object))
      .map(({ object: { kind, metadata } }) => `${kind} ${metadata.name}`),
  }
}

const isOf = (kind: ApiKind, object: FileObject): boolean =>
  object.kind === kind.kind && object.apiVersion === apiVersionOf(kind)
