import { type FieldError, forbiddenField, invalidField, required } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, put, textAt } from '#apiserver/objects.ts'
import type { WriteContext } from '#apiserver/resource.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { checkImmutable, checkRule, configKey } from './field-checks.ts'
import { childOf, fillEmpty, isSame, partOf } from './fill.ts'
import { problemOfKeyPair } from './key-pair.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { topSelector } from './selectable.ts'

/** Secrets: `stringData` is a way in only, and is kept as `data`. */
export const secret: BuiltinBehaviour = builtin({
  *fillDefaults(object) {
    const texts = partOf(object, 'stringData')
    if (texts) {
      const content = childOf(object, 'data')
      for (const key of Object.keys(texts)) {
        if (isDue()) yield
        put(content, key, Buffer.from(String(texts[key])).toString('base64'))
      }
    }
    delete object.stringData
    fillEmpty(object, { type: 'Opaque' })
  },
  *check(object, old, context) {
    const errors = [
      ...(old ? checkImmutable(object.type, object.type === old.type, 'type') : []),
      ...(old ? refuseChanges(object, old, ['data']) : []),
      ...(yield* contentErrors(object)),
    ]
    if (errors.length === 0 && object.type === 'kubernetes.io/tls')
      warnOfKeyPair(fieldsAt(object, 'data'), context)
    return errors
  },
  selectableFields: { type: topSelector('type') },
})

function warnOfKeyPair(content: Fields, { warn }: WriteContext): void {
  const text = (key: string): string => Buffer.from(textAt(content, key) ?? '', 'base64').toString()
  const problem = problemOfKeyPair(text('tls.crt'), text('tls.key'))
  if (problem) warn(problem)
}

const mostBytes = 1024 * 1024

function* contentErrors(object: Fields): Steps<FieldError[]> {
  const content = fieldsAt(object, 'data')
  const errors: FieldError[] = []
  let bytes = 0
  for (const key of Object.keys(content)) {
    if (isDue()) yield
    const value = content[key]
    errors.push(...checkRule(key, `data[${key}]`, configKey))
    bytes += typeof value === 'string' ? Math.floor((value.length * 3) / 4) : 0
  }
  if (bytes > mostBytes)
    errors.push({
      reason: 'FieldValueTooLong',
      field: 'data',
      message: `Too long: may not be more than ${mostBytes} bytes`,
    })
  return [...errors, ...validateType(object, content)]
}

/** Keys that secrets of a type must have; of those in one list, one is enough. */
const keysOfTypes: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
}

function validateType(object: Fields, content: Fields): FieldError[] {
  const type = textAt(object, 'type') ?? ''
  if (type === 'kubernetes.io/service-account-token') return validateTokenOwner(object)
  if (type === 'kubernetes.io/basic-auth')
    return 'username' in content || 'password' in content
      ? []
      : [required('data[username]', ''), required('data[password]', '')]
  return (keysOfTypes[type] ?? []).flatMap((key) => {
    if (!(key in content)) return [required(`data[${key}]`, '')]
    return key.startsWith('.docker') ? validateJson(content[key], `data[${key}]`) : []
  })
}

const accountAnnotation = 'kubernetes.io/service-account.name'

function validateTokenOwner(object: Fields): FieldError[] {
  const annotations = fieldsAt(fieldsAt(object, 'metadata'), 'annotations')
  return textAt(annotations, accountAnnotation)
    ? []
    : [required(`metadata.annotations[${accountAnnotation}]`, '')]
}

function validateJson(value: unknown, field: string): FieldError[] {
  const text = Buffer.from(String(value), 'base64').toString()
  try {
    const _: unknown = JSON.parse(text)
    return []
  } catch {
    const problem =
      text === ''
        ? 'unexpected end of JSON input'
        : `invalid character '${text[0]}' looking for beginning of value`
    return [invalidField(field, '<secret contents redacted>', problem)]
  }
}

/** What was declared immutable stays as it is, that declaration included. */
export function refuseChanges(object: Fields, old: Fields, keys: readonly string[]): FieldError[] {
  if (old.immutable !== true) return []
  const changed = keys.filter((key) => !isSame(object[key], old[key]))
  if (object.immutable !== true) changed.unshift('immutable')
  return changed.map((key) => forbiddenField(key, 'field is immutable when `immutable` is set'))
}
