import { type FieldError, invalidField } from '#apiserver/field-error.ts'
import { qualifiedName } from '#apiserver/metadata/label-rules.ts'
import type { Fields } from '#apiserver/objects.ts'
import { partOf } from './fill.ts'
import { amountOf } from './quantity.ts'

const standard = ['cpu', 'memory', 'ephemeral-storage']

/** What is wrong with the limits and requests of a container. */
export function validateResources(resources: Fields | undefined, field: string): FieldError[] {
  if (!resources) return []
  const limits = partOf(resources, 'limits') ?? {}
  const requests = partOf(resources, 'requests') ?? {}
  return [
    ...Object.entries(limits).flatMap((entry) => validateAmount(entry, `${field}.limits`)),
    ...Object.entries(requests).flatMap(([name, amount]) => [
      ...validateAmount([name, amount], `${field}.requests`),
      ...(amountOf(amount) > amountOf(limits[name])
        ? [
            invalidField(
              `${field}.requests`,
              amount,
              `must be less than or equal to ${name} limit of ${String(limits[name])}`,
            ),
          ]
        : []),
    ]),
  ]
}

function validateAmount([name, amount]: [string, unknown], field: string): FieldError[] {
  const at = `${field}[${name}]`
  return [
    ...qualifiedName(name).map((problem) => invalidField(at, name, problem)),
    ...validateResourceName(name, at),
    ...(amountOf(amount) < 0
      ? [invalidField(at, amount, 'must be greater than or equal to 0')]
      : []),
  ]
}

function validateResourceName(name: string, field: string): FieldError[] {
  if (name.includes('/') || standard.includes(name) || name.startsWith('hugepages-')) return []
  return [
    invalidField(field, name, 'must be a standard resource type or fully qualified'),
    invalidField(field, name, 'must be a standard resource for containers'),
  ]
}
