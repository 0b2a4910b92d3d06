import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { NodeSeen } from '#engine/cluster-nodes-seen.ts'
import { keyOf } from '#kube/cache.ts'
import type { Seen } from './world.ts'

interface Among {
  seen: Seen
  nodes: readonly NodeSeen[]
  /** The machine objects that have the machine of a UUID. */
  claimants: (uuid: string) => readonly Machine[]
}

/**
 * The node that a machine became: by what the firmware says of itself, which both know. Where they know it
 * differently, by name; but never the node of a machine that another object stands for.
 */
export function nodeOf(machine: Machine, { seen, nodes, claimants }: Among): NodeSeen | undefined {
  const uuid = claimOf(machine)
  const name = seen.is === 'member' ? seen.hostname : machine.status?.hostname
  const own = nodes.filter(({ machineUuid }) => uuid && machineUuid === uuid)
  if (own.length > 0) return own.find((node) => node.name === name) ?? own[0]
  const named = nodes.find((node) => node.name === name)
  if (!named?.machineUuid) return named
  const isOfAnother = claimants(named.machineUuid).some((other) => keyOf(other) !== keyOf(machine))
  return isOfAnother ? undefined : named
}

/**
 * Nodes that the same machine was before it had the name that it has now. Nobody else takes them away: each kubelet knows of
 * its own alone.
 */
export function formerNodesOf(
  machine: Machine,
  node: NodeSeen | undefined,
  { seen, nodes }: Pick<Among, 'seen' | 'nodes'>,
): NodeSeen[] {
  const isItNow = seen.is === 'member' && node?.ready === true && node.name === seen.hostname
  const uuid = claimOf(machine)
  if (!isItNow || uuid === undefined || node.machineUuid !== uuid) return []
  return nodes.filter((one) => one.machineUuid === uuid && one.name !== node.name && !one.ready)
}

const claimOf = ({ metadata }: Machine) => metadata.annotations?.[MACHINE_UUID]
