import { quoted } from '#apiserver/field-error.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { versionsOf } from './definition.ts'
import { formatCheck } from './formats.ts'

/** What is said to the writer of a CRD about formats that mean nothing; not again if they were there before. */
export function definitionWarnings(crd: Fields, old: Fields | undefined): string[] {
  const known = new Set(old ? formatsIn(old) : [])
  return formatsIn(crd)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${quoted(format)}`)
}

function formatsIn(crd: Fields): string[] {
  const [first, ...more] = versionsOf(crd).flatMap(({ schema }) => schema ?? [])
  if (!first) return []
  const isShared = more.every((one) => JSON.stringify(one) === JSON.stringify(first))
  return (isShared ? [first] : [first, ...more]).flatMap(unknownFormats)
}

const known: Readonly<Record<string, readonly string[]>> = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
}

function unknownFormats(schema: Schema): string[] {
  const { type = 'string', format } = schema
  const isKnown =
    type === 'string' ? formatCheck(format ?? '') : known[type]?.includes(format ?? '')
  const { items, not, additionalProperties } = schema
  const below = [
    ...(items ? [items] : []),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(not ? [not] : []),
    ...Object.values(schema.properties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]
  return [...(format && !isKnown ? [format] : []), ...below.flatMap(unknownFormats)]
}
