/** A pointer leads to nothing, or what is there is not as it must be. In the words of Go's json-patch. */
export class PointerError extends Error {
  override readonly name = 'PointerError'
  /** Whether there is not even something that could hold the value. */
  readonly withoutParent: boolean

  constructor(why: string, { withoutParent = false } = {}) {
    super(why)
    this.withoutParent = withoutParent
  }
}

type Fields = Record<string, unknown>
type Place = { parent: Fields | unknown[]; key: string }

/**
 * A JSON document that is changed in place, by pointers, as Go's json-patch does it for Kubernetes and
 * Talos: more lenient than RFC 6902, in that `replace` adds what is not there and an index may count
 * from the end. All throw a `PointerError`.
 */
export class JsonDocument {
  root: unknown

  constructor(root: unknown) {
    this.root = root
  }

  add(pointer: string, value: unknown): void {
    const { parent, key } = this.#find(pointer)
    if (!Array.isArray(parent)) put(parent, key, value)
    else if (key === '-') parent.push(value)
    else parent.splice(placeOf(key, parent.length + 1), 0, value)
  }

  /** What was removed. */
  remove(pointer: string): unknown {
    const { parent, key } = this.#find(pointer)
    if (Array.isArray(parent)) return parent.splice(indexOf(key, parent.length), 1)[0]
    if (!Object.hasOwn(parent, key)) {
      throw new PointerError(`Unable to remove nonexistent key: ${key}: missing value`)
    }
    const value = parent[key]
    delete parent[key]
    return value
  }

  replace(pointer: string, value: unknown): void {
    if (pointer === '') {
      if (!isContainer(value)) {
        throw new PointerError('replace operation value must be object or array')
      }
      this.root = value
      return
    }
    const { parent, key } = this.#find(pointer)
    if (Array.isArray(parent)) parent[indexOf(key, parent.length)] = value
    else put(parent, key, value)
  }

  /** Null for an entry that is not there. */
  get(pointer: string): unknown {
    return valueAt(this.#find(pointer))
  }

  /** Whether what is there is the same. */
  has(pointer: string, value: unknown): boolean {
    return isSameJson(pointer === '' ? this.root : this.get(pointer), value)
  }

  #find(pointer: string): Place {
    let parent = this.root
    // Read no further than it leads: it may be long.
    let at = pointer.indexOf('/')
    while (at >= 0 && isContainer(parent)) {
      const next = pointer.indexOf('/', at + 1)
      const key = unescaped(pointer.slice(at + 1, next < 0 ? undefined : next))
      if (next < 0) return { parent, key }
      parent = childAt({ parent, key })
      at = next
    }
    throw new PointerError('missing value', { withoutParent: true })
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isContainer = (value: unknown): value is Fields | unknown[] =>
  isFields(value) || Array.isArray(value)

/** To assign to `__proto__` would change what the object is, not what it holds. */
function put(fields: Fields, key: string, value: unknown): void {
  const options = { configurable: true, enumerable: true, writable: true }
  if (key === '__proto__') Object.defineProperty(fields, key, { value, ...options })
  else fields[key] = value
}

/** Null as well for an index that is not there: on the way to something, it is all the same. */
function childAt({ parent, key }: Place): unknown {
  if (Array.isArray(parent)) return parent[numberOf(key, parent.length) ?? -1]
  return valueAt({ parent, key })
}

function valueAt({ parent, key }: Place): unknown {
  if (Array.isArray(parent)) return parent[indexOf(key, parent.length)]
  return Object.hasOwn(parent, key) ? parent[key] : null
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

const INTEGER = /^[+-]?\d+$/

/** An index below a length, if it is one; a negative one counts from the end. */
function numberOf(key: string, length: number): number | undefined {
  const index = INTEGER.test(key) ? Number(key) : Number.NaN
  const counted = index < 0 ? index + length : index
  return counted >= 0 && counted < length ? counted : undefined
}

function indexOf(key: string, length: number): number {
  const index = numberOf(key, length)
  if (index !== undefined) return index
  throw new PointerError(
    INTEGER.test(key)
      ? `Unable to access invalid index: ${Number(key)}: invalid index referenced`
      : `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`,
  )
}

function placeOf(key: string, length: number): number {
  if (INTEGER.test(key)) return indexOf(key, length)
  throw new PointerError(
    `value was not a proper array index: '${key}': strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`,
  )
}

function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, at) => isSameJson(item, b[at]))
    )
  }
  if (!isFields(a) || !isFields(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
  )
}
