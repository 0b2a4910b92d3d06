import type { LogFields } from '#base/log.ts'
import { messageOf } from '#base/operator-error.ts'
import { hiddenNames, isSecret, STARS, withoutSecrets } from './log-redaction.ts'

const LONGEST_TEXT = 4_096
const LONGEST_NAME = 128
/** Of all texts and names together. */
const LONGEST_LINE = 16_384
const MOST_ENTRIES = 50
const MOST_DEPTH = 5
const MOST_CAUSES = 4

const TAKEN = ['level', 'timestamp', 'message']

/**
 * Fields as they may be written: plain values, of a bounded size, without what is secret. Takes
 * whatever it is given, circles and getters that throw included.
 */
export function presentable(fields: LogFields, { withStacks }: { withStacks: boolean }): LogFields {
  const presenter = new Presenter()
  const details = fields.error instanceof Error ? detailsOf(fields.error, withStacks) : {}
  const named = Object.entries({ ...details, ...fields }).map(([name, value]) => [
    TAKEN.includes(name) ? `${name}_` : name,
    value,
  ])
  return presenter.fieldsOf(Object.fromEntries(named))
}

/** A message as it may be written. */
export const presentableText = (text: string): string => withoutSecrets(cut(text, LONGEST_TEXT))

/** What an error carries besides its message, by its shape: errors come from many libraries. */
function detailsOf(error: Error, withStacks: boolean): LogFields {
  return {
    ...('code' in error && { errorCode: error.code }),
    ...('status' in error && { errorStatus: error.status }),
    ...('reason' in error && { errorReason: error.reason }),
    ...(withStacks && { errorStack: stackOf(error) }),
  }
}

function stackOf(error: Error): string {
  const stacks: string[] = []
  for (let one: unknown = error; one instanceof Error && stacks.length < MOST_CAUSES; ) {
    stacks.push(one.stack ?? messageOf(one))
    one = one.cause
  }
  return stacks.join('\ncaused by: ')
}

/** Makes one set of fields presentable. It remembers how much room is left, and where it is. */
class Presenter {
  #left = LONGEST_LINE
  readonly #above: object[] = []

  fieldsOf(object: object): LogFields {
    const hidden = hiddenNames(object)
    const names = Object.keys(object)
    const shown = names.slice(0, MOST_ENTRIES).flatMap((name): [string, unknown][] => {
      if (this.#left <= 0) return []
      const value = read(object, name)
      if (value === undefined) return []
      const isHidden = hidden.includes(name) || isSecret(name, value)
      return [[this.#take(cut(name, LONGEST_NAME)), isHidden ? starred(value) : this.#plain(value)]]
    })
    const more = names.length - shown.length
    const isCut = names.length > MOST_ENTRIES || this.#left <= 0
    return Object.fromEntries(isCut ? [...shown, ['…', `${more} more`]] : shown)
  }

  #plain(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
    if (typeof value === 'object' && value !== null) return this.#object(value)
    if (typeof value === 'function') return '<function>'
    return typeof value === 'bigint' || typeof value === 'symbol' ? String(value) : value
  }

  #object(value: object): unknown {
    const word = wordFor(value)
    if (word !== undefined) return this.#text(word)
    if (this.#above.includes(value)) return '<circular>'
    if (this.#above.length >= MOST_DEPTH) return '<too deep>'
    this.#above.push(value)
    try {
      return this.#inside(value)
    } catch {
      return '<unreadable>'
    } finally {
      this.#above.pop()
    }
  }

  #inside(value: object): unknown {
    if (Array.isArray(value)) return this.#list(value)
    if (value instanceof Set) return this.#list([...value])
    if (value instanceof Map) return this.fieldsOf(Object.fromEntries(value))
    const json = read(value, 'toJSON')
    return typeof json === 'function' ? this.#plain(json.call(value)) : this.fieldsOf(value)
  }

  #list(values: unknown[]): unknown[] {
    const shown: unknown[] = []
    for (const value of values.slice(0, MOST_ENTRIES)) {
      if (this.#left <= 0) break
      shown.push(this.#plain(value) ?? null)
    }
    const more = values.length - shown.length
    return more > 0 ? [...shown, `… ${more} more`] : shown
  }

  #text(text: string): string {
    return this.#take(withoutSecrets(cut(text, Math.max(0, Math.min(LONGEST_TEXT, this.#left)))))
  }

  #take(text: string): string {
    this.#left -= text.length
    return text
  }
}

/** What stands for an object that is better said in a word. */
function wordFor(value: object): string | undefined {
  if (value instanceof Error) return messageOf(value)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString()
  if (value instanceof URL) return value.href
  if (ArrayBuffer.isView(value)) return `<${value.byteLength} bytes>`
  return undefined
}

/** Whether there was something to hide is no secret. */
const starred = (value: unknown): unknown =>
  value === null || typeof value === 'boolean' ? value : STARS

function read(object: object, name: string): unknown {
  try {
    return Reflect.get(object, name)
  } catch {
    return '<unreadable>'
  }
}

const cut = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest)}… ${text.length - longest} more` : text
