import type { Steps } from './steps.ts'

const PIECE = 256 * 1024
// After the first byte of a letter there are three more at most.
const MOST_BACK = 3

/** The text that bytes are in UTF-8, with pauses. */
export function* utf8InSteps(bytes: Buffer): Steps<string> {
  if (bytes.length <= PIECE) return bytes.toString()
  let text = ''
  for (let from = 0; from < bytes.length; ) {
    const to = startOfLetter(bytes, from + PIECE)
    text += bytes.toString('utf8', from, to)
    from = to
    yield
  }
  return text
}

/** Where the letter begins that a place is in; the place itself if it is in none. */
function startOfLetter(bytes: Buffer, at: number): number {
  for (let start = at; start >= at - MOST_BACK; start--) {
    if (!isWithinLetter(bytes[start])) return Math.min(start, bytes.length)
  }
  return at
}

const isWithinLetter = (byte: number | undefined): boolean =>
  byte !== undefined && (byte & 0xc0) === 0x80

/** The bytes of each piece of a text in UTF-8, with pauses. No letter may be in two pieces. */
export function* bytesInSteps(pieces: readonly string[]): Steps<Buffer[]> {
  const all: Buffer[] = []
  for (const piece of pieces) {
    all.push(Buffer.from(piece))
    yield
  }
  return all
}

/** A place at which a text can be cut: the one that is told, unless it is within a letter. */
export function cutBefore(text: string, at: number): number {
  if (at >= text.length) return text.length
  return isFirstHalf(text.charCodeAt(at - 1)) ? at - 1 : at
}

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
