import { resolveScalar, tagOf } from '#base/yaml/resolve-scalar.ts'
import type { YamlMap, YamlNode, YamlScalar } from '#base/yaml/yaml-node.ts'
import type { Value } from '#machineconfig/document.ts'
import type { Free } from '#machineconfig/shapes/shape.ts'
import type { Problems } from './decode-problems.ts'
import { mergedEntries } from './merge-keys.ts'

/** Whatever YAML says, as it is; what must be a map is refused as anything else. */
export function readFree(shape: Free, node: YamlNode, problems: Problems): Value | undefined {
  if (shape.name === 'any' || node.kind === 'map') return freeValue(node, problems)
  problems.wrongType(node, shape)
  return
}

function freeValue(node: YamlNode, problems: Problems): Value | undefined {
  if (node.kind === 'scalar') return scalarValue(node)
  if (node.kind === 'map') return mapValue(node, problems)
  const items: Value[] = []
  for (const item of node.items) {
    const value = freeValue(item, problems)
    if (value !== undefined) items.push(value)
  }
  return items
}

function mapValue(map: YamlMap, problems: Problems): Value | undefined {
  if (problems.foundDuplicates(map)) return
  const values: Record<string, Value> = Object.create(null)
  for (const { key, value } of mergedEntries(map, problems)) {
    const read = freeValue(value, problems)
    if (key.kind !== 'scalar') problems.add(key, `cannot use ${tagOf(key)} as a map key`)
    else if (read !== undefined) values[key.text] = read
  }
  return values
}

function scalarValue(node: YamlScalar): Value {
  const { value } = resolveScalar(node)
  return typeof value === 'bigint' ? Number(value) : value
}
