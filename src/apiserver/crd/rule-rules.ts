import { type FieldError, invalidField, notSupported, required } from '#apiserver/field-error.ts'
import { type Fields, isFields, listAt, textAt } from '#apiserver/objects.ts'
import { fieldAtPath } from './field-path.ts'

const reasons = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
]

/** What is wrong with the rules of a schema before anything is known of what they say. */
export const ruleErrors = (schema: Fields, path: string): FieldError[] =>
  listAt(schema, 'x-kubernetes-validations').flatMap((rule, index) =>
    isFields(rule)
      ? [
          ...textErrors(rule, `${path}.x-kubernetes-validations[${index}]`),
          ...pathErrors(schema, rule, `${path}.x-kubernetes-validations[${index}]`),
        ]
      : [],
  )

function textErrors(rule: Fields, path: string): FieldError[] {
  const errors = messageErrors(rule, path)
  const expression = textAt(rule, 'messageExpression')
  if (expression && expression.trim() === '') {
    const detail = 'messageExpression must be non-empty if specified'
    errors.push(required(`${path}.messageExpression`, detail))
  }
  const reason = rule.reason ?? undefined
  if (reason !== undefined && !reasons.includes(String(reason))) {
    errors.push(notSupported(`${path}.reason`, reason, reasons))
  }
  return errors
}

function messageErrors(rule: Fields, path: string): FieldError[] {
  const message = textAt(rule, 'message') ?? ''
  const text = (textAt(rule, 'rule') ?? '').trim()
  if (text === '') return [required(`${path}.rule`, 'rule is not specified')]
  if (message !== '' && message.trim() === '') {
    return [invalidField(`${path}.message`, message, 'must be non-empty if specified')]
  }
  if (hasNewline(message.trim())) {
    return [invalidField(`${path}.message`, message, 'must not contain line breaks')]
  }
  if (!hasNewline(text) || message !== '') return []
  return [required(`${path}.message`, 'message must be specified if rule contains line breaks')]
}

const hasNewline = (text: string): boolean => /[\n\r]/.test(text)

function pathErrors(schema: Fields, rule: Fields, path: string): FieldError[] {
  const fieldPath = textAt(rule, 'fieldPath')
  if (!fieldPath) return []
  const details = [
    ...(fieldPath.trim() === '' ? ['must be non-empty if specified'] : []),
    ...(hasNewline(fieldPath) ? ['must not contain line breaks'] : []),
    ...('problem' in fieldAtPath(schema, fieldPath, true) ? ['must be a valid path'] : []),
  ]
  return details.map((detail) => invalidField(`${path}.fieldPath`, fieldPath, detail))
}
