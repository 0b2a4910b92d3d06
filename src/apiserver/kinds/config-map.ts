import { type FieldError, invalidField } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { checkRule, configKey } from './field-checks.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { refuseChanges } from './secret.ts'

/** Config maps. */
export const configMap: BuiltinBehaviour = builtin({
  *check(object, old) {
    const changes = old ? refuseChanges(object, old, ['data', 'binaryData']) : []
    return [...changes, ...(yield* contentErrors(object))]
  },
})

const mostBytes = 1024 * 1024

function* contentErrors(object: Fields): Steps<FieldError[]> {
  const [texts, binary] = [fieldsAt(object, 'data'), fieldsAt(object, 'binaryData')]
  const errors: FieldError[] = []
  let bytes = 0
  for (const key of Object.keys(texts)) {
    if (isDue()) yield
    errors.push(...checkRule(key, `data[${key}]`, configKey))
    if (Object.hasOwn(binary, key))
      errors.push(invalidField(`data[${key}]`, key, 'duplicate of key present in binaryData'))
    bytes += bytesOfText(texts[key])
  }
  for (const key of Object.keys(binary)) {
    if (isDue()) yield
    errors.push(...checkRule(key, `binaryData[${key}]`, configKey))
    bytes += bytesOfBase64(binary[key])
  }
  if (bytes > mostBytes)
    // Kubernetes tells it of the object as a whole, which has no name.
    errors.push({
      reason: 'FieldValueTooLong',
      field: '[]',
      message: `Too long: may not be more than ${mostBytes} bytes`,
    })
  return errors
}

const bytesOfText = (value: unknown): number =>
  typeof value === 'string' ? Buffer.byteLength(value) : 0

const bytesOfBase64 = (value: unknown): number =>
  typeof value === 'string' ? Math.floor((value.length * 3) / 4) : 0
