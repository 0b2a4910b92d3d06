import { compileRules } from '#apiserver/cel/rules.ts'
import { type FieldError, invalidField, mostTold, wholeObject } from '#apiserver/field-error.ts'
import { type Fields, textAt } from '#apiserver/objects.ts'
import type { WriteContext } from '#apiserver/resource.ts'
import type { Schema } from '#apiserver/schema.ts'
import type { Steps } from '#apiserver/steps.ts'
import type { ScalePaths } from './definition.ts'
import { validateEmbedded } from './embedded.ts'
import { listTypeErrors } from './list-types.ts'
import { specScaleErrors, statusScaleErrors } from './scale.ts'
import { validateInSteps } from './validate-object.ts'

/** What an object of a custom kind is validated by. */
export interface CustomKind {
  apiVersion: string
  kind: string
  schema: Schema
  scale: ScalePaths | undefined
}

type CustomContext = Pick<WriteContext, 'metadataErrors' | 'subresource' | 'warn'>

/**
 * What is wrong with an object of a custom kind, or with its change; metadata aside. On a change,
 * errors in what has not changed are forgiven.
 */
export function* validateCustom(
  custom: CustomKind,
  object: Fields,
  change: { old: Fields | undefined; context: CustomContext },
): Steps<FieldError[]> {
  const { old, context } = change
  const wrongType = typeErrors(custom, object)
  if (wrongType.length > 0) return wrongType
  const errors =
    context.subresource === 'status'
      ? yield* statusErrors(custom, object, old ?? {})
      : yield* objectErrors(custom, object, old)
  yield
  const known = [...(context.metadataErrors ?? []), ...errors]
  const broken = yield* ruleErrors(custom, object, { ...change, errors: known })
  return [...errors, ...broken]
}

function typeErrors({ apiVersion, kind }: CustomKind, object: Fields): FieldError[] {
  const [hasKind, hasVersion] = [textAt(object, 'kind') ?? '', textAt(object, 'apiVersion') ?? '']
  return [
    ...(hasKind === kind ? [] : [invalidField('kind', hasKind, `must be ${kind}`)]),
    ...(hasVersion === apiVersion
      ? []
      : [invalidField('apiVersion', hasVersion, `must be ${apiVersion}`)]),
  ]
}

function* objectErrors(
  { schema, scale }: CustomKind,
  object: Fields,
  old: Fields | undefined,
): Steps<FieldError[]> {
  return [
    ...(yield* validateInSteps(schema, object, old ? { old } : {})),
    ...(scale ? specScaleErrors(object, scale) : []),
    ...(scale ? statusScaleErrors(object, scale) : []),
    ...validateEmbedded(schema, object),
    ...(yield* listErrors(schema, object, old)),
  ]
}

function* statusErrors(
  { schema, scale }: CustomKind,
  object: Fields,
  old: Fields,
): Steps<FieldError[]> {
  const status = schema.properties?.status
  const before = Object.hasOwn(old, 'status') ? { old: old.status } : {}
  return [
    ...(status && Object.hasOwn(object, 'status')
      ? yield* validateInSteps(status, object.status, { ...before, base: 'status' })
      : []),
    ...(scale ? statusScaleErrors(object, scale) : []),
    ...(yield* listErrors(schema, object, old)),
  ]
}

/** Once there are repeats anywhere in an object, further ones are forgiven. */
function* listErrors(schema: Schema, object: Fields, old: Fields | undefined): Steps<FieldError[]> {
  const errors = mostTold(yield* listTypeErrors(schema, object))
  if (errors.length === 0 || !old) return errors
  const isForgiven = (yield* listTypeErrors(schema, old)).length > 0
  return isForgiven ? [] : errors
}

const blocking = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

/** Rules are not tried on what has not even the shape that they are written for. */
function* ruleErrors(
  { schema }: CustomKind,
  value: Fields,
  {
    errors,
    old,
    context,
  }: {
    errors: readonly FieldError[]
    old: Fields | undefined
    context: Pick<WriteContext, 'warn'>
  },
): Steps<FieldError[]> {
  const rules = yield* compileRules(schema)
  if (!rules.hasRules) return []
  if (errors.some(({ reason }) => blocking.has(reason))) {
    const detail =
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
    return [invalidField(wholeObject, null, detail)]
  }
  const check = { value, ...(old && { old }), warn: (text: string) => context.warn(text) }
  return yield* rules.validate(check)
}
