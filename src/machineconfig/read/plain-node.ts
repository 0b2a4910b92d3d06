import type { YamlMap, YamlNode } from '#base/yaml/yaml-node.ts'
import { ConfigError } from '#machineconfig/config-error.ts'

const DEEPEST = 100
const NOWHERE = { line: 0, column: 0, tag: '' } as const

/** A JSON object as if it had been read from a text that has no lines. */
export function plainNode(value: unknown): YamlMap {
  const node = nodeOf(value, 0)
  if (node.kind === 'map') return node
  throw new ConfigError('expected a document, which is an object')
}

function nodeOf(value: unknown, depth: number): YamlNode {
  if (depth > DEEPEST) throw new ConfigError(`nested more than ${DEEPEST} deep`)
  if (Array.isArray(value)) {
    return { kind: 'list', ...NOWHERE, items: value.map((item) => nodeOf(item, depth + 1)) }
  }
  if (typeof value !== 'object' || value === null) return scalarOf(value)
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return {
    kind: 'map',
    ...NOWHERE,
    entries: entries.map(([key, inner]) => ({ key: text(key), value: nodeOf(inner, depth + 1) })),
  }
}

const text = (of: string): YamlNode => ({ kind: 'scalar', ...NOWHERE, text: of, plain: false })

const scalarOf = (value: unknown): YamlNode =>
  typeof value === 'string'
    ? text(value)
    : { kind: 'scalar', ...NOWHERE, text: `${value}`, plain: true }
