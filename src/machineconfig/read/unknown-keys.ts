import type { YamlMap, YamlNode } from '#base/yaml/yaml-node.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { Value } from '#machineconfig/document.ts'
import type { Shape } from '#machineconfig/shapes/shape.ts'
import { writeValue } from '#machineconfig/write/write-value.ts'

/** Says which keys a type does not have, as Talos does, but not what they hold: it may be a secret. */
export function unknownKeys(shape: Shape, node: YamlMap): ConfigError {
  const text = writeValue(unknownIn(shape, node, { left: MOST }) ?? {})
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…\n` : text
  return new ConfigError(`unknown keys found during decoding:\n${shown}`)
}

// Nobody reads more of them, and they would fill a log.
const MOST = 500
const LONGEST = 10_000

interface Budget {
  left: number
}

function unknownIn(shape: Shape, node: YamlNode, budget: Budget): Value | undefined {
  if (shape.is === 'pointer') return unknownIn(shape.to, node, budget)
  if (node.kind === 'map' && (shape.is === 'struct' || shape.is === 'map')) {
    return unknownInMap(shape, node, budget)
  }
  if (node.kind !== 'list' || shape.is !== 'list') return
  const found: Value[] = []
  for (const item of node.items) {
    const unknown = unknownIn(shape.of, item, budget)
    if (unknown !== undefined) found.push(unknown)
  }
  return found.length ? found : undefined
}

function unknownInMap(shape: Shape, { entries }: YamlMap, budget: Budget): Value | undefined {
  const found: Record<string, Value> = Object.create(null)
  for (const { key, value } of entries) {
    if (key.kind !== 'scalar' || budget.left <= 0) continue
    const inner = shapeUnder(shape, key.text)
    const unknown = inner ? unknownIn(inner, value, budget) : hidden(value, budget)
    if (unknown !== undefined) found[key.text] = unknown
  }
  return Object.keys(found).length ? found : undefined
}

const shapeUnder = (shape: Shape, name: string): Shape | undefined =>
  shape.is === 'struct' ? shape.fields.get(name)?.shape : shape.is === 'map' ? shape.of : undefined

function hidden(node: YamlNode, budget: Budget): Value {
  budget.left--
  if (node.kind === 'scalar' || budget.left <= 0) return '…'
  if (node.kind === 'list') return node.items.map((item) => hidden(item, budget))
  const values: Record<string, Value> = Object.create(null)
  for (const { key, value } of node.entries) {
    if (key.kind === 'scalar') values[key.text] = hidden(value, budget)
  }
  return values
}
