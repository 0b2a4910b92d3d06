/** A pattern, character by character, and the place in it that is read next. */
export class PatternReader {
  readonly whole: string
  at = 0
  private readonly characters: readonly string[]
  private readonly found = new Map<string, number>()

  constructor(whole: string) {
    this.whole = whole
    this.characters = [...whole]
  }

  /** Undefined at the end. */
  get next(): string | undefined {
    return this.characters[this.at]
  }

  /** The next character, which is read by this; nothing at the end. */
  take(): string {
    const { next = '' } = this
    this.at += next === '' ? 0 : 1
    return next
  }

  /** Whether a text is next. */
  sees(text: string): boolean {
    for (let i = 0; i < text.length; i += 1) {
      if (this.characters[this.at + i] !== text[i]) return false
    }
    return true
  }

  /** Reads a text if it is next. */
  accept(text: string): boolean {
    const isThere = this.sees(text)
    if (isThere) this.at += text.length
    return isThere
  }

  /** What stands from a place up to the next character, or up to another place. */
  since(from: number, to = this.at): string {
    return this.characters.slice(from, to).join('')
  }

  /** The character some places on. */
  ahead(places: number): string | undefined {
    return this.characters[this.at + places]
  }

  /** Where two given characters, or one, stand next; undefined if nowhere. */
  placeOf(text: string): number | undefined {
    // Kept, because a pattern can ask in each place for what is nowhere.
    const known = this.found.get(text) ?? -1
    if (known >= this.at) return known === Number.POSITIVE_INFINITY ? undefined : known
    const [first, second] = text
    let place = this.at
    for (; place < this.characters.length; place += 1) {
      const isHere = this.characters[place] === first
      if (isHere && (second === undefined || this.characters[place + 1] === second)) break
    }
    const isFound = place < this.characters.length
    this.found.set(text, isFound ? place : Number.POSITIVE_INFINITY)
    return isFound ? place : undefined
  }
}
