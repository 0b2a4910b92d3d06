import { YamlError, YamlTooLarge } from './yaml-error.ts'
import type { YamlLimits } from './yaml-limits.ts'
import type { YamlNode } from './yaml-node.ts'
import type { YamlSteps } from './yaml-steps.ts'

/** Where something begins. */
export interface Mark {
  /** Counted from 1. */
  readonly line: number
  /** Counted from 0. */
  readonly column: number
}

/** What an anchor stands for; without a node while that is being read. */
export interface Anchored {
  readonly node?: YamlNode
  readonly size: number
  readonly height: number
  readonly letters: number
}

// Between two of these, a reader takes some tens of microseconds.
const PAUSE_EVERY = 0x3f
const MEBIBYTE = 1024 * 1024
// As many letters of blanks and comments are passed at once: a fraction of a millisecond.
const STRIDE = 32 * 1024

/** Where tabs may stand: they may not indent, but in brackets. */
type Tabs = 'anywhere' | 'same line' | 'nowhere'

const [END, TAB, BREAK, SPACE, HASH, DASH, DOT] = [0, 9, 10, 32, 35, 45, 46]

/** A text of which lines end in `\n`, how far it has been read, and the bounds that it must keep. */
export class Source {
  readonly text: string
  readonly limits: YamlLimits
  at = 0
  line = 1
  /** Where the line begins. */
  start = 0
  /** Up to here, tabs are the inside of a scalar that turned out to have ended before. */
  tabsUntil = 0
  /** Nodes so far, with what aliases stand for. */
  nodes = 0
  /** How deep it got since somebody last set this. */
  deepest = 0
  #escapes = 0
  #seen = 0
  /** Letters so far of what aliases stand for. */
  aliased = 0
  readonly anchors = new Map<string, Anchored>()
  handles: ReadonlyMap<string, string> = new Map()

  constructor(text: string, limits: YamlLimits) {
    // No text holds this letter, and at the end of it there is one to look at.
    this.text = `${text}\0`
    this.limits = limits
  }

  /** Told of each entry and line, whether it is time to yield. */
  isDue(): boolean {
    return (++this.#seen & PAUSE_EVERY) === 0
  }

  get column(): number {
    return this.at - this.start
  }

  get mark(): Mark {
    return { line: this.line, column: this.at - this.start }
  }

  get ended(): boolean {
    return this.code() === END
  }

  /** The code of the letter that comes next, or of one after it; 0 at the end. */
  code(ahead = 0): number {
    return this.text.charCodeAt(this.at + ahead)
  }

  /** Whether a blank, a line break or the end is there. */
  blankAt(ahead: number): boolean {
    return isBlankOrEnd(this.code(ahead))
  }

  newLine(): void {
    this.at++
    this.line++
    this.start = this.at
  }

  skipBlanks(): void {
    while (isBlank(this.code())) this.at++
  }

  /** To the next thing that is neither blank nor a comment. */
  skipToToken(tabs: Tabs): void {
    let arrived = this.nearToken(tabs)
    while (!arrived) arrived = this.nearToken(onLaterLines(tabs))
  }

  /** The same, with pauses, for where it is too far away for `nearToken`. */
  *toToken(tabs: Tabs): YamlSteps<void> {
    do yield
    while (!this.nearToken(onLaterLines(tabs)))
  }

  /** The same, unless it is far away: then to the beginning of a line on the way. Returns whether it got there. */
  nearToken(tabs: Tabs): boolean {
    const far = this.at + STRIDE
    let tabsToo = tabs !== 'nowhere'
    for (;;) {
      this.#skipIndent(tabsToo)
      if (this.code() === HASH) this.skipToBreak()
      if (this.code() === TAB) throw this.#refuseLetter()
      if (this.code() !== BREAK) return true
      this.newLine()
      if (this.at > far) return false
      tabsToo = tabs === 'anywhere'
    }
  }

  #skipIndent(tabsToo: boolean): void {
    for (;;) {
      const code = this.code()
      if (code !== SPACE && !(code === TAB && (tabsToo || this.at < this.tabsUntil))) return
      this.at++
    }
  }

  #refuseLetter(): YamlError {
    const what = 'while scanning for the next token'
    return this.refuse('found character that cannot start any token', { what, mark: this.mark })
  }

  /** To the end of this line. */
  skipToBreak(): void {
    const end = this.text.indexOf('\n', this.at)
    this.at = end === -1 ? this.text.length - 1 : end
  }

  /** Whether `---` or `...` stands at the beginning of this line. */
  atDocumentMark(): boolean {
    if (this.at !== this.start) return false
    const first = this.code()
    if (first !== DASH && first !== DOT) return false
    return this.code(1) === first && this.code(2) === first && this.blankAt(3)
  }

  /** Counts a node, or all that an alias stands for. */
  count(nodes = 1): void {
    this.nodes += nodes
    const most = this.limits.nodes
    if (this.nodes > most) throw new YamlTooLarge(`more than ${most} values, aliases unfolded`)
  }

  /** Counts what an alias stands for: it will be written out in full. */
  countAliased(letters: number): void {
    this.aliased += letters
    const most = this.limits.aliased
    if (this.aliased > most) {
      throw new YamlTooLarge(`aliases stand for more than ${most / MEBIBYTE} MiB`)
    }
  }

  /** Counts an escape; says whether there are too many. */
  hasTooManyEscapes(): boolean {
    return ++this.#escapes > this.limits.escapes
  }

  /** Notes how deep it gets. */
  enter(depth: number): void {
    const { levels } = this.limits
    if (depth > levels) {
      throw new YamlTooLarge(`${place(this.mark)}: exceeded max depth of ${levels}`)
    }
    if (depth > this.deepest) this.deepest = depth
  }

  /** The refusal of what comes next, in go-yaml's words. */
  refuse(why: string, context?: Context): YamlError {
    const here = place(this.mark)
    const found = { line: this.line, by: finderOf(why, context), anchor: context?.anchor }
    if (!context) return new YamlError(`${here}: ${why}`, why, found)
    const there = place(context.mark)
    const at = here === there ? '' : `${here}: `
    return new YamlError(`${context.what} at ${there}: ${at}${why}`, why, found)
  }
}

const onLaterLines = (tabs: Tabs): Tabs => (tabs === 'anywhere' ? tabs : 'nowhere')

interface Context {
  readonly what: string
  readonly mark: Mark
  readonly anchor?: string
}

function finderOf(why: string, context: Context | undefined): 'scanner' | 'parser' | 'composer' {
  if (context?.what.startsWith('while composing')) return 'composer'
  if (context?.what.startsWith('while parsing')) return 'parser'
  return why.includes('<document start>') ? 'parser' : 'scanner'
}

const place = ({ line, column }: Mark): string =>
  column === 0 ? `line ${line}` : `line ${line}, column ${column + 1}`

export const isBlank = (code: number): boolean => code === SPACE || code === TAB

export const isBlankOrEnd = (code: number): boolean =>
  code === SPACE || code === TAB || code === BREAK || code === END
