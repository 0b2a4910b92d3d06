import { type Call, childrenOf, type Entry, type Expr, type StructExpr } from './ast.ts'
import type { Environment } from './environment.ts'
import { type Token, tokensOf } from './lexer.ts'
import { literalOf } from './literals.ts'
import { expandMacro } from './macros.ts'
import { isReserved } from './reserved-words.ts'
import type { Issue } from './source.ts'
import { Stop, TokenReader } from './token-reader.ts'

/** What a text means, or what is wrong with it. */
type Parsed = { expr: Expr; issues?: undefined } | { issues: Issue[] }

/** Never throws; a text that is nested too deeply is an issue like any other. */
export function parse(text: string, environment: Environment): Parsed {
  const { mostCharacters } = environment
  const characters = text.length > mostCharacters ? [...text].length : 0
  if (characters > mostCharacters) {
    const size = `size: ${characters}, limit ${mostCharacters}`
    return { issues: [{ message: `expression code point size exceeds limit: ${size}` }] }
  }
  const { tokens, issues } = tokensOf(text)
  const parser = new Parser(tokens, issues, environment)
  const expr = parser.whole()
  return expr === undefined || issues.length > 0 ? { issues } : { expr }
}

const DEEPEST = 250

const STARTS = ['[', '{', '(', '.', '-', '!', 'true', 'false', 'null'].map((one) => `'${one}'`)
const START_KINDS = ['NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES', 'IDENTIFIER']
const EXPRESSION = [...STARTS, ...START_KINDS]
const ARGUMENT = [...STARTS.slice(0, 3), "')'", ...STARTS.slice(3), ...START_KINDS]
const INDEX = [...STARTS.slice(0, 6), "'?'", ...STARTS.slice(6), ...START_KINDS]
const LITERAL_KINDS = new Set(['int', 'uint', 'float', 'string', 'bytes', 'ident'])
const START_SIGNS = new Set(['[', '{', '(', '.', '-', '!'])

const LEVELS: readonly ReadonlySet<string>[] = [
  new Set(['<', '<=', '>=', '>', '==', '!=', 'in']),
  new Set(['+', '-']),
  new Set(['*', '/', '%']),
]

const startsExpression = (token: Token): boolean =>
  LITERAL_KINDS.has(token.kind) || (token.kind === 'sign' && START_SIGNS.has(token.text))

class Parser extends TokenReader {
  private depth = 0
  private readonly environment: Environment
  private readonly heights = new Map<Expr, number>()
  private highest = 0

  constructor(tokens: readonly Token[], issues: Issue[], environment: Environment) {
    super(tokens, issues)
    this.environment = environment
  }

  whole(): Expr | undefined {
    try {
      const expr = this.expression()
      if (this.token.kind !== 'end') {
        const word = this.peek(1).kind === 'end' ? 'extraneous' : 'mismatched'
        this.syntax(`${word} input '${this.token.text}' expecting <EOF>`)
      }
      if (this.highest > DEEPEST) this.issues.push({ message: 'max recursion depth exceeded' })
      return expr
    } catch (stop) {
      if (stop instanceof Stop) return undefined
      throw stop
    }
  }

  /** Notes how many operators and members an expression has one in the other. */
  private noted(expr: Expr, isDeeper: boolean, written = expr): Expr {
    let height = 0
    for (const child of childrenOf(written)) {
      height = Math.max(height, this.heights.get(child) ?? 0)
    }
    if (isDeeper) height += 1
    this.heights.set(expr, height)
    this.highest = Math.max(this.highest, height)
    return expr
  }

  private expression(): Expr {
    this.depth += 1
    if (this.depth > DEEPEST) {
      this.issues.push({ message: `expression recursion limit exceeded: ${DEEPEST}` })
      throw new Stop()
    }
    const condition = this.logical('||')
    const mark = this.accept('?')
    const result = mark === undefined ? condition : this.conditional(condition, mark.at)
    this.depth -= 1
    return result
  }

  private conditional(condition: Expr, at: number): Expr {
    const yes = this.logical('||')
    if (this.accept(':') === undefined) {
      this.fail(`mismatched input '${this.token.text}' expecting ':'`)
    }
    const args = [condition, yes, this.expression()]
    return this.noted({ kind: 'call', name: '_?_:_', args, at }, true)
  }

  private logical(sign: '||' | '&&'): Expr {
    const next = (): Expr => (sign === '||' ? this.logical('&&') : this.binary(0))
    const first = next()
    const args = [first]
    let at: number | undefined
    for (let mark = this.accept(sign); mark !== undefined; mark = this.accept(sign)) {
      at ??= mark.at
      args.push(next())
    }
    return at === undefined
      ? first
      : this.noted({ kind: 'call', name: `_${sign}_`, args, at }, false)
  }

  private binary(level: number): Expr {
    const signs = LEVELS[level]
    if (signs === undefined) return this.unary()
    let left = this.binary(level + 1)
    while (this.token.kind === 'sign' && signs.has(this.token.text)) {
      const { text, at } = this.take()
      const name = text === 'in' ? '@in' : `_${text}_`
      const args = [left, this.binary(level + 1)]
      left = this.noted({ kind: 'call', name, args, at }, true)
    }
    return left
  }

  private unary(): Expr {
    if (this.is('-') && isNumber(this.peek(1))) return this.member()
    const mark = this.is('!') || this.is('-') ? this.token : undefined
    if (mark === undefined) return this.member()
    let count = 0
    while (this.accept(mark.text) !== undefined) count += 1
    const operand = this.member()
    if (count % 2 === 0) return operand
    return this.noted({ kind: 'call', name: `${mark.text}_`, args: [operand], at: mark.at }, false)
  }

  private member(): Expr {
    let expr = this.primary()
    for (;;) {
      if (this.is('.')) expr = this.selection(expr)
      else if (this.is('[')) expr = this.element(expr)
      else return expr
    }
  }

  private selection(operand: Expr): Expr {
    const dot = this.take()
    const optional = this.optionalMark('.?', dot.at)
    const { text, at, isQuoted } = this.fieldName(optional ? '.?' : '.')
    if (optional) {
      const field: Expr = { kind: 'literal', value: text, at }
      return this.noted({ kind: 'call', name: '_?._', args: [operand, field], at: dot.at }, true)
    }
    const open = isQuoted ? undefined : this.accept('(')
    if (open === undefined) {
      return this.noted({ kind: 'select', operand, field: text, test: false, at: dot.at }, true)
    }
    const args = this.arguments()
    return this.call({ kind: 'call', name: text, target: operand, args, at: open.at })
  }

  private fieldName(before: '.' | '.?'): { text: string; at: number; isQuoted: boolean } {
    const { kind, text, at } = this.token
    const isQuoted = kind === 'escaped'
    if (!isQuoted && (kind !== 'ident' || CONSTANTS.has(text))) {
      this.fail(`no viable alternative at input '${before}${kind === 'end' ? '' : text}'`)
    }
    if (isQuoted && !this.environment.hasQuotedFields) this.report(at, "unsupported syntax: '`'")
    this.take()
    return { text: isQuoted ? text.slice(1, -1) : text, at, isQuoted }
  }

  /** Whether a `?` is next; where that cannot be written, it is told of at `at`. */
  private optionalMark(shown: string, at = this.token.at): boolean {
    if (this.accept('?') === undefined) return false
    if (!this.environment.hasOptionals) this.report(at, `unsupported syntax '${shown}'`)
    return true
  }

  private element(operand: Expr): Expr {
    const { at } = this.take()
    const name = this.optionalMark('[?', at) ? '_[?_]' : '_[_]'
    if (!startsExpression(this.token)) this.unexpected(INDEX)
    const index = this.expression()
    this.close(']')
    return this.noted({ kind: 'call', name, args: [operand, index], at }, true)
  }

  private call(call: Call): Expr {
    const report = (at: number, message: string): Expr => this.report(at, message)
    const expanded = expandMacro(call, this.environment.macros, report) ?? call
    return this.noted(expanded, call.target !== undefined, call)
  }

  private arguments(): Expr[] {
    const args: Expr[] = []
    if (this.accept(')') !== undefined) return args
    if (!startsExpression(this.token) && !startsExpression(this.peek(1))) {
      // What follows is read as if the call had ended, as cel-go does.
      this.syntax(`mismatched input '${this.token.text}' expecting {${ARGUMENT.join(', ')}}`)
      return args
    }
    if (!startsExpression(this.token)) this.unexpected(ARGUMENT)
    do args.push(this.expression())
    while (this.accept(',') !== undefined)
    this.close(')')
    return args
  }

  private unexpected(expected: readonly string[]): void {
    const set = `expecting {${expected.join(', ')}}`
    if (this.token.kind === 'end' || !startsExpression(this.peek(1))) {
      this.fail(`mismatched input '${this.token.text}' ${set}`)
    }
    this.syntax(`extraneous input '${this.token.text}' ${set}`)
    this.take()
  }

  private primary(): Expr {
    if (!startsExpression(this.token)) this.unexpected(EXPRESSION)
    const { token } = this
    if (token.kind === 'ident' || this.is('.')) return this.named()
    if (this.accept('(') !== undefined) {
      const inner = this.expression()
      this.close(')')
      return inner
    }
    if (this.accept('[') !== undefined) return this.list(token.at)
    if (this.accept('{') !== undefined) return this.map(token.at)
    return this.literal()
  }

  private named(): Expr {
    const dot = this.accept('.')
    const { token } = this
    if (token.kind !== 'ident') {
      this.fail(`no viable alternative at input '.${token.kind === 'end' ? '' : token.text}'`)
    }
    this.take()
    const constant = CONSTANTS.get(token.text)
    if (constant !== undefined) return { kind: 'literal', value: constant, at: token.at }
    const name = dot === undefined ? token.text : `.${token.text}`
    const struct = this.structName(name)
    if (struct !== undefined) return this.struct(struct)
    const open = this.accept('(')
    const args = open === undefined ? [] : this.arguments()
    if (isReserved(token.text)) {
      return this.report(dot?.at ?? token.at, `reserved identifier: ${token.text}`)
    }
    return open === undefined
      ? { kind: 'ident', name, at: token.at }
      : this.call({ kind: 'call', name, args, at: open.at })
  }

  /** The name of a type, if what follows is `.b.c {`: as far as the brace, nothing is taken otherwise. */
  private structName(first: string): string | undefined {
    let ahead = 0
    let name = first
    while (this.peek(ahead).text === '.' && this.peek(ahead + 1).kind === 'ident') {
      name += `.${this.peek(ahead + 1).text}`
      ahead += 2
    }
    const brace = this.peek(ahead)
    if (brace.kind !== 'sign' || brace.text !== '{') return undefined
    this.index += ahead
    return name
  }

  private struct(typeName: string): Expr {
    const { at } = this.take()
    const fields: StructExpr['fields'] = []
    while (!this.is('}')) {
      const optional = this.optionalMark('?')
      const name = this.take()
      if (name.kind !== 'ident') this.fail(`mismatched input '${name.text}' expecting {'}', ','}`)
      const colon = this.take()
      if (colon.text !== ':') this.fail(`mismatched input '${colon.text}' expecting ':'`)
      fields.push({ at: colon.at, name: name.text, value: this.expression(), optional })
      if (this.accept(',') === undefined) break
    }
    this.closeSequence('}')
    return this.noted({ kind: 'struct', typeName, fields, at }, false)
  }

  private list(at: number): Expr {
    const items: Expr[] = []
    const optional = new Set<number>()
    while (!this.is(']') && !(this.is(',') && items.length === 0)) {
      if (this.optionalMark('?')) optional.add(items.length)
      items.push(this.expression())
      if (!this.is(',') || this.peek(1).text === ']') break
      this.take()
    }
    this.accept(',')
    this.closeSequence(']')
    return this.noted({ kind: 'list', items, optional, at }, false)
  }

  private map(at: number): Expr {
    const entries: Entry[] = []
    while (!this.is('}') && !(this.is(',') && entries.length === 0)) {
      const optional = this.optionalMark('?')
      const key = this.expression()
      const colon = this.take()
      if (colon.text !== ':' || colon.kind !== 'sign') {
        this.index -= 1
        this.fail(`mismatched input '${colon.text}' expecting ':'`)
      }
      entries.push({ key, value: this.expression(), optional, at: colon.at })
      if (!this.is(',') || this.peek(1).text === '}') break
      this.take()
    }
    this.accept(',')
    this.closeSequence('}')
    return this.noted({ kind: 'map', entries, at }, false)
  }

  private literal(): Expr {
    const sign = this.accept('-')
    const { kind, text, at: start } = this.take()
    const at = sign?.at ?? start
    const { value, problem } = literalOf(kind, text, sign !== undefined)
    return problem === undefined ? { kind: 'literal', value, at } : this.report(at, problem)
  }
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

const isNumber = ({ kind }: Token): boolean => kind === 'int' || kind === 'float'
