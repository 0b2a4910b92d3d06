import type { FieldError } from '#apiserver/field-error.ts'

/**
 * Errors about values that Kubernetes shows as its Go program holds them, whose fields have an order and
 * names of their own. Other values are shown as the API has them.
 */
export const invalidGoValue = (field: string, value: object, detail: string): FieldError => ({
  reason: 'FieldValueInvalid',
  field,
  message: `Invalid value: ${JSON.stringify(value)}: ${detail}`,
})

/** The same for something that is there twice. */
export const duplicateGoValue = (field: string, value: object, detail?: string): FieldError => ({
  reason: 'FieldValueDuplicate',
  field,
  message: `Duplicate value: ${JSON.stringify(value)}${detail ? `: ${detail}` : ''}`,
})

/** The same for something that is none of a few. */
export const unsupportedGoValue = (
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError => ({
  reason: 'FieldValueNotSupported',
  field,
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported
    .map((one) => JSON.stringify(one))
    .join(', ')}`,
})
