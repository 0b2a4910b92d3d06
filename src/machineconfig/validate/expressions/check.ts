import {
  BOOL,
  type CelType,
  DYN,
  fits,
  listType,
  mapType,
  simpleType,
  UNKNOWN,
} from './cel-type.ts'
import { Cursor, Stop } from './cursor.ts'
import type { Environment } from './environments.ts'
import { type MacroCall, type Reading, readMacro } from './macros.ts'
import { type Issue, type Token, tokensOf } from './tokens.ts'
import { type Part, Typing } from './typing.ts'

/** What comes out of an expression, or what is wrong with it in the order of the places. */
interface Checked {
  readonly type: CelType
  readonly issues: readonly Issue[]
}

/** Reads an expression and finds its type in one go. Never throws. */
export function check(text: string, environment: Environment): Checked {
  const { tokens, issues } = tokensOf(text)
  const typing = new Typing(environment)
  const type = new Grammar(new Cursor(tokens, issues), typing).whole()
  // What an unreadable text would mean is not told.
  const told = issues.length > 0 ? issues : typing.issues
  return { type, issues: told.toSorted((one, other) => one.at - other.at) }
}

const DEEPEST = 250
const LARGEST_INT = 2n ** 63n
const SIGNS = ['[', '{', '(', '.', '-', '!', 'true', 'false', 'null'].map((one) => `'${one}'`)
const KINDS = ['NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES', 'IDENTIFIER']
const EXPECTED = `expecting {${[...SIGNS, ...KINDS].join(', ')}}`
const BINARY: readonly (readonly string[])[] = [
  ['<', '<=', '>=', '>', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
]
const CONSTANTS = new Map([
  ['true', BOOL],
  ['false', BOOL],
  ['null', simpleType('null')],
])
const RESERVED = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

const startsExpression = ({ kind, text }: Token): boolean =>
  kind === 'sign' ? '[{(.-!'.includes(text) : kind !== 'end'

/** One way down through the levels of precedence. */
class Grammar implements Reading {
  readonly cursor: Cursor
  readonly typing: Typing
  #depth = 0

  constructor(cursor: Cursor, typing: Typing) {
    this.cursor = cursor
    this.typing = typing
  }

  whole(): CelType {
    const { cursor } = this
    try {
      const { type } = this.expression()
      const { kind, text } = cursor.token
      const word = cursor.peek(1).kind === 'end' ? 'extraneous' : 'mismatched'
      if (kind !== 'end') cursor.fail(`${word} input '${text}' expecting <EOF>`)
      return type
    } catch (stop) {
      if (stop instanceof Stop) return UNKNOWN
      throw stop
    }
  }

  readonly expression = (): Part => {
    this.#depth += 1
    if (this.#depth > DEEPEST) this.cursor.giveUp(`expression recursion limit exceeded: ${DEEPEST}`)
    const condition = this.#logical('||')
    const mark = this.cursor.accept('?')
    const part = mark === undefined ? condition : this.#conditional(condition, mark.at)
    this.#depth -= 1
    return part
  }

  #conditional(condition: Part, at: number): Part {
    const yes = this.#logical('||')
    this.#colon()
    return this.typing.called({ name: '_?_:_', parts: [condition, yes, this.expression()], at })
  }

  #colon(): void {
    const { cursor } = this
    if (cursor.accept(':') !== undefined) return
    cursor.fail(`mismatched input '${cursor.token.text}' expecting ':'`)
  }

  #logical(sign: '||' | '&&'): Part {
    const next = (): Part => (sign === '||' ? this.#logical('&&') : this.#binary(0))
    let part = next()
    const mark = this.cursor.accept(sign)
    if (mark === undefined) return part
    this.typing.expect(part, BOOL)
    do {
      part = next()
      this.typing.expect(part, BOOL)
    } while (this.cursor.accept(sign) !== undefined)
    return { type: BOOL, at: mark.at }
  }

  #binary(level: number): Part {
    const signs = BINARY[level]
    if (signs === undefined) return this.#unary()
    let left = this.#binary(level + 1)
    for (;;) {
      const { kind, text, at } = this.cursor.token
      if (kind !== 'sign' || !signs.includes(text)) return left
      this.cursor.take()
      const name = text === 'in' ? '@in' : `_${text}_`
      left = this.typing.called({ name, parts: [left, this.#binary(level + 1)], at })
    }
  }

  #unary(): Part {
    const { kind, text, at } = this.cursor.token
    if (kind !== 'sign' || (text !== '!' && text !== '-')) return this.#member()
    let count = 0
    while (this.cursor.accept(text) !== undefined) count += 1
    const operand = this.#member()
    return count % 2 === 0
      ? operand
      : this.typing.called({ name: `${text}_`, parts: [operand], at })
  }

  #member(): Part {
    let part = this.#primary()
    for (;;) {
      const dot = this.cursor.accept('.')
      const open = dot === undefined ? this.cursor.accept('[') : undefined
      if (dot !== undefined) part = this.#selection(part, dot.at)
      else if (open !== undefined) part = this.#element(part, open.at)
      else return part
    }
  }

  #selection(operand: Part, at: number): Part {
    const isOptional = this.#optionalMark(at, '.?')
    const { kind, text } = this.cursor.token
    if (kind !== 'ident' || CONSTANTS.has(text)) {
      this.cursor.fail(`no viable alternative at input '.${kind === 'end' ? '' : text}'`)
    }
    this.cursor.take()
    const open = isOptional ? undefined : this.cursor.accept('(')
    if (open !== undefined) return this.#call({ name: text, target: operand, at: open.at })
    const type = this.typing.fieldOf(operand.type, text, at)
    return { type: isOptional ? { name: 'optional_type', of: [type] } : type, at, isField: true }
  }

  #optionalMark(at: number, shown: string): boolean {
    if (this.cursor.accept('?') === undefined) return false
    const isKnown = this.typing.environment.hasOptionals
    if (!isKnown) this.cursor.refuse(at, `unsupported syntax '${shown}'`)
    return true
  }

  #element(operand: Part, at: number): Part {
    const name = this.#optionalMark(at, '[?') ? '_[?_]' : '_[_]'
    const index = this.expression()
    this.cursor.close(']')
    return this.typing.called({ name, parts: [operand, index], at })
  }

  #call(call: MacroCall): Part {
    const macro = readMacro(call, this)
    if (macro !== undefined) return macro
    const { name, target, at } = call
    const args = this.#items(')')
    if (target === undefined) return this.typing.called({ name, parts: args, at })
    return this.typing.called({ name, parts: [target, ...args], at, isMethod: true })
  }

  #items(end: string): Part[] {
    const items: Part[] = []
    if (this.cursor.accept(end) !== undefined) return items
    do items.push(this.expression())
    while (
      this.cursor.accept(',') !== undefined &&
      !(end !== ')' && this.cursor.token.text === end)
    )
    this.cursor.close(end)
    return items
  }

  #primary(): Part {
    const { cursor } = this
    const { at } = cursor.token
    if (cursor.accept('(') !== undefined) {
      const inner = this.expression()
      cursor.close(')')
      return inner
    }
    if (cursor.accept('[') !== undefined) {
      return { type: listType(joined(this.#items(']'))), at }
    }
    if (cursor.accept('{') !== undefined) return this.#map(at)
    cursor.accept('.')
    return cursor.token.kind === 'ident' ? this.#named() : this.#literal()
  }

  #literal(): Part {
    const { kind, text, at } = this.cursor.token
    if (kind === 'sign' && startsExpression(this.cursor.peek(1))) {
      this.cursor.refuse(at, `Syntax error: extraneous input '${text}' ${EXPECTED}`)
      this.cursor.take()
      return this.#primary()
    }
    if (kind === 'sign' || kind === 'end') {
      this.cursor.fail(`mismatched input '${text}' ${EXPECTED}`)
    }
    this.cursor.take()
    const isTooLarge = kind === 'int' && BigInt(text) > LARGEST_INT
    if (isTooLarge) this.cursor.refuse(at, 'invalid int literal')
    return { type: simpleType(kind), at }
  }

  #named(): Part {
    const { cursor } = this
    const { text: first, at } = cursor.take()
    const constant = CONSTANTS.get(first)
    if (constant !== undefined) return { type: constant, at }
    const qualified = `${first}.${cursor.peek(1).text}`
    const isQualified = this.typing.environment.functions.has(qualified)
    if (isQualified) {
      cursor.take()
      cursor.take()
    }
    const name = isQualified ? qualified : first
    const open = cursor.accept('(')
    if (open !== undefined) return this.#call({ name, at: open.at })
    if (RESERVED.has(name)) cursor.refuse(at, `reserved identifier: ${name}`)
    return { type: this.typing.variable(name, at), at }
  }

  #map(at: number): Part {
    const keys: Part[] = []
    const values: Part[] = []
    while (this.cursor.token.text !== '}') {
      keys.push(this.expression())
      this.#colon()
      values.push(this.expression())
      if (this.cursor.accept(',') === undefined) break
    }
    this.cursor.close('}')
    return { type: mapType(joined(keys), joined(values)), at }
  }
}

/** A type for all of them. */
function joined(parts: readonly Part[]): CelType {
  const [first, ...rest] = parts.map(({ type }) => type)
  if (first === undefined) return DYN
  return rest.every((type) => fits(first, type, new Map())) ? first : DYN
}
