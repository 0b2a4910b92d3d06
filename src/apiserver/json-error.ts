import { depthProblemIn } from './json-strings.ts'
import { atOnce, isDue, type Steps } from './steps.ts'

/** What is wrong with a text that is no JSON, in the words of the Go program that users know. */
export const jsonProblemIn = (text: string): string => atOnce(jsonProblemInSteps(text))

/** The same, with pauses. */
export function* jsonProblemInSteps(text: string): Steps<string> {
  const problem = depthProblemIn(text)
  if (problem !== undefined) return problem
  const at = new Scanner(text)
  try {
    yield* at.value()
    at.space()
    return at.isDone()
      ? 'unexpected end of JSON input'
      : at.unexpected('after top-level value').message
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Goes through a text by the rules of JSON, until one is broken. */
class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  isDone(): boolean {
    return this.#at >= this.#text.length
  }

  unexpected(where: string): Error {
    if (this.isDone()) return new Error('unexpected end of JSON input')
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0)
    return new Error(`invalid character ${quoted(character)} ${where}`)
  }

  space(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at += 1
  }

  *value(): Steps<void> {
    this.space()
    const next = this.#text[this.#at] ?? ''
    if (isDue()) yield
    if (next === '{') yield* this.#object()
    else if (next === '[') yield* this.#list()
    else if (next === '"') yield* this.#string()
    else if (/[-\d]/.test(next)) this.#number()
    else this.#word(next)
  }

  #word(first: string): void {
    const word = WORDS.find((one) => first !== '' && one.startsWith(first))
    if (!word) throw this.unexpected('looking for beginning of value')
    for (const letter of word) {
      if (this.#text[this.#at] !== letter) {
        throw this.unexpected(`in literal ${word} (expecting '${letter}')`)
      }
      this.#at += 1
    }
  }

  *#object(): Steps<void> {
    this.#at += 1
    this.space()
    if (this.#takes('}')) return
    for (;;) {
      this.space()
      if (this.#text[this.#at] !== '"')
        throw this.unexpected('looking for beginning of object key string')
      yield* this.#string()
      this.space()
      if (!this.#takes(':')) throw this.unexpected('after object key')
      yield* this.value()
      this.space()
      if (this.#takes('}')) return
      if (!this.#takes(',')) throw this.unexpected('after object key:value pair')
    }
  }

  *#list(): Steps<void> {
    this.#at += 1
    this.space()
    if (this.#takes(']')) return
    for (;;) {
      yield* this.value()
      this.space()
      if (this.#takes(']')) return
      if (!this.#takes(',')) throw this.unexpected('after array element')
    }
  }

  *#string(): Steps<void> {
    this.#at += 1
    while (!this.#takes('"')) {
      const code = this.#text.charCodeAt(this.#at)
      if (Number.isNaN(code) || code < 0x20) throw this.unexpected('in string literal')
      this.#at += 1
      if (code === 0x5c) this.#escape()
      if (isDue()) yield
    }
  }

  #escape(): void {
    if (!/["\\/bfnrtu]/.test(this.#text[this.#at] ?? '')) {
      throw this.unexpected('in string escape code')
    }
    this.#at += 1
  }

  #number(): void {
    const [number = ''] =
      /^-?(0|[1-9]\d*)?(\.\d+)?([eE][+-]?\d+)?/.exec(this.#text.slice(this.#at)) ?? []
    this.#at += number.length
    if (number === '-' || number === '') throw this.unexpected('in numeric literal')
  }

  #takes(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }
}

const WORDS = ['true', 'false', 'null']

const quoted = (character: string): string => {
  if (character === "'") return String.raw`'\''`
  const code = character.codePointAt(0) ?? 0
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0)
  return isControl ? `'\\u${code.toString(16).padStart(4, '0')}'` : `'${character}'`
}
