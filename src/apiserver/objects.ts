/** A JSON object of which nothing is known yet. */
export type Fields = Record<string, unknown>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object under a key; an empty one, which is not put there, where there is none. */
export function fieldsAt(fields: Fields, key: string): Fields {
  const value = fields[key]
  return isFields(value) ? value : {}
}

/** The text under a key, if there is one and it is not empty: Kubernetes tells no difference. */
export function textAt(fields: Fields, key: string): string | undefined {
  const value = fields[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function listAt(fields: Fields, key: string): unknown[] {
  const value = fields[key]
  return Array.isArray(value) ? value : []
}

/** Sets a field, whatever its name: to assign to `__proto__` would change what the object is, not what it holds. */
export function put(fields: Fields, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(fields, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  } else {
    fields[key] = value
  }
}

/** A time of day as Kubernetes writes it: whole seconds. */
export const timestampOf = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`
