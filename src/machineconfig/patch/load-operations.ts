import type { YamlNode } from '#base/yaml/yaml-node.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { Operation } from './patch.ts'
import { isPlainObject, plainValue } from './plain-yaml.ts'

const DEEPEST = 100
const TOO_DEEP = `nested more than ${DEEPEST} deep`
// As much as is read of YAML.
const LONGEST = 4 * 1024 * 1024

/**
 * The operations of a JSON patch that is written as JSON or YAML, of which one may not be there; undefined if
 * it is no list of them.
 */
export const loadOperations = (
  json: unknown,
  roots: readonly YamlNode[] | undefined,
): readonly Operation[] | undefined => operationsOf(json) ?? operationsOf(yamlOf(roots))

/** The same of a list that is there already. */
export function operationsOf(list: unknown): readonly Operation[] | undefined {
  if (list === null) return []
  if (!Array.isArray(list) || !list.every((item) => item === null || isPlainObject(item))) return
  if (isDeeper(list, DEEPEST)) throw new ConfigError(TOO_DEEP)
  return list.map((item: unknown) => (isPlainObject(item) ? item : {}))
}

/** What is wrong with what looks like a JSON patch and is none. */
export function notOperations(json: unknown): ConfigError {
  if (!Array.isArray(json)) return new ConfigError('not valid JSON')
  const odd: unknown = json.find((item) => item !== null && !isPlainObject(item))
  const kind = Array.isArray(odd) ? 'array' : typeof odd === 'boolean' ? 'bool' : typeof odd
  return new ConfigError(`json: cannot unmarshal ${kind} into Go value of type jsonpatch.Operation`)
}

/** What a text says as JSON, if it could be a list of operations; undefined if it is none. Throws if it is deep. */
export function jsonOf(text: string): unknown {
  if (text.length > LONGEST || !couldBeList(text)) return
  demandFlat(text)
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return
  }
}

function couldBeList(text: string): boolean {
  const trimmed = text.trimStart()
  return trimmed.startsWith('[') || (trimmed.startsWith('null') && trimmed.trimEnd() === 'null')
}

// JSON.parse takes seconds for brackets alone, before it finds that they are not closed.
function demandFlat(text: string): void {
  if (!hasMany(text, '[') && !hasMany(text, '{')) return
  let open = 0
  for (const { 0: sign } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[{\]}]/gs)) {
    if (sign === '[' || sign === '{') open++
    else if (sign === ']' || sign === '}') open--
    if (open > DEEPEST) throw new ConfigError(TOO_DEEP)
  }
}

/** Whether a sign is there often enough that half of the deepest level could be of it. */
function hasMany(text: string, sign: string): boolean {
  let at = -1
  for (let count = 0; count <= DEEPEST / 2; count++) {
    at = text.indexOf(sign, at + 1)
    if (at === -1) return false
  }
  return true
}

function yamlOf(roots: readonly YamlNode[] | undefined): unknown {
  if (roots === undefined) return
  const [first] = roots
  try {
    return first ? plainValue(first) : null
  } catch (error) {
    if (error instanceof ConfigError) return
    throw error
  }
}

/** Whether JSON is nested deeper than that; looks no deeper than it must. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
