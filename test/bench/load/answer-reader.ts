/** The end of an answer. */
export interface Answer {
  status: number
  bodyBytes: number
  /** How the body of a refusal begins. */
  words: string
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')
const MOST_WORDS = 300

/**
 * Reads the answers on a connection of HTTP/1.1 as their bytes arrive, and keeps no body: it is to cost
 * less than any server. Throws at what is no answer.
 */
export class AnswerReader {
  readonly #onAnswer: (answer: Answer) => void
  #state: 'head' | 'body' | 'size' | 'chunk' | 'end' = 'head'
  /** What is not complete enough to be read. */
  #held: Buffer | undefined
  /** How many bytes of the current piece are to come. */
  #left = 0
  #answer: Answer = { status: 0, bodyBytes: 0, words: '' }

  constructor(onAnswer: (answer: Answer) => void) {
    this.#onAnswer = onAnswer
  }

  push(arrived: Buffer): void {
    const bytes = this.#held ? Buffer.concat([this.#held, arrived]) : arrived
    this.#held = undefined
    let at = 0
    while (at < bytes.length) {
      const next = this.#step(bytes, at)
      if (next === undefined) {
        this.#held = bytes.subarray(at)
        return
      }
      at = next
    }
  }

  /** Where to go on; undefined when more has to arrive first. */
  #step(bytes: Buffer, at: number): number | undefined {
    if (this.#state === 'head') return this.#head(bytes, at)
    if (this.#state === 'size') return this.#size(bytes, at)
    return this.#skip(bytes, at)
  }

  #head(bytes: Buffer, at: number): number | undefined {
    const end = bytes.indexOf(HEAD_END, at)
    if (end < 0) return undefined
    const head = bytes.toString('latin1', at, end)
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(head) ?? []
    if (!status) throw new Error(`no answer, but ${JSON.stringify(head.slice(0, 80))}`)
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
    this.#answer = { status: Number(status), bodyBytes: Number(length ?? 0), words: '' }
    this.#left = Number(length ?? 0)
    this.#state = length === undefined ? 'size' : 'body'
    if (length === '0') this.#finish()
    return end + HEAD_END.length
  }

  /** The line before each chunk; a chunk of nothing is the last one. */
  #size(bytes: Buffer, at: number): number | undefined {
    const end = bytes.indexOf(LINE_END, at)
    if (end < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    this.#answer.bodyBytes += size
    this.#left = size + LINE_END.length
    this.#state = size === 0 ? 'end' : 'chunk'
    return end + LINE_END.length
  }

  #skip(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left)
    if (this.#answer.status >= 300 && this.#answer.words.length < MOST_WORDS) {
      this.#answer.words += bytes.toString('utf8', at, Math.min(end, at + MOST_WORDS))
    }
    this.#left -= end - at
    if (this.#left > 0) return end
    if (this.#state === 'chunk') this.#state = 'size'
    else this.#finish()
    return end
  }

  #finish(): void {
    this.#state = 'head'
    this.#onAnswer(this.#answer)
  }
}
