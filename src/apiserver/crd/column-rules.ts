import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { type Fields, textAt } from '#apiserver/objects.ts'
import { simplePathErrors } from './simple-path.ts'

const types = ['boolean', 'date', 'integer', 'number', 'string']
const formats = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password']

/** What is wrong with a printer column of a CRD. */
export function columnErrors(column: Fields, path: string): FieldError[] {
  const type = textAt(column, 'type')
  const format = textAt(column, 'format')
  const jsonPath = textAt(column, 'jsonPath')
  const errors: FieldError[] = []
  if (!textAt(column, 'name')) errors.push(required(`${path}.name`, ''))
  const oneOf = `must be one of ${types.join(',')}`
  if (!type) errors.push(required(`${path}.type`, oneOf))
  else if (!types.includes(type)) errors.push(invalidField(`${path}.type`, type, oneOf))
  if (format && !formats.includes(format)) {
    errors.push(invalidField(`${path}.format`, format, `must be one of ${formats.join(',')}`))
  }
  if (!jsonPath) errors.push(required(`${path}.JSONPath`, ''))
  else errors.push(...simplePathErrors(jsonPath, `${path}.JSONPath`))
  return errors
}
