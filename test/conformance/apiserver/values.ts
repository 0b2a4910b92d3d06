/** The value at a path below a parsed body: `at(body, 'items', 0, 'metadata')`. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let found = value
  for (const step of path) found = Array.isArray(found) ? found[Number(step)] : Object(found)[step]
  return found
}

/** The text there. Empty if there is none. */
export const textAt = (value: unknown, ...path: (string | number)[]): string => {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}

/** The list there. Empty if there is none. */
export const listAt = (value: unknown, ...path: (string | number)[]): unknown[] => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}
