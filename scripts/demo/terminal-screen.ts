const ESCAPE = '\u001b'
const SEQUENCE = new RegExp(`^${ESCAPE}\\[(\\d*)([AJK])`)

/** What a terminal shows of what is written to it, as far as the demo asks for. Anything else is an error. */
export class TerminalScreen {
  readonly #columns: number
  readonly #rows: string[] = ['']
  #row = 0
  #column = 0
  // What ends in the middle of a sequence is completed by what comes next.
  #rest = ''

  constructor(columns: number) {
    this.#columns = columns
  }

  /** The lines from the top, without blanks at their ends and without empty ones at the bottom. */
  lines(): string[] {
    const lines = this.#rows.map((row) => row.trimEnd())
    while (lines.at(-1) === '') lines.pop()
    return lines
  }

  write(text: string): void {
    let left = this.#rest + text
    this.#rest = ''
    while (left !== '') {
      const taken = left.startsWith(ESCAPE) ? this.#obey(left) : this.#print(left)
      if (taken === 0) {
        this.#rest = left
        return
      }
      left = left.slice(taken)
    }
  }

  /** Does what the sequence at the beginning says, and returns its length; 0 if it is not all there yet. */
  #obey(text: string): number {
    const [all, count = '', what] = SEQUENCE.exec(text) ?? []
    if (all === undefined) {
      if (/^.(\[\d*)?$/.test(text)) return 0
      throw new Error(`an escape sequence that is not known: ${JSON.stringify(text.slice(0, 8))}`)
    }
    if (what === 'A') this.#row = Math.max(0, this.#row - Number(count || '1'))
    else this.#erase(what === 'J')
    return all.length
  }

  #erase(below: boolean): void {
    this.#rows[this.#row] = this.#current().slice(0, this.#column)
    if (below) this.#rows.splice(this.#row + 1)
  }

  /** Takes the first character, and returns its length. */
  #print(text: string): number {
    const character = String.fromCodePoint(text.codePointAt(0) ?? 0)
    if (character === '\r') this.#column = 0
    else if (character === '\n') this.#down()
    else {
      if (this.#column === this.#columns) this.#wrap()
      const row = this.#current().padEnd(this.#column)
      this.#rows[this.#row] =
        row.slice(0, this.#column) + character + row.slice(this.#column + character.length)
      this.#column += character.length
    }
    return character.length
  }

  #wrap(): void {
    this.#down()
    this.#column = 0
  }

  #down(): void {
    this.#row += 1
    this.#rows[this.#row] ??= ''
  }

  #current(): string {
    return this.#rows[this.#row] ?? ''
  }
}
