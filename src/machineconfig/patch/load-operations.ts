import { ConfigError } from '#machineconfig/config-error.ts'
import { readYaml } from '#machineconfig/read/yaml-tree.ts'
import type { Operation } from './patch.ts'
import { isPlainObject, plainValue } from './plain-yaml.ts'

const DEEPEST = 100

/** The operations of a JSON patch that is written as JSON or YAML; undefined if it is no list of them. */
export function loadOperations(text: string): readonly Operation[] | undefined {
  return operationsOf(jsonOf(text)) ?? operationsOf(yamlOf(text))
}

/** The same of a list that is there already. */
export function operationsOf(list: unknown): readonly Operation[] | undefined {
  if (list === null) return []
  if (!Array.isArray(list) || !list.every((item) => item === null || isPlainObject(item))) return
  if (isDeeper(list, DEEPEST)) throw new ConfigError(`nested more than ${DEEPEST} deep`)
  return list.map((item: unknown) => (isPlainObject(item) ? item : {}))
}

/** What is wrong with a text that looks like a JSON patch and is none. */
export function notOperations(text: string): ConfigError {
  const list = jsonOf(text)
  if (!Array.isArray(list)) return new ConfigError('not valid JSON')
  const odd: unknown = list.find((item) => item !== null && !isPlainObject(item))
  const kind = Array.isArray(odd) ? 'array' : typeof odd === 'boolean' ? 'bool' : typeof odd
  return new ConfigError(`json: cannot unmarshal ${kind} into Go value of type jsonpatch.Operation`)
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return
  }
}

function yamlOf(text: string): unknown {
  try {
    const [first] = readYaml(text)
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
