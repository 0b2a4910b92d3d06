import type { Refused, Spec, Status, StatusRefused } from './cases.ts'

type Put = (other: unknown) => Record<string, unknown>

interface WrongType extends Pick<Refused, 'title' | 'at' | 'says'> {
  content: Record<string, unknown>
}

/** For a spec that has every field of a kind: each field in turn, alone and of another type. */
export const wrongTypeCases = (whole: Spec): Refused[] =>
  wrongTypes('spec', whole).map(({ content, ...attempt }) => ({ ...attempt, spec: content }))

/** The same for a status. */
export const wrongStatusTypeCases = (whole: Status): StatusRefused[] =>
  wrongTypes('status', whole).map(({ content, ...attempt }) => ({ ...attempt, status: content }))

const wrongTypes = (root: string, whole: Record<string, unknown>): WrongType[] =>
  Object.entries(whole).flatMap(([key, value]) =>
    within(value, `${root}.${key}`, (other) => ({ [key]: other })),
  )

function within(value: unknown, at: string, put: Put): WrongType[] {
  const type = typeOf(value)
  const itself = {
    title: `${at} that is no ${type}`,
    content: put(typeof value === 'string' ? 7 : 'text'),
    at,
    says: `must be of type ${type}`,
  }
  return [itself, ...below(value, at, put)]
}

function below(value: unknown, at: string, put: Put): WrongType[] {
  if (value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return within(value[0], `${at}[0]`, (other) => put([other]))
  return Object.entries(value).flatMap(([key, inner]) =>
    within(inner, `${at}.${key}`, (other) => put({ [key]: other })),
  )
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  // The API server takes a format for the type, whatever is in its place.
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(value))) return 'date-time'
  return typeof value === 'number' ? 'integer' : typeof value
}
