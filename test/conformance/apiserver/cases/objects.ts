import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Stage } from '#test/conformance/apiserver/stage.ts'
import { at } from '#test/conformance/apiserver/values.ts'

/** The path of objects in the namespace of a case, or of one of them: `of('apps/v1', 'deployments')`. */
export const pathIn =
  ({ id }: Pick<Stage, 'id'>) =>
  (version: string, plural: string, name?: string): string => {
    const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`
    return `${root}/namespaces/${id}/${plural}${name === undefined ? '' : `/${name}`}`
  }

export const configMapsOf = (stage: Pick<Stage, 'id'>, name?: string): string =>
  pathIn(stage)('v1', 'configmaps', name)

export const widgetsOf = (stage: Pick<Stage, 'id' | 'group'>, name?: string): string =>
  pathIn(stage)(`${stage.group}/v1`, 'widgets', name)

export const configMap = (name: string, rest: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...rest,
})

export const labelled = (name: string, labels: Record<string, string>): Fields =>
  configMap(name, { metadata: { name, labels } })

export const widget = (stage: Pick<Stage, 'group'>, name: string, spec: Fields = {}): Fields => ({
  apiVersion: `${stage.group}/v1`,
  kind: 'Widget',
  metadata: { name },
  spec,
})

export const gadget = (stage: Pick<Stage, 'group'>, name: string, rest: Fields = {}): Fields => ({
  apiVersion: `${stage.group}/v1`,
  kind: 'Gadget',
  metadata: { name },
  ...rest,
})

const podTemplate = (image: string): Fields => ({
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'main', image }] },
})

/** Runs nowhere: there is no node. */
export const deployment = (name: string, spec: Fields = {}): Fields => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    // Controllers of a real cluster must find nothing to do here.
    replicas: 0,
    paused: true,
    selector: { matchLabels: { app: 'a' } },
    template: podTemplate('a:1'),
    ...spec,
  },
})

export const pod = (name: string, rest: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'a:1' }] },
  ...rest,
})

export const MERGE = 'application/merge-patch+json'
export const JSON_PATCH = 'application/json-patch+json'
export const STRATEGIC = 'application/strategic-merge-patch+json'
export const APPLY = 'application/apply-patch+yaml'

const METADATA_GROUP = 'g=meta.k8s.io;v=v1'
export const TABLE = `application/json;as=Table;${METADATA_GROUP}`
export const PARTIAL = `application/json;as=PartialObjectMetadata;${METADATA_GROUP}`
export const PARTIAL_LIST = `application/json;as=PartialObjectMetadataList;${METADATA_GROUP}`

/** An object without what the controllers of a real cluster write into it, at a time of their own. */
export function uncontrolled(body: unknown): unknown {
  if (!isFields(body) || !isFields(body.metadata)) return body
  const { status: _, ...rest } = body
  const { managedFields, annotations, ...metadata } = body.metadata
  const kept = Object.entries(Object(annotations)).filter(
    ([key]) => key !== 'deployment.kubernetes.io/revision',
  )
  const entries = Array.isArray(managedFields) ? managedFields : []
  return {
    ...rest,
    metadata: {
      ...metadata,
      ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
      managedFields: entries.filter((one) => at(one, 'manager') !== 'kube-controller-manager'),
    },
  }
}
