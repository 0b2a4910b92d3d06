import { compileRules } from '#apiserver/cel/rules.ts'
import { type FieldError, invalidField } from '#apiserver/field-error.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import { copyInSteps } from '#apiserver/ownership/copy.ts'
import type { Schema } from '#apiserver/schema.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { coerceEmbedded, validateEmbedded } from './embedded.ts'
import { isPruned } from './prune.ts'
import { validateInSteps } from './validate-object.ts'

/** What is wrong with the defaults in a schema: each has to be what could be written there. */
export function* defaultErrors(schema: Schema, path: string): Steps<FieldError[]> {
  if (isDue()) yield
  const errors =
    schema.default === undefined || schema.default === null
      ? []
      : yield* errorsOf(schema, schema.default, `${path}.default`)
  if (schema.items) {
    for (const error of yield* defaultErrors(schema.items, `${path}.items`)) errors.push(error)
  }
  for (const [key, one] of Object.entries(schema.properties ?? {})) {
    const found = yield* defaultErrors(one, `${path}.properties[${key}]`)
    for (const error of found) errors.push(error)
  }
  return errors
}

function* errorsOf(schema: Schema, standard: unknown, path: string): Steps<FieldError[]> {
  const unpruned = (yield* isPruned(schema, standard))
    ? []
    : [invalidField(path, standard, 'must not have unknown fields')]
  const embedded = isFields(standard) ? yield* embeddedErrors(schema, standard, path) : []
  if (embedded.length > 0) return [...unpruned, ...embedded]
  const errors = yield* validateInSteps(schema, standard, { base: path })
  if (errors.length > 0) return [...unpruned, ...errors]
  const rules = yield* compileRules(schema)
  return [...unpruned, ...(yield* rules.validate({ value: standard, path }))]
}

function* embeddedErrors(schema: Schema, standard: Fields, path: string): Steps<FieldError[]> {
  const copy = yield* copyInSteps(standard)
  const { error } = coerceEmbedded(schema, copy, path)
  return error ? [error] : validateEmbedded(schema, copy, path)
}
