// How gRPC puts messages into a stream of bytes: one byte that says whether it is compressed, four that
// say how long it is, and the message.

import { CallError } from './call-error.ts'

const HEADER = 5
const MEBIBYTE = 1024 * 1024
const LARGEST = 32 * MEBIBYTE

/** A message as it goes over the wire. Throws a CallError if nobody would take it. */
export function framed(message: Uint8Array): Buffer {
  if (message.length > LARGEST) throw new CallError({ is: 'too-large' })
  const frame = Buffer.allocUnsafe(HEADER + message.length)
  frame.writeUInt8(0, 0)
  frame.writeUInt32BE(message.length, 1)
  frame.set(message, HEADER)
  return frame
}

/** Puts messages together from the pieces that arrive. */
export class MessageReader {
  #pieces: Buffer[] = []
  #length = 0

  /** Whether the last message is not whole. */
  get isWithin(): boolean {
    return this.#length > 0
  }

  /** The messages that are whole with this piece. Throws a CallError for one that cannot be read. */
  *read(piece: Buffer): Generator<Buffer, void, undefined> {
    this.#pieces.push(piece)
    this.#length += piece.length
    for (;;) {
      if (this.#length < HEADER) return
      const size = HEADER + this.#lengthOfNext()
      if (this.#length < size) return
      yield this.#take(size).subarray(HEADER)
    }
  }

  #lengthOfNext(): number {
    const head = this.#together(HEADER)
    if (head.readUInt8(0) !== 0) throw unreadable('it is compressed, which nobody asked for')
    const length = head.readUInt32BE(1)
    if (length > LARGEST) {
      throw unreadable(`it is larger than the ${LARGEST / MEBIBYTE} MiB that are read`)
    }
    return length
  }

  /** The first bytes in one piece. */
  #together(length: number): Buffer {
    const [first] = this.#pieces
    if (first && first.length >= length) return first
    const whole = Buffer.concat(this.#pieces)
    this.#pieces = [whole]
    return whole
  }

  #take(length: number): Buffer {
    const all = this.#together(length)
    this.#length -= length
    const rest = all.subarray(length)
    if (rest.length > 0) this.#pieces[0] = rest
    else this.#pieces.shift()
    return all.subarray(0, length)
  }
}

const unreadable = (why: string): CallError => new CallError({ is: 'unreadable', why })
