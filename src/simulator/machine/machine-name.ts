import { createHash } from 'node:crypto'
import type { ConfigFacts } from './config-facts.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** What a machine is called: by its configuration, else by its id or its address. */
export function machineName(machine: {
  facts: ConfigFacts | undefined
  nodeId: string
  address: string
}): string {
  const { facts, nodeId, address } = machine
  if (facts?.hostname) return facts.hostname
  if (facts?.hasStableHostname) return stableName(nodeId)
  return `talos-${address.replaceAll(/[.:]+/g, '-')}`
}

/** `talos-abc-def`: always the same for an id. */
function stableName(nodeId: string): string {
  const hash = createHash('sha256').update(nodeId).digest()
  const letters = [...hash.subarray(0, 6)].map((byte) => LETTERS.at(byte % LETTERS.length))
  return `talos-${letters.slice(0, 3).join('')}-${letters.slice(3).join('')}`
}
