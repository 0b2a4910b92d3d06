// Kubernetes' own kinds, as far as we read or write them.

import type { ForeignKind, KubeObject } from './meta.ts'

interface ConfigMapObject extends KubeObject {
  data?: Record<string, string>
  immutable?: boolean
}

export const ConfigMap: ForeignKind<ConfigMapObject> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
}

interface SecretObject extends KubeObject {
  /** Base64. */
  data?: Record<string, string>
  /** Written only. */
  stringData?: Record<string, string>
  type?: string
  immutable?: boolean
}

export const Secret: ForeignKind<SecretObject> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  scope: 'Namespaced',
}

interface NodeObject extends KubeObject {
  spec?: { unschedulable?: boolean; providerID?: string }
  status?: {
    conditions?: { type: string; status: string; reason?: string; message?: string }[]
    addresses?: { type: string; address: string }[]
    nodeInfo?: { systemUUID?: string; kubeletVersion?: string; osImage?: string }
  }
}

export const Node: ForeignKind<NodeObject> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  scope: 'Cluster',
}

/** Any field can be missing, or hold whatever somebody wrote by hand. */
interface LeaseSpec {
  /** Who holds it. Empty: nobody. */
  holderIdentity?: string
  leaseDurationSeconds?: number
  /** With microseconds: `2030-01-01T00:00:00.000000Z`, as the next one. */
  acquireTime?: string
  renewTime?: string
  /** How often the holder has changed. */
  leaseTransitions?: number
}

interface LeaseObject extends KubeObject {
  spec?: LeaseSpec
}

export const Lease: ForeignKind<LeaseObject> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
}

interface PodObject extends KubeObject {
  spec?: {
    nodeName?: string
    tolerations?: { key?: string; operator?: string; value?: string; effect?: string }[]
    containers?: { name?: string; image?: string }[]
  }
  status?: {
    phase?: string
    conditions?: { type: string; status: string }[]
    containerStatuses?: { state?: { waiting?: { reason?: string } } }[]
  }
}

export const Pod: ForeignKind<PodObject> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  scope: 'Namespaced',
}

/** Without any of them it selects everything. */
export interface LabelSelector {
  matchLabels?: Record<string, string>
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}

interface PodDisruptionBudgetObject extends KubeObject {
  spec?: { selector?: LabelSelector }
  status?: { disruptionsAllowed?: number; observedGeneration?: number }
}

export const PodDisruptionBudget: ForeignKind<PodDisruptionBudgetObject> = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  scope: 'Namespaced',
}

interface EventObject extends KubeObject {
  eventTime: string
  reportingController: string
  reportingInstance: string
  action: string
  reason: string
  type: 'Normal' | 'Warning'
  note: string
  regarding: { apiVersion: string; kind: string; name: string; namespace?: string; uid?: string }
  series?: { count: number; lastObservedTime: string }
}

export const Event: ForeignKind<EventObject> = {
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
}

export const CustomResourceDefinition: ForeignKind<KubeObject> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
}
