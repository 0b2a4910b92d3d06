import { quoted } from '#apiserver/field-error.ts'
import type { Fields } from '#apiserver/objects.ts'
import { isDeepEqual } from '#apiserver/ownership/compare.ts'
import type { Schema } from '#apiserver/schema.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { versionsOf } from './definition.ts'
import { formatCheck } from './formats.ts'

/** What is said to the writer of a CRD about formats that mean nothing; not again if they were there before. */
export function* definitionWarnings(crd: Fields, old: Fields | undefined): Steps<string[]> {
  const formats = yield* formatsIn(crd)
  if (formats.length === 0) return []
  const known = new Set(old ? yield* formatsIn(old) : [])
  return formats
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${quoted(format)}`)
}

function* formatsIn(crd: Fields): Steps<string[]> {
  const [first, ...more] = versionsOf(crd).flatMap(({ schema }) => schema ?? [])
  if (!first) return []
  let isShared = true
  for (const one of more) isShared &&= yield* isDeepEqual(one, first)
  const formats: string[] = []
  for (const one of isShared ? [first] : [first, ...more]) yield* addUnknownFormats(one, formats)
  return formats
}

const known: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
}

function* addUnknownFormats(schema: Schema, formats: string[]): Steps<void> {
  if (isDue()) yield
  const { type = 'string', format } = schema
  const isKnown =
    type === 'string' ? formatCheck(format ?? '') : known[type]?.includes(format ?? '')
  if (format && !isKnown) formats.push(format)
  for (const one of partsOf(schema)) yield* addUnknownFormats(one, formats)
}

function partsOf(schema: Schema): Schema[] {
  const { items, not, additionalProperties } = schema
  return [
    ...(items ? [items] : []),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(not ? [not] : []),
    ...Object.values(schema.properties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
}
