import { type Fields, isFields, put } from '#apiserver/objects.ts'

/** A copy of a JSON object that shares nothing with it. */
export function copyOf(fields: Fields): Fields {
  const out: Fields = {}
  for (const key of Object.keys(fields)) put(out, key, copyOfValue(fields[key]))
  return out
}

/** The same of any JSON value. */
export function copyOfValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOfValue)
  return isFields(value) ? copyOf(value) : value
}
