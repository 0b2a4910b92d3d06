import { duplicateField, type FieldError, invalidField, jsonText } from '#apiserver/field-error.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { atOnce, isDue, type Steps } from '#apiserver/steps.ts'
import { nodeOf, type SchemaNode } from './node.ts'

/** What is there twice in lists of type set or map. */
export const validateListTypes = (schema: Schema, object: Fields): FieldError[] =>
  atOnce(listTypeErrors(schema, object))

/** The same, with pauses. */
export function* listTypeErrors(schema: Schema, object: Fields): Steps<FieldError[]> {
  const errors: FieldError[] = []
  const node = nodeOf(schema)
  if (node.hasListTypes) yield* walk(node, object, { path: '', errors })
  return errors
}

interface Place {
  path: string
  errors: FieldError[]
}

function* walk(node: SchemaNode, value: unknown, place: Place): Steps<void> {
  if (Array.isArray(value)) yield* walkList(node, value, place)
  else if (isFields(value)) yield* walkFields(node, value, place)
}

function* walkFields(
  { properties, additional }: SchemaNode,
  fields: Fields,
  place: Place,
): Steps<void> {
  const { path, errors } = place
  for (const key of Object.keys(fields)) {
    if (isDue()) yield
    const property = properties?.get(key)
    if (property?.hasListTypes) {
      yield* walk(property, fields[key], { path: path === '' ? key : `${path}.${key}`, errors })
    } else if (typeof additional === 'object' && additional.hasListTypes) {
      yield* walk(additional, fields[key], { path: `${path}[${key}]`, errors })
    }
  }
}

function* walkList(
  node: SchemaNode,
  list: readonly unknown[],
  { path, errors }: Place,
): Steps<void> {
  const type = node.schema['x-kubernetes-list-type']
  if (type === 'set') {
    for (const index of yield* repeated(list)) {
      errors.push(duplicateField(`${path}[${index}]`, list[index]))
    }
  } else if (type === 'map') {
    for (const error of yield* errorsOfMap(node, list, path)) errors.push(error)
  }
  if (!node.items?.hasListTypes) return
  for (let index = 0; index < list.length; index += 1) {
    if (isDue()) yield
    yield* walk(node.items, list[index], { path: `${path}[${index}]`, errors })
  }
}

function* errorsOfMap(
  node: SchemaNode,
  list: readonly unknown[],
  path: string,
): Steps<FieldError[]> {
  const wrong = list.findIndex((item) => item !== null && !isFields(item))
  if (wrong >= 0) {
    const detail = 'must be an object for an array of list-type map'
    return [invalidField(`${path}[${wrong}]`, list[wrong], detail)]
  }
  if (list.length < 2) return []
  const names = node.schema['x-kubernetes-list-map-keys'] ?? []
  const indexes = yield* repeated(list.map((item) => keyOf(item, names)))
  return indexes.map((index) => duplicateField(`${path}[${index}]`, keysOf(list[index], names)))
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
function* repeated(list: readonly unknown[]): Steps<number[]> {
  if (list.length < 2) return []
  const times = new Map<unknown, number>()
  const found: number[] = []
  for (const [index, item] of list.entries()) {
    const key = typeof item === 'object' && item !== null ? jsonText(item) : item
    const before = times.get(key) ?? 0
    times.set(key, before + 1)
    if (before === 1) found.push(index)
    if (isDue()) yield
  }
  return found
}
