import { Refusal } from '#machineconfig/read/refusal.ts'
import type { EnumLeaf } from '#machineconfig/shapes/leaf-type.ts'
import type { Leaf } from '#machineconfig/shapes/shape.ts'

/** One of the words of a type, in whatever case. */
export function readWord({ values }: EnumLeaf, leaf: Leaf, text: string): string | Refusal {
  if (values.has(text)) return text
  const lower = text.toLowerCase()
  for (const word of values.keys()) if (word.toLowerCase() === lower) return word
  const type = leaf.name.slice(leaf.name.indexOf('.') + 1)
  return new Refusal(`${text} does not belong to ${type} values`)
}

const FAIL_OVER_MACS = ['none', 'active', 'follow']

/** A policy of a bond by its name or its number. */
export function readFailOverMac(text: string): string | Refusal {
  if (text === '') return 'none'
  if (FAIL_OVER_MACS.includes(text)) return text
  const byNumber = /^\+?[0-9]+$/.test(text) ? FAIL_OVER_MACS[Number(text)] : undefined
  return byNumber ?? new Refusal(`invalid fail_over_mac value ${text}`)
}
