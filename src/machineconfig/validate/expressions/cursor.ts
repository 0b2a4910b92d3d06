import { type Issue, NOWHERE, type Token } from './tokens.ts'

/** Thrown when nothing can be made of what follows. It was told before. */
export class Stop extends Error {}

const END: Token = { kind: 'end', text: '<EOF>', at: 0 }

/** A place among the tokens of an expression, and what was found to be unreadable so far. */
export class Cursor {
  readonly issues: Issue[]
  readonly #tokens: readonly Token[]
  #index = 0

  constructor(tokens: readonly Token[], issues: Issue[]) {
    this.#tokens = tokens
    this.issues = issues
  }

  get token(): Token {
    return this.peek(0)
  }

  peek(ahead: number): Token {
    return this.#tokens[this.#index + ahead] ?? END
  }

  /** Goes past the next token. */
  take(): Token {
    const { token } = this
    this.#index += 1
    return token
  }

  /** Goes past a sign if it is next. */
  accept(sign: string): Token | undefined {
    const { kind, text } = this.token
    return kind === 'sign' && text === sign ? this.take() : undefined
  }

  /** Goes past a sign that must come. */
  close(sign: string): void {
    if (this.accept(sign) === undefined) this.fail(`missing '${sign}' at '${this.token.text}'`)
  }

  refuse(at: number, message: string): void {
    this.issues.push({ at, message })
  }

  fail(message: string): never {
    this.refuse(this.token.at, `Syntax error: ${message}`)
    throw new Stop()
  }

  /** Ends with nothing but this told. */
  giveUp(message: string): never {
    this.issues.splice(0, this.issues.length, { at: NOWHERE, message })
    throw new Stop()
  }

  /** How many arguments of a call follow. */
  countArguments(): number {
    if (this.token.text === ')') return 0
    let depth = 0
    let count = 1
    for (let ahead = 0; depth >= 0 && this.peek(ahead).kind !== 'end'; ahead += 1) {
      const { kind, text } = this.peek(ahead)
      if (kind !== 'sign') continue
      if ('([{'.includes(text)) depth += 1
      else if (')]}'.includes(text)) depth -= 1
      else if (depth === 0 && text === ',') count += 1
    }
    return count
  }
}
