import type { Refused, Spec } from './cases.ts'

/** For a spec that has every field of a kind: each field in turn, alone and of another type. */
export const wrongTypeCases = (whole: Spec): Refused[] =>
  Object.entries(whole).flatMap(([key, value]) =>
    within(value, `spec.${key}`, (other) => ({ [key]: other })),
  )

function within(value: unknown, at: string, put: (other: unknown) => Spec): Refused[] {
  const type = typeOf(value)
  const itself = {
    title: `${at} that is no ${type}`,
    spec: put(type === 'string' ? 7 : 'text'),
    at,
    says: `must be of type ${type}`,
  }
  return [itself, ...below(value, at, put)]
}

function below(value: unknown, at: string, put: (other: unknown) => Spec): Refused[] {
  if (value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return within(value[0], `${at}[0]`, (other) => put([other]))
  return Object.entries(value).flatMap(([key, inner]) =>
    within(inner, `${at}.${key}`, (other) => put({ [key]: other })),
  )
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' ? 'integer' : typeof value
}
