import type { Expr } from './ast.ts'
import type { Token } from './lexer.ts'
import type { Issue } from './source.ts'

/** Thrown when nothing can be made of what follows. It was told before. */
export class Stop extends Error {}

const END: Token = { kind: 'end', text: '<EOF>', at: 0 }

/** A place among the tokens of an expression, and what was found to be wrong with them. */
export class TokenReader {
  protected index = 0
  protected readonly issues: Issue[]
  /** Whether the text ended too early: it is read as if the rest were there, which is told once. */
  private isEnded = false
  private readonly tokens: readonly Token[]

  constructor(tokens: readonly Token[], issues: Issue[]) {
    this.tokens = tokens
    this.issues = issues
  }

  protected get token(): Token {
    return this.peek(0)
  }

  protected peek(ahead: number): Token {
    return this.tokens[this.index + ahead] ?? END
  }

  protected is(sign: string): boolean {
    return this.token.kind === 'sign' && this.token.text === sign
  }

  protected take(): Token {
    const { token } = this
    this.index += 1
    return token
  }

  protected accept(sign: string): Token | undefined {
    return this.is(sign) ? this.take() : undefined
  }

  protected syntax(message: string): void {
    if (this.isEnded) return
    this.issues.push({ at: this.token.at, message: `Syntax error: ${message}` })
  }

  protected fail(message: string): never {
    this.syntax(message)
    throw new Stop()
  }

  protected report(at: number, message: string): Expr {
    this.issues.push({ at, message })
    return { kind: 'literal', value: null, at }
  }

  protected close(sign: string): void {
    if (this.accept(sign) !== undefined) return
    if (this.peek(1).text === sign) {
      this.syntax(`extraneous input '${this.token.text}' expecting '${sign}'`)
      this.index += 2
      return
    }
    this.syntax(`missing '${sign}' at '${this.token.text}'`)
    if (this.token.kind !== 'end') throw new Stop()
    this.isEnded = true
  }

  protected closeSequence(sign: ']' | '}'): void {
    if (this.accept(sign) !== undefined) return
    const problem = `input '${this.token.text}' expecting {'${sign}', ','}`
    if (this.peek(1).text !== sign) this.fail(`mismatched ${problem}`)
    this.syntax(`extraneous ${problem}`)
    this.index += 2
  }
}
