import {
  type FieldError,
  forbiddenField,
  invalidField,
  notSupported,
  required,
} from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'

const MAP_TYPE = 'x-kubernetes-map-type'
const LIST_TYPE = 'x-kubernetes-list-type'
const KEYS = 'x-kubernetes-list-map-keys'

/** What is wrong with the map type of a schema. */
export function mapTypeErrors(schema: Fields, path: string): FieldError[] {
  const mapType = schema[MAP_TYPE]
  if (mapType === undefined) return []
  const isKnown = mapType === 'atomic' || mapType === 'granular'
  return [
    ...typeErrors(schema, { path, wanted: 'object', because: MAP_TYPE }),
    ...(isKnown ? [] : [notSupported(`${path}.${MAP_TYPE}`, mapType, ['atomic', 'granular'])]),
  ]
}

interface Demand {
  path: string
  wanted: string
  because: string
}

function typeErrors(schema: Fields, { path, wanted, because }: Demand): FieldError[] {
  const type = textAt(schema, 'type')
  if (type === wanted) return []
  const detail = `must be ${wanted} if ${because} is specified`
  return [type ? invalidField(`${path}.type`, type, detail) : required(`${path}.type`, detail)]
}

/** What is wrong with the list type of a schema, its keys and its items. */
export function listTypeErrors(schema: Fields, path: string): FieldError[] {
  const listType = schema[LIST_TYPE]
  const known = ['atomic', 'set', 'map']
  const hasType = listType !== undefined
  return [
    ...(hasType ? typeErrors(schema, { path, wanted: 'array', because: LIST_TYPE }) : []),
    ...(listType === 'set' && schema.type === 'array' ? setErrors(schema, path) : []),
    ...(hasType && !known.includes(String(listType))
      ? [notSupported(`${path}.${LIST_TYPE}`, listType, known)]
      : []),
    ...keyErrors(schema, path),
    ...(listType === 'map' ? mapErrors(schema, path) : []),
    ...(listType === 'map' || listType === 'set' ? itemErrors(schema, path) : []),
  ]
}

function setErrors(schema: Fields, path: string): FieldError[] {
  const items = fieldsAt(schema, 'items')
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const listType = items[LIST_TYPE] ?? null
  if (items.type === 'array' && listType !== null && listType !== 'atomic') {
    return [invalidField(`${path}.items.${LIST_TYPE}`, listType, detail)]
  }
  // Kubernetes shows the list type here, which is what it looked at above.
  if (items.type === 'object' && items[MAP_TYPE] !== 'atomic') {
    return [invalidField(`${path}.items.${MAP_TYPE}`, listType, detail)]
  }
  return []
}

function keyErrors(schema: Fields, path: string): FieldError[] {
  if (listAt(schema, KEYS).length === 0) return []
  const listType = schema[LIST_TYPE]
  const detail = 'must be map if x-kubernetes-list-map-keys is non-empty'
  if (listType === undefined) return [required(`${path}.${LIST_TYPE}`, detail)]
  return listType === 'map' ? [] : [invalidField(`${path}.${LIST_TYPE}`, listType, detail)]
}

function mapErrors(schema: Fields, path: string): FieldError[] {
  const { items } = schema
  const keys = listAt(schema, KEYS).map(String)
  const errors: FieldError[] = []
  if (keys.length === 0) {
    const detail = 'must not be empty if x-kubernetes-list-type is map'
    errors.push(required(`${path}.${KEYS}`, detail))
  }
  if (!isFields(items)) {
    const detail = 'must have a schema if x-kubernetes-list-type is map'
    return items === undefined ? [...errors, required(`${path}.items`, detail)] : errors
  }
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map"
    return [...errors, invalidField(`${path}.items.type`, textAt(items, 'type') ?? '', detail)]
  }
  return [
    ...errors,
    ...keys.flatMap((key, index) => errorsOfKey(schema, path, { keys, key, index })),
  ]
}

interface Key {
  keys: readonly string[]
  key: string
  index: number
}

function errorsOfKey(schema: Fields, path: string, { keys, key, index }: Key): FieldError[] {
  const errors: FieldError[] = []
  const property = fieldsAt(fieldsAt(schema, 'items'), 'properties')[key]
  if (!isFields(property)) {
    const detail = 'entries must all be names of item properties'
    errors.push(invalidField(`${path}.${KEYS}`, keys, detail))
  } else if (property.type === 'array' || property.type === 'object') {
    const field = `${path}.items.properties[${key}].type`
    const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map"
    errors.push(invalidField(field, 'object', detail))
  }
  if (keys.indexOf(key) < index) {
    errors.push(invalidField(`${path}.${KEYS}`, keys, 'must not contain duplicate entries'))
  }
  return errors
}

/** Items that are told apart by keys may not be null, nor may the keys be left out. */
function itemErrors(schema: Fields, path: string): FieldError[] {
  const items = schema.items
  if (!isFields(items)) return []
  const errors: FieldError[] = []
  if (items.nullable === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${schema[LIST_TYPE]}`
    errors.push(forbiddenField(`${path}.items.nullable`, detail))
  }
  if (schema[LIST_TYPE] !== 'map') return errors
  const said = 'this property is in x-kubernetes-list-map-keys, so it'
  for (const key of listAt(schema, KEYS).map(String)) {
    const property = fieldsAt(items, 'properties')[key]
    if (!isFields(property)) continue
    const field = `${path}.items.properties[${key}]`
    if (!listAt(items, 'required').includes(key) && property.default === undefined) {
      const detail = `${said} must have a default or be a required property`
      errors.push(required(`${field}.default`, detail))
    }
    if (property.nullable === true) {
      errors.push(forbiddenField(`${field}.nullable`, `${said} cannot be nullable`))
    }
  }
  return errors
}
