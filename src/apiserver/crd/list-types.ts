import { duplicateField, type FieldError, invalidField, jsonText } from '#apiserver/field-error.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { nodeOf, type SchemaNode } from './node.ts'

/** What is there twice in lists of type set or map. */
export function validateListTypes(schema: Schema, object: Fields): FieldError[] {
  const errors: FieldError[] = []
  const node = nodeOf(schema)
  if (node.hasListTypes) walk(node, object, { path: '', errors })
  return errors
}

interface Place {
  path: string
  errors: FieldError[]
}

function walk(node: SchemaNode, value: unknown, place: Place): void {
  if (Array.isArray(value)) walkList(node, value, place)
  else if (isFields(value)) walkFields(node, value, place)
}

function walkFields({ properties, additional }: SchemaNode, fields: Fields, place: Place): void {
  const { path, errors } = place
  for (const key in fields) {
    const property = properties?.get(key)
    if (property?.hasListTypes) {
      walk(property, fields[key], { path: path === '' ? key : `${path}.${key}`, errors })
    } else if (typeof additional === 'object' && additional.hasListTypes) {
      walk(additional, fields[key], { path: `${path}[${key}]`, errors })
    }
  }
}

function walkList(node: SchemaNode, list: readonly unknown[], { path, errors }: Place): void {
  const type = node.schema['x-kubernetes-list-type']
  if (type === 'set') {
    for (const index of repeated(list)) {
      errors.push(duplicateField(`${path}[${index}]`, list[index]))
    }
  } else if (type === 'map') {
    errors.push(...errorsOfMap(node, list, path))
  }
  if (!node.items?.hasListTypes) return
  for (let index = 0; index < list.length; index += 1) {
    walk(node.items, list[index], { path: `${path}[${index}]`, errors })
  }
}

function errorsOfMap(node: SchemaNode, list: readonly unknown[], path: string): FieldError[] {
  const wrong = list.findIndex((item) => item !== null && !isFields(item))
  if (wrong >= 0) {
    const detail = 'must be an object for an array of list-type map'
    return [invalidField(`${path}[${wrong}]`, list[wrong], detail)]
  }
  if (list.length < 2) return []
  const names = node.schema['x-kubernetes-list-map-keys'] ?? []
  return repeated(list.map((item) => keyOf(item, names))).map((index) =>
    duplicateField(`${path}[${index}]`, keysOf(list[index], names)),
  )
}

/** What tells an item apart: by far the most have one key, which is a text. */
function keyOf(item: unknown, names: readonly string[]): unknown {
  const [name = '', ...more] = names
  if (more.length > 0 || !isFields(item) || !Object.hasOwn(item, name)) return keysOf(item, names)
  const value = item[name]
  return typeof value === 'object' ? keysOf(item, names) : value
}

const keysOf = (item: unknown, names: readonly string[]): Fields =>
  isFields(item)
    ? Object.fromEntries(
        names.flatMap((name) => (Object.hasOwn(item, name) ? [[name, item[name]]] : [])),
      )
    : {}

/** Where in a list something is for the second time; further times are not told. */
function repeated(list: readonly unknown[]): number[] {
  if (list.length < 2) return []
  const times = new Map<unknown, number>()
  const found: number[] = []
  for (const [index, item] of list.entries()) {
    const key = typeof item === 'object' && item !== null ? jsonText(item) : item
    const before = times.get(key) ?? 0
    times.set(key, before + 1)
    if (before === 1) found.push(index)
  }
  return found
}
