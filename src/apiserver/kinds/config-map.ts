import { type FieldError, invalidField } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { checkRule, configKey } from './field-checks.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { refuseChanges } from './secret.ts'

/** Config maps. */
export const configMap: BuiltinBehaviour = builtin({
  validate: (object, old) => [
    ...(old ? refuseChanges(object, old, ['data', 'binaryData']) : []),
    ...validateContent(object),
  ],
})

const mostBytes = 1024 * 1024

function validateContent(object: Fields): FieldError[] {
  const errors: FieldError[] = []
  const binary = fieldsAt(object, 'binaryData')
  let bytes = 0
  const data = fieldsAt(object, 'data')
  for (const key of Object.keys(data)) {
    const value = data[key]
    errors.push(...checkRule(key, `data[${key}]`, configKey))
    if (Object.hasOwn(binary, key))
      errors.push(invalidField(`data[${key}]`, key, 'duplicate of key present in binaryData'))
    bytes += typeof value === 'string' ? Buffer.byteLength(value) : 0
  }
  for (const key of Object.keys(binary)) {
    const value = binary[key]
    errors.push(...checkRule(key, `binaryData[${key}]`, configKey))
    bytes += typeof value === 'string' ? Math.floor((value.length * 3) / 4) : 0
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
