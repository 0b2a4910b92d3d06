import { resolveScalar } from '#base/yaml/resolve-scalar.ts'
import type { YamlMap, YamlNode, YamlScalar } from '#base/yaml/yaml-node.ts'
import { mergedEntries } from '#machineconfig/read/merge-keys.ts'

/** Whether a value is a JSON object. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Meaning = (node: YamlScalar) => unknown

/** What YAML says as JSON. */
export const plainValue = (node: YamlNode): unknown => jsonOf(node, meaning)

/** The same to a reader of YAML 1.1, to whom an unquoted `y` is true; that is how Talos patches texts. */
export const oldPlainValue = (node: YamlNode): unknown => jsonOf(node, oldMeaning)

function meaning(node: YamlScalar): unknown {
  const { value } = resolveScalar(node)
  return typeof value === 'bigint' ? Number(value) : value
}

const YES = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'])
const NO = new Set(['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF'])

function oldMeaning(node: YamlScalar): unknown {
  const bare = node.plain && (node.tag === '' || node.tag === '!!bool')
  if (bare && YES.has(node.text)) return true
  return bare && NO.has(node.text) ? false : meaning(node)
}

function jsonOf(node: YamlNode, mean: Meaning): unknown {
  if (node.kind === 'scalar') return mean(node)
  if (node.kind === 'list') return node.items.map((item) => jsonOf(item, mean))
  return objectOf(node, mean)
}

function objectOf(map: YamlMap, mean: Meaning): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null)
  for (const { key, value } of mergedEntries(map)) {
    if (key.kind === 'scalar') values[`${mean(key)}`] = jsonOf(value, mean)
  }
  return values
}
