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
  const own = uuid && nodes.find(({ machineUuid }) => machineUuid === uuid)
  if (own) return own
  const name = seen.is === 'member' ? seen.hostname : machine.status?.hostname
  const named = nodes.find((node) => node.name === name)
  if (!named?.machineUuid) return named
  const isOfAnother = claimants(named.machineUuid).some((other) => keyOf(other) !== keyOf(machine))
  return isOfAnother ? undefined : named
}

const claimOf = ({ metadata }: Machine) => metadata.annotations?.[MACHINE_UUID]
