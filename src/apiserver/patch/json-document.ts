import { type Fields, isFields } from '#apiserver/objects.ts'
import { isDeepEqual } from '#apiserver/ownership/compare.ts'

/** A pointer leads to nothing, or what is there is not as it must be. */
export class PointerError extends Error {
  override readonly name = 'PointerError'
}

type Place = { parent: Fields | unknown[]; key: string }

/** A JSON document that is changed in place, by pointers. All throw a `PointerError`. */
export class JsonDocument {
  root: unknown

  constructor(root: unknown) {
    this.root = root
  }

  add(pointer: string, value: unknown): void {
    const { parent, key } = this.#find(pointer)
    if (!Array.isArray(parent)) put(parent, key, value)
    else if (key === '-') parent.push(value)
    else parent.splice(indexOf(key, parent.length + 1), 0, value)
  }

  /** What was removed. */
  remove(pointer: string): unknown {
    const { parent, key } = this.#find(pointer)
    if (Array.isArray(parent)) return parent.splice(indexOf(key, parent.length), 1)[0]
    if (!Object.hasOwn(parent, key)) throw new PointerError(`nothing at ${pointer}`)
    const value = parent[key]
    delete parent[key]
    return value
  }

  replace(pointer: string, value: unknown): void {
    if (pointer === '') {
      if (typeof value !== 'object') throw new PointerError('not a document')
      this.root = value
      return
    }
    const { parent, key } = this.#find(pointer)
    if (Array.isArray(parent)) parent[indexOf(key, parent.length)] = value
    else put(parent, key, value)
  }

  test(pointer: string, value: unknown): void {
    const found = pointer === '' ? this.root : this.get(pointer)
    if (!isDeepEqual(found, value)) throw new PointerError(`${pointer} is another`)
  }

  /** Null for an entry that is not there. */
  get(pointer: string): unknown {
    return valueAt(this.#find(pointer))
  }

  #find(pointer: string): Place {
    const [, ...keys] = pointer.split('/').map(unescaped)
    const key = keys.pop()
    if (key === undefined) throw new PointerError('no key')
    const parent = keys.reduce<unknown>((found, each) => {
      if (!isContainer(found)) throw new PointerError(`nothing at ${pointer}`)
      return valueAt({ parent: found, key: each })
    }, this.root)
    if (!isContainer(parent)) throw new PointerError(`nothing at ${pointer}`)
    return { parent, key }
  }
}

const isContainer = (value: unknown): value is Fields | unknown[] =>
  isFields(value) || Array.isArray(value)

function valueAt({ parent, key }: Place): unknown {
  if (Array.isArray(parent)) return parent[indexOf(key, parent.length)]
  return Object.hasOwn(parent, key) ? parent[key] : null
}

const put = (fields: Fields, key: string, value: unknown): void => {
  Object.defineProperty(fields, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** An index below a length; a negative one counts from the end. */
function indexOf(key: string, length: number): number {
  const index = /^[+-]?\d+$/.test(key) ? Number(key) : Number.NaN
  const counted = index < 0 ? index + length : index
  if (counted >= 0 && counted < length) return counted
  throw new PointerError(`no index ${key}`)
}
