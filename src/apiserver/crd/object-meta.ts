import { type Fields, isFields } from '#apiserver/objects.ts'
import { type GoType, goTypes, sentenceOf, typeOfJson } from './go-types.ts'

const { text, whole, time, texts, textMap, structs, json } = goTypes

const ownerReference = {
  apiVersion: text,
  kind: text,
  name: text,
  uid: goTypes.uid,
  controller: goTypes.bool,
  blockOwnerDeletion: goTypes.bool,
}

const owner = {
  manager: text,
  operation: text,
  apiVersion: text,
  time,
  fieldsType: text,
  fieldsV1: json,
  subresource: text,
}

const objectMeta: Readonly<Record<string, GoType>> = {
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: goTypes.uid,
  resourceVersion: text,
  generation: whole,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: { ...whole, isEmpty: (value) => value === null },
  labels: textMap,
  annotations: textMap,
  ownerReferences: structs('OwnerReference', ownerReference),
  finalizers: texts,
  managedFields: structs('ManagedFieldsEntry', owner),
}

/** What became of some metadata: `problem` as Go's decoder words it, or the paths of what it did not know. */
export interface Coerced {
  problem?: string
  unknown: string[]
}

/**
 * Makes the metadata of an object what Kubernetes' own type for it would make of it, in place: drops
 * what it does not know, what is null and what is empty. Says so if something has the wrong type, and
 * has then changed nothing that counts.
 */
export function coerceMetadata(object: Fields, path: string): Coerced {
  const { metadata } = object
  if (metadata === undefined) return { unknown: [] }
  if (metadata === null) {
    object.metadata = {}
    return { unknown: [] }
  }
  if (!isFields(metadata)) {
    const problem = `json: cannot unmarshal ${typeOfJson(metadata)} into Go value of type v1.ObjectMeta`
    return { problem, unknown: [] }
  }
  const unknown: string[] = []
  const problem = coerceStruct(metadata, {
    fields: objectMeta,
    struct: 'ObjectMeta',
    stack: '',
    path,
    unknown,
  })
  return problem === undefined ? { unknown } : { problem, unknown: [] }
}

interface Struct {
  fields: Readonly<Record<string, GoType>>
  struct: string
  /** The names of the fields that lead here, each with a dot behind it, as Go's decoder lists them. */
  stack: string
  path: string
  unknown: string[]
}

function coerceStruct(value: Fields, struct: Struct): string | undefined {
  for (const key in value) {
    const type = Object.hasOwn(struct.fields, key) ? struct.fields[key] : undefined
    if (type) {
      const problem = coerceField(value, key, { ...struct, type })
      if (problem !== undefined) return problem
    } else {
      struct.unknown.push(`${struct.path}.${key}`)
      delete value[key]
    }
  }
  return undefined
}

function coerceField(
  value: Fields,
  key: string,
  { type, ...struct }: Struct & { type: GoType },
): string | undefined {
  const part = type.takes(value[key])
  if (part) return sentenceOf(part, `${struct.struct}.${struct.stack}${key}`)
  const problem = type.struct && coerceItems(value[key], type.struct, { ...struct, key })
  if (problem !== undefined) return problem
  if (type.isEmpty(value[key])) delete value[key]
  else if (type.normal) value[key] = type.normal(value[key])
  return undefined
}

interface StructType {
  name: string
  fields: Readonly<Record<string, GoType>>
}

function coerceItems(
  value: unknown,
  type: StructType,
  { key, ...struct }: Struct & { key: string },
): string | undefined {
  if (!Array.isArray(value)) return undefined
  return coerceList(value, type, {
    ...struct,
    path: `${struct.path}.${key}`,
    stack: `${struct.stack}${key}.`,
  })
}

function coerceList(list: unknown[], type: StructType, outer: Struct): string | undefined {
  for (const [index, item] of list.entries()) {
    if (item === null) list[index] = {}
    else if (isFields(item)) {
      const problem = coerceStruct(item, {
        ...outer,
        fields: type.fields,
        struct: type.name,
        path: `${outer.path}[${index}]`,
      })
      if (problem !== undefined) return problem
    } else {
      const field = `${outer.struct}.${outer.stack.slice(0, -1)}`
      return `json: cannot unmarshal ${typeOfJson(item)} into Go struct field ${field} of type v1.${type.name}`
    }
  }
  return undefined
}
