/** Whether two values mean the same as JSON, in whatever order of keys: what is undefined is not there. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (!isContainer(one) || !isContainer(other)) return false
  if (Array.isArray(one) || Array.isArray(other)) return sameList(one, other)
  const [left, right] = [definedIn(one), definedIn(other)]
  return (
    left.length === right.length &&
    left.every(([key, value]) => Object.hasOwn(other, key) && sameJson(value, other[key]))
  )
}

const sameList = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) &&
  Array.isArray(other) &&
  one.length === other.length &&
  one.every((item, at) => sameJson(item, other[at]))

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const definedIn = (value: Record<string, unknown>): [string, unknown][] =>
  Object.entries(value).filter(([, inner]) => inner !== undefined)
