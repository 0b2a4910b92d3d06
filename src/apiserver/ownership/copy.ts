import { type Fields, isFields, put } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'

/** A copy of a JSON object that shares nothing with it, with pauses. */
export function* copyInSteps(fields: Fields): Steps<Fields> {
  const out: Fields = {}
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    put(out, key, typeof value === 'object' ? yield* copyOfValueInSteps(value) : value)
    if (isDue()) yield
  }
  return out
}

/** The same of any JSON value. */
export function* copyOfValueInSteps(value: unknown): Steps<unknown> {
  if (!Array.isArray(value)) return isFields(value) ? yield* copyInSteps(value) : value
  const out: unknown[] = []
  for (const item of value) {
    out.push(typeof item === 'object' ? yield* copyOfValueInSteps(item) : item)
    if (isDue()) yield
  }
  return out
}

/** A copy of a JSON object that shares what is in it, with pauses. */
export function* sharedCopyOf(fields: Fields): Steps<Fields> {
  const out: Fields = {}
  yield
  for (const key of Object.keys(fields)) {
    put(out, key, fields[key])
    if (isDue()) yield
  }
  return out
}
