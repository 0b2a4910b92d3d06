import { Node } from '#api/foreign.ts'
import type { ForeignKind, ObjectMeta, ObjectOf } from '#api/meta.ts'
import { type DrainMark, drainMarkIn } from './drain-mark.ts'

/** What matters of a Kubernetes node. Nothing in it changes while nothing happens. */
export interface NodeSeen {
  name: string
  /** Empty where the API server says none. */
  uid: string
  ready: boolean
  /** Why it is ready or not: one CamelCase word of whoever set the condition. */
  reason: string
  /** Its IP addresses, sorted. */
  addresses: readonly string[]
  kubeletVersion: string
  /** The UUID that the machine has from its firmware, in small letters. */
  machineUuid?: string
  /** Whether it is cordoned, by whomever. */
  isUnschedulable: boolean
  /** What was written on it when it was drained for a machine of ours. */
  drain?: DrainMark
}

/** What is known of a cluster's API server. */
export type ApiSeen =
  /** Nothing yet: it has neither answered nor failed to. */
  | { is: 'connecting' }
  /** `version` as in `v1.34.0`. All nodes are known, and every change of them is heard of. */
  | { is: 'answering'; version: string }
  /** `isUnheard`: it has never answered where it is looked for, as long as that is remembered. */
  | ({ is: 'silent'; since: Date; isUnheard?: true } & Silence)

/** Why an API server cannot be asked. The message is a sentence with what to do, and does not flap. */
export interface Silence {
  /**
   * `Untrusted`: what answers has a certificate of another authority, or for another name.
   * `Refused`: it does not let us in.
   */
  reason: 'Unreachable' | 'Untrusted' | 'Refused'
  message: string
  /** Whether its certificate is of another authority, so that it is of another cluster, or of none. */
  isForeign?: boolean
}

/** A cluster as its own API shows it. While that is silent, nodes are as they were last seen. */
export interface ClusterSeen {
  api: ApiSeen
  /** Sorted by name. */
  nodes: readonly NodeSeen[]
}

type NodeObject = ObjectOf<typeof Node>

/** Nodes, of which only what is in `seen` is kept. */
export const FollowedNode: ForeignKind<NodeObject & { seen?: NodeSeen }> = Node

/** Makes of a node what is worth keeping of it: a node may have 20 KB, and there may be thousands. */
export function leanNode(node: NodeObject): ObjectOf<typeof FollowedNode> {
  const { name, uid, resourceVersion } = node.metadata
  const metadata: ObjectMeta = {
    name,
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  }
  return { metadata, seen: seenIn(node) }
}

/** What matters of a node as the API server sends it. */
export function seenIn({ metadata, spec, status }: NodeObject): NodeSeen {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const uuid = status?.nodeInfo?.systemUUID?.toLowerCase()
  const drain = drainMarkIn(metadata)
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    ready: ready?.status === 'True',
    reason: ready?.reason || 'Unknown',
    addresses: addressesIn(status),
    kubeletVersion: status?.nodeInfo?.kubeletVersion ?? '',
    ...(uuid && { machineUuid: uuid }),
    isUnschedulable: spec?.unschedulable === true,
    ...(drain && { drain }),
  }
}

function addressesIn(status: NodeObject['status']): string[] {
  const addresses = (status?.addresses ?? [])
    .filter(({ type }) => type.endsWith('IP'))
    .map(({ address }) => address)
  return [...new Set(addresses)].sort()
}
