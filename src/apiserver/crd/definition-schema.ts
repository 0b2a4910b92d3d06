import { compileRules } from '#apiserver/cel/rules.ts'
import { type FieldError, forbiddenField, invalidField, Verbatim } from '#apiserver/field-error.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import { isDeepEqual } from '#apiserver/ownership/compare.ts'
import type { Schema } from '#apiserver/schema.ts'
import type { Steps } from '#apiserver/steps.ts'
import { defaultErrors } from './default-rules.ts'
import type { DefinitionVersion } from './definition.ts'
import { allowedAtRoot, saidAtRoot, schemaText } from './schema-dump.ts'
import { schemaErrors, unreadable } from './schema-rules.ts'
import { structuralErrors } from './structural.ts'

/**
 * What is wrong with the schemas of a CRD. One that all versions share is told of once, in the place
 * where Kubernetes keeps it.
 */
export function* definitionSchemaErrors(
  versions: readonly DefinitionVersion[],
  before: readonly DefinitionVersion[],
): Steps<FieldError[]> {
  const found: FieldError[] = []
  for (const { schema, hasStatus, path, name } of yield* toldSchemas(versions)) {
    if (!isFields(schema) || !schema) continue
    const errors = yield* errorsOf(schema, hasStatus, `${path}.openAPIV3Schema`)
    for (const error of errors) found.push(error)
    // Rules that were accepted once are not tried again: a stricter check must not lock a CRD.
    const old = before.find((one) => one.name === name)
    if (errors.length > 0 || (old && (yield* isDeepEqual(old.schema, schema)))) continue
    const rules = yield* compileRules(schema)
    for (const error of yield* rules.problems(`${path}.openAPIV3Schema`)) found.push(error)
  }
  return found
}

type Told = DefinitionVersion & { path: string }

/** The schemas of versions and where they are told to be. */
function* toldSchemas(versions: readonly DefinitionVersion[]): Steps<Told[]> {
  const [first, ...others] = versions
  if (!first) return []
  let isShared = true
  for (const { schema } of others) {
    isShared &&= yield* isDeepEqual(schema, first.schema)
  }
  const hasStatus = versions.some((version) => version.hasStatus)
  return isShared
    ? [{ ...first, hasStatus, path: 'spec.validation' }]
    : versions.map((version, index) => ({ ...version, path: `spec.versions[${index}].schema` }))
}

function* errorsOf(schema: Schema & Fields, hasStatus: boolean, path: string): Steps<FieldError[]> {
  const problem = yield* unreadable(schema)
  const errors = [
    ...(hasStatus ? yield* rootErrors(schema, path) : []),
    ...(schema.nullable
      ? [forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root')]
      : []),
    ...(problem ? [] : yield* shapeErrors(schema, path)),
    ...(yield* schemaErrors(schema, path)),
  ]
  return errors.length === 0 && problem ? [invalidField(path, '', problem)] : errors
}

function* shapeErrors(schema: Schema & Fields, path: string): Steps<FieldError[]> {
  const errors = yield* structuralErrors(schema, path)
  return errors.length > 0 ? errors : yield* defaultErrors(schema, path)
}

function* rootErrors(schema: Fields, path: string): Steps<FieldError[]> {
  for (const name of saidAtRoot(schema)) {
    if (name === 'Type' && schema.type !== 'object') {
      const detail =
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
      return [invalidField(`${path}.type`, schema.type, detail)]
    }
    if (!allowedAtRoot.includes(name)) {
      const detail = `only [${allowedAtRoot.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`
      return [invalidField(path, new Verbatim(yield* schemaText(schema)), detail)]
    }
  }
  return []
}
