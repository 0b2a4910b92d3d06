import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { dns1035Label } from '#apiserver/metadata/name-rules.ts'
import { validateMetadata } from '#apiserver/metadata/validate-metadata.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { nodeOf, type SchemaNode } from './node.ts'
import { coerceMetadata } from './object-meta.ts'

/**
 * What is wrong with the apiVersion, kind and metadata of objects inside of an object. With a path,
 * the object is inside of another one itself.
 */
export function validateEmbedded(schema: Schema, object: Fields, path = ''): FieldError[] {
  const node = nodeOf(schema)
  const errors: FieldError[] = []
  walkEmbedded(node, object, {
    path,
    visit: (fields, at) => {
      errors.push(...errorsOf(fields, at))
      return true
    },
  })
  return errors
}

/** The paths of unknown fields in the metadata of objects inside of an object, which it drops. */
export function coerceEmbedded(
  schema: Schema,
  object: Fields,
  path = '',
): { error?: FieldError; unknown: string[] } {
  const unknown: string[] = []
  let error: FieldError | undefined
  walkEmbedded(nodeOf(schema), object, {
    path,
    visit: (fields, at) => {
      const found = coerce(fields, at)
      unknown.push(...found.unknown)
      error = found.error
      return !error
    },
  })
  return error ? { error, unknown: [] } : { unknown: unknown.sort() }
}

function coerce(fields: Fields, path: string): { error?: FieldError; unknown: string[] } {
  for (const key of ['apiVersion', 'kind']) {
    const value = fields[key]
    if (Object.hasOwn(fields, key) && typeof value !== 'string') {
      return { error: invalidField(`${path}.${key}`, value, 'must be a string'), unknown: [] }
    }
  }
  const shown = structuredClone(fields.metadata)
  const { problem, unknown } = coerceMetadata(fields, `${path}.metadata`)
  return problem === undefined
    ? { unknown }
    : { error: invalidField(`${path}.metadata`, shown, problem), unknown: [] }
}

interface Walk {
  path: string
  /** Called with each embedded object; stops the walk by returning false. */
  visit: (fields: Fields, path: string) => boolean
}

function walkEmbedded(node: SchemaNode, value: unknown, walk: Walk): boolean {
  if (!node.hasEmbedded) return true
  const { path, visit } = walk
  if (Array.isArray(value)) {
    const { items } = node
    return (
      !items ||
      value.every((item, index) => walkEmbedded(items, item, { path: `${path}[${index}]`, visit }))
    )
  }
  if (!isFields(value)) return true
  if (node.embeds && path !== '' && !visit(value, path)) return false
  return Object.entries(value).every(([key, one]) => {
    const property = node.properties?.get(key)
    if (property) return walkEmbedded(property, one, { path: path ? `${path}.${key}` : key, visit })
    const { additional } = node
    return (
      typeof additional !== 'object' ||
      walkEmbedded(additional, one, { path: `${path}[${key}]`, visit })
    )
  })
}

function errorsOf(fields: Fields, path: string): FieldError[] {
  const { apiVersion, kind } = fields
  return [
    ...(apiVersion === undefined ? [required(`${path}.apiVersion`, '')] : []),
    ...(kind === undefined ? [required(`${path}.kind`, '')] : []),
    ...problemsOfVersion(apiVersion).map((one) =>
      invalidField(`${path}.apiVersion`, apiVersion, one),
    ),
    ...problemsOfKind(kind).map((one) => invalidField(`${path}.kind`, kind, one)),
    ...(isFields(fields.metadata) ? errorsOfMetadata(fields.metadata, path) : []),
  ]
}

/** A name is not demanded, but has to be one that fits into a URL. */
function errorsOfMetadata(metadata: Fields, path: string): FieldError[] {
  const rules = {
    namespaced: Boolean(metadata.namespace),
    nameRule: 'pathSegment',
    takesAnyFinalizer: true,
  } as const
  const errors = validateMetadata({ ...metadata, name: metadata.name || 'unnamed' }, rules)
  return errors.map((error) => ({ ...error, field: `${path}.${error.field}` }))
}

function problemsOfVersion(apiVersion: unknown): string[] {
  if (apiVersion === undefined) return []
  if (apiVersion === '') return ['must not be empty']
  const parts = String(apiVersion).split('/')
  return parts.length > 2 ? [`unexpected GroupVersion string: ${apiVersion}`] : []
}

function problemsOfKind(kind: unknown): string[] {
  if (kind === undefined) return []
  if (kind === '') return ['must not be empty']
  const problems = dns1035Label(String(kind).toLowerCase())
  if (problems.length === 0) return []
  return [`may have mixed case, but should otherwise match: ${problems.join(',')}`]
}
