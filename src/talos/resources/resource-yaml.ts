import { readYaml } from '#base/yaml/read-yaml.ts'
import { resolveScalar } from '#base/yaml/resolve-scalar.ts'
import type { YamlMap, YamlNode } from '#base/yaml/yaml-node.ts'

const MEBIBYTE = 1024 * 1024
// None that we know has a hundredth of it.
const LIMITS = {
  ...{ letters: 4 * MEBIBYTE, lines: 100_000, levels: 100 },
  ...{ nodes: 100_000, aliased: 4 * MEBIBYTE, escapes: 100_000 },
}

/**
 * What a machine writes of a resource, as JSON; null if that is nothing. Machines write it with go-yaml, in whose plain
 * form there are no merges. Throws a reason that shows none of it.
 */
export function resourceValue(text: string): unknown {
  const [root = null, another] = readYaml(text, LIMITS)
  if (another) throw new Error('yaml: there is more than one document')
  return root && jsonOf(root)
}

function jsonOf(node: YamlNode): unknown {
  if (node.kind === 'list') return node.items.map(jsonOf)
  if (node.kind === 'map') return objectOf(node)
  // What a machine could not read as text itself, such as a serial number of broken firmware.
  if (node.tag === '!!binary') throw new Error(`yaml: line ${node.line}: bytes that are no text`)
  const { value } = resolveScalar(node)
  return typeof value === 'bigint' ? Number(value) : value
}

function objectOf({ entries, line }: YamlMap): unknown {
  const values = new Map(entries.map(({ key, value }) => [nameOf(key), jsonOf(value)]))
  if (values.size === entries.length) return Object.fromEntries(values)
  throw new Error(`yaml: line ${line}: a key is there twice`)
}

function nameOf(key: YamlNode): string {
  if (key.kind === 'scalar') return key.text
  throw new Error('yaml: invalid map key')
}
