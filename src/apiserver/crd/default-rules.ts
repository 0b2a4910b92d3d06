import { compileRules } from '#apiserver/cel/rules.ts'
import { type FieldError, invalidField } from '#apiserver/field-error.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { coerceEmbedded, validateEmbedded } from './embedded.ts'
import { isPruned } from './prune.ts'
import { validateValue } from './validate-object.ts'

/** What is wrong with the defaults in a schema: each has to be what could be written there. */
export function defaultErrors(schema: Schema, path: string): FieldError[] {
  const own =
    schema.default === undefined || schema.default === null
      ? []
      : errorsOf(schema, schema.default, `${path}.default`)
  return [
    ...own,
    ...(schema.items ? defaultErrors(schema.items, `${path}.items`) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, one]) =>
      defaultErrors(one, `${path}.properties[${key}]`),
    ),
  ]
}

function errorsOf(schema: Schema, standard: unknown, path: string): FieldError[] {
  const unpruned = isPruned(schema, standard)
    ? []
    : [invalidField(path, standard, 'must not have unknown fields')]
  const embedded = isFields(standard) ? embeddedErrors(schema, standard, path) : []
  if (embedded.length > 0) return [...unpruned, ...embedded]
  const errors = validateValue(schema, standard, { base: path })
  if (errors.length > 0) return [...unpruned, ...errors]
  return [...unpruned, ...compileRules(schema).validate({ value: standard, path })]
}

function embeddedErrors(schema: Schema, standard: Fields, path: string): FieldError[] {
  const copy = structuredClone(standard)
  const { error } = coerceEmbedded(schema, copy, path)
  return error ? [error] : validateEmbedded(schema, copy, path)
}
