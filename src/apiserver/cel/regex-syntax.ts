/** A regular expression of RE2, taken apart. */
export type RegexNode =
  | { is: 'empty' }
  | { is: 'characters'; matches: (code: number) => boolean }
  | { is: 'assertion'; of: Assertion }
  | { is: 'sequence' | 'choice'; parts: RegexNode[] }
  | { is: 'repetition'; part: RegexNode; min: number; max: number; greedy: boolean }

export type Assertion = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'boundary' | 'noBoundary'

/** That a text is no regular expression of RE2. */
export class RegexSyntaxError extends Error {}

interface Flags {
  fold: boolean
  multiline: boolean
  dotAll: boolean
  swapGreed: boolean
}

type Test = (code: number) => boolean

const MOST_REPEATS = 1000
const DEEPEST = 1000

/** Throws RegexSyntaxError. */
export function parseRegex(pattern: string): RegexNode {
  return new RegexParser(pattern).whole()
}

const among =
  (...ranges: readonly (readonly [number, number])[]): Test =>
  (code) =>
    ranges.some(([from, to]) => code >= from && code <= to)

const within = (text: string): Test => {
  const ranges = [...text.matchAll(/(.)-(.)|(.)/gsu)].map(
    ([, from, to, one]): readonly [number, number] => [codeOf(from ?? one), codeOf(to ?? one)],
  )
  return among(...ranges)
}

const codeOf = (character: string | undefined): number => character?.codePointAt(0) ?? 0
const not =
  (test: Test): Test =>
  (code) =>
    !test(code)

const DIGIT = within('0-9')
const WORD = within('0-9A-Za-z_')
const SPACE = within('\t\n\f\r ')

const PERL: ReadonlyMap<string, Test> = new Map([
  ['d', DIGIT],
  ['D', not(DIGIT)],
  ['w', WORD],
  ['W', not(WORD)],
  ['s', SPACE],
  ['S', not(SPACE)],
])

const POSIX: ReadonlyMap<string, Test> = new Map([
  ['alnum', within('0-9A-Za-z')],
  ['alpha', within('A-Za-z')],
  ['ascii', among([0, 0x7f])],
  ['blank', within('\t ')],
  ['cntrl', among([0, 0x1f], [0x7f, 0x7f])],
  ['digit', DIGIT],
  ['graph', among([0x21, 0x7e])],
  ['lower', within('a-z')],
  ['print', among([0x20, 0x7e])],
  ['punct', among([0x21, 0x2f], [0x3a, 0x40], [0x5b, 0x60], [0x7b, 0x7e])],
  ['space', within('\t\n\v\f\r ')],
  ['upper', within('A-Z')],
  ['word', WORD],
  ['xdigit', within('0-9A-Fa-f')],
])

const CONTROL: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['f', 12],
  ['t', 9],
  ['n', 10],
  ['r', 13],
  ['v', 11],
])

const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['A', 'start'],
  ['z', 'end'],
  ['b', 'boundary'],
  ['B', 'noBoundary'],
])

/** A test that takes letters for the same in upper and lower case. */
const folded =
  (test: Test): Test =>
  (code) => {
    if (test(code)) return true
    const character = String.fromCodePoint(code)
    return [character.toLowerCase(), character.toUpperCase()].some(
      (other) => other !== character && [...other].length === 1 && test(codeOf(other)),
    )
  }

class RegexParser {
  private readonly characters: readonly string[]
  private index = 0
  private depth = 0
  private flags: Flags = { fold: false, multiline: false, dotAll: false, swapGreed: false }
  private readonly names = new Set<string>()

  constructor(pattern: string) {
    this.characters = [...pattern]
  }

  whole(): RegexNode {
    const node = this.choice()
    if (this.index < this.characters.length) throw new RegexSyntaxError('unexpected )')
    return node
  }

  private get next(): string | undefined {
    return this.characters[this.index]
  }

  private take(): string {
    const { next } = this
    if (next === undefined) throw new RegexSyntaxError('unexpected end')
    this.index += 1
    return next
  }

  private accept(text: string): boolean {
    const end = this.index + text.length
    if (this.characters.slice(this.index, end).join('') !== text) return false
    this.index = end
    return true
  }

  private choice(): RegexNode {
    this.depth += 1
    if (this.depth > DEEPEST) throw new RegexSyntaxError('expression nests too deeply')
    const parts = [this.sequence()]
    while (this.accept('|')) parts.push(this.sequence())
    this.depth -= 1
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { is: 'choice', parts }
  }

  private sequence(): RegexNode {
    const parts: RegexNode[] = []
    while (this.next !== undefined && this.next !== '|' && this.next !== ')') {
      if (this.accept('\\Q')) parts.push(...this.quoted())
      else parts.push(this.repeated(this.atom()))
    }
    return parts.length === 0 ? { is: 'empty' } : { is: 'sequence', parts }
  }

  private quoted(): RegexNode[] {
    const parts: RegexNode[] = []
    while (this.next !== undefined && !this.accept('\\E')) parts.push(this.literal(this.take()))
    return parts
  }

  private literal(character: string): RegexNode {
    const code = codeOf(character)
    return this.set((other) => other === code)
  }

  private set(test: Test): RegexNode {
    return { is: 'characters', matches: this.flags.fold ? folded(test) : test }
  }

  private repeated(part: RegexNode): RegexNode {
    const range = this.repeat()
    if (range === undefined) return part
    const lazy = this.accept('?')
    const greedy = lazy === this.flags.swapGreed
    if (this.repeat() !== undefined) {
      throw new RegexSyntaxError('invalid nested repetition operator')
    }
    return { is: 'repetition', part, ...range, greedy }
  }

  private repeat(): { min: number; max: number } | undefined {
    if (this.accept('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
    if (this.accept('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
    if (this.accept('?')) return { min: 0, max: 1 }
    if (this.next !== '{') return undefined
    const rest = this.characters.slice(this.index, this.index + 24).join('')
    const [whole, from = '', comma, to = ''] = /^\{(\d+)(,(\d*))?\}/.exec(rest) ?? []
    if (whole === undefined) return undefined
    this.index += whole.length
    const min = Number(from)
    const max = comma === undefined ? min : to === '' ? Number.POSITIVE_INFINITY : Number(to)
    if (
      min > MOST_REPEATS ||
      (max !== Number.POSITIVE_INFINITY && max > MOST_REPEATS) ||
      min > max
    ) {
      throw new RegexSyntaxError('invalid repeat count')
    }
    return { min, max }
  }

  private atom(): RegexNode {
    const character = this.take()
    switch (character) {
      case '(':
        return this.group()
      case '[':
        return this.set(this.characterClass())
      case '.':
        return { is: 'characters', matches: this.flags.dotAll ? () => true : (code) => code !== 10 }
      case '^':
        return { is: 'assertion', of: this.flags.multiline ? 'lineStart' : 'start' }
      case '$':
        return { is: 'assertion', of: this.flags.multiline ? 'lineEnd' : 'end' }
      case '\\':
        return this.escape()
      case '*':
      case '+':
      case '?':
        throw new RegexSyntaxError('missing argument to repetition operator')
      default:
        return this.literal(character)
    }
  }

  private group(): RegexNode {
    const before = this.flags
    if (this.accept('?')) {
      if (this.accept('P<') || this.accept('<')) this.name()
      else if (this.setFlags() === ')') return { is: 'empty' }
    }
    const node = this.choice()
    if (!this.accept(')')) throw new RegexSyntaxError('missing closing )')
    this.flags = before
    return node
  }

  private name(): void {
    let name = ''
    while (this.next !== '>') name += this.take()
    this.take()
    if (!/^\w+$/.test(name)) throw new RegexSyntaxError('invalid named capture')
    if (this.names.has(name)) throw new RegexSyntaxError('duplicate capture group name')
    this.names.add(name)
  }

  /** Flags as far as the sign behind them: `:` for this group, `)` for the rest of the one around. */
  private setFlags(): string {
    const flags = { ...this.flags }
    let value = true
    for (;;) {
      const sign = this.take()
      if (sign === ':' || sign === ')') {
        this.flags = flags
        return sign
      }
      const flag = FLAGS.get(sign)
      if (sign === '-' && value) value = false
      else if (flag !== undefined) flags[flag] = value
      else throw new RegexSyntaxError('invalid or unsupported Perl syntax')
    }
  }

  private escape(): RegexNode {
    const { next = '' } = this
    const assertion = ASSERTIONS.get(next)
    if (assertion !== undefined) {
      this.index += 1
      return { is: 'assertion', of: assertion }
    }
    const test = this.escapedClass()
    if (test !== undefined) return this.set(test)
    const code = this.escapedCode()
    return this.set((other) => other === code)
  }

  private escapedClass(): Test | undefined {
    const { next = '' } = this
    const perl = PERL.get(next)
    if (perl !== undefined) {
      this.index += 1
      return perl
    }
    return next === 'p' || next === 'P' ? this.unicodeClass(this.take() === 'P') : undefined
  }

  private unicodeClass(negated: boolean): Test {
    let name = this.take()
    if (name === '{') {
      name = ''
      while (this.next !== '}') name += this.take()
      this.take()
    }
    const inverse = name.startsWith('^')
    const pattern = unicodePattern(inverse ? name.slice(1) : name)
    const test: Test = (code) => pattern.test(String.fromCodePoint(code))
    return negated === inverse ? test : not(test)
  }

  private escapedCode(): number {
    const character = this.take()
    const control = CONTROL.get(character)
    if (control !== undefined) return control
    if (character === 'x') return this.hexCode()
    if (/[0-7]/.test(character)) return this.octalCode(character)
    if (/[\w]/.test(character)) throw new RegexSyntaxError('invalid escape sequence')
    return codeOf(character)
  }

  private hexCode(): number {
    const rest = this.characters.slice(this.index, this.index + 10).join('')
    const [whole, braced, plain] = /^(?:\{([\da-fA-F]+)\}|([\da-fA-F]{2}))/.exec(rest) ?? []
    const code = Number.parseInt(braced ?? plain ?? '', 16)
    if (whole === undefined || code > 0x10ffff)
      throw new RegexSyntaxError('invalid escape sequence')
    this.index += whole.length
    return code
  }

  private octalCode(first: string): number {
    let digits = first
    if (first !== '0' && !/[0-7]/.test(this.next ?? '')) {
      throw new RegexSyntaxError('invalid escape sequence')
    }
    while (digits.length < 3 && /[0-7]/.test(this.next ?? '')) digits += this.take()
    return Number.parseInt(digits, 8)
  }

  private characterClass(): Test {
    const negated = this.accept('^')
    const tests: Test[] = []
    const first = this.index
    while (this.next !== ']' || this.index === first) {
      if (this.next === undefined) throw new RegexSyntaxError('missing closing ]')
      tests.push(this.classPart())
    }
    this.take()
    const any: Test = (code) => tests.some((test) => test(code))
    const own = this.flags.fold ? folded(any) : any
    return negated ? not(own) : own
  }

  private classPart(): Test {
    if (this.next === '[' && this.characters[this.index + 1] === ':') return this.posixClass()
    if (this.next === '\\') {
      this.index += 1
      const test = this.escapedClass()
      if (test !== undefined) return test
      this.index -= 1
    }
    const from = this.classCode()
    const isRange = this.next === '-' && (this.characters[this.index + 1] ?? ']') !== ']'
    if (!isRange) return (code) => code === from
    this.index += 1
    const to = this.classCode()
    if (to < from) throw new RegexSyntaxError('invalid character class range')
    return (code) => code >= from && code <= to
  }

  private classCode(): number {
    const character = this.take()
    return character === '\\' ? this.escapedCode() : codeOf(character)
  }

  private posixClass(): Test {
    const rest = this.characters.slice(this.index, this.index + 12).join('')
    const [whole, negated, name = ''] = /^\[:(\^?)([a-z]+):\]/.exec(rest) ?? []
    const test = POSIX.get(name)
    if (whole === undefined || test === undefined) {
      throw new RegexSyntaxError('invalid character class range')
    }
    this.index += whole.length
    return negated === '^' ? not(test) : test
  }
}

const FLAGS: ReadonlyMap<string, keyof Flags> = new Map([
  ['i', 'fold'],
  ['m', 'multiline'],
  ['s', 'dotAll'],
  ['U', 'swapGreed'],
])

function unicodePattern(name: string): RegExp {
  if (name === 'Any') return /^[\s\S]$/u
  for (const property of [`gc=${name}`, `sc=${name}`]) {
    try {
      return new RegExp(`^\\p{${property}}$`, 'u')
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  throw new RegexSyntaxError('invalid character class range')
}
