const NEWLINE = 0x0a
const RETURN = 0x0d
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/**
 * Counts the events in the answer to a watch, whatever the chunks that they come in: each event ends in
 * a newline, and what frames them in a return and a newline.
 */
export class WatchReader {
  /** Whether the server has ended the watch. */
  isOver = false
  #before = 0
  #latest: Buffer[] = []

  /** Returns how many events end in these bytes. */
  push(bytes: Buffer): number {
    let found = 0
    let at = bytes.indexOf(NEWLINE)
    while (at >= 0) {
      if ((at > 0 ? bytes[at - 1] : this.#before) !== RETURN) found += 1
      at = bytes.indexOf(NEWLINE, at + 1)
    }
    const end = bytes.length - LAST_CHUNK.length
    this.isOver =
      end >= 0 &&
      bytes.subarray(end).equals(LAST_CHUNK) &&
      (end > 0 ? bytes[end - 1] : this.#before) === NEWLINE
    this.#before = bytes.at(-1) ?? this.#before
    // An event may have begun in what came before.
    this.#latest = [...this.#latest.slice(-2), bytes]
    return found
  }

  /** What came last, as text. */
  get tail(): string {
    return Buffer.concat(this.#latest).toString()
  }
}

/** The version of the last object in the text of a watch: whence another watch goes on. */
export const lastVersionIn = (text: string): string | undefined =>
  [...text.matchAll(/"resourceVersion":"(\d+)"/g)].at(-1)?.[1]
