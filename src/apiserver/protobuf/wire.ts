/** Thrown for bytes that are not the message they should be, in the words of Kubernetes' own reader. */
export class Malformed extends Error {
  override readonly name = 'Malformed'
}

/** How the value of a field is written: what its tag tells. */
export const WIRE = {
  varint: 0,
  fixed64: 1,
  bytes: 2,
  startGroup: 3,
  endGroup: 4,
  fixed32: 5,
} as const

// Kubernetes has no limit of its own. This is far beyond any schema, and within the stack.
const DEEPEST = 1000

/**
 * Reads protobuf from left to right. It never reads beyond the message that it is in; what it makes is never larger
 * than what was written.
 */
export class Wire {
  at = 0
  /** Of the tag that was read last: the number of the field, and how its value is written. */
  field = 0
  type = 0
  readonly #bytes: Buffer
  #end: number
  #depth = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#end = bytes.length
  }

  get isAtEnd(): boolean {
    return this.at >= this.#end
  }

  tag(): void {
    const tag = this.#unsigned()
    if (typeof tag === 'number') {
      this.field = tag >>> 3
      this.type = tag & 7
    } else {
      this.field = Number(BigInt.asIntN(32, tag >> 3n))
      this.type = Number(tag & 7n)
    }
  }

  /** Beyond 2^53 it is the nearest number that there is, as with JSON. */
  int64(): number {
    const value = this.#unsigned()
    return typeof value === 'number' ? value : Number(BigInt.asIntN(64, value))
  }

  int32(): number {
    const value = this.#unsigned()
    return typeof value === 'number' ? value : Number(BigInt.asIntN(32, value))
  }

  flag(): boolean {
    return Number(this.#unsigned()) !== 0
  }

  double(): number {
    const from = this.at
    this.#advance(8)
    return this.#bytes.readDoubleLE(from)
  }

  text(): string {
    const length = this.#length()
    const from = this.at
    this.at += length
    return this.#bytes.toString('utf8', from, this.at)
  }

  base64(): string {
    const length = this.#length()
    const from = this.at
    this.at += length
    return this.#bytes.toString('base64', from, this.at)
  }

  /** Shares its memory with what is being read. */
  slice(): Buffer {
    const length = this.#length()
    const from = this.at
    this.at += length
    return this.#bytes.subarray(from, this.at)
  }

  /** Goes into the message that follows; `leave` wants what it answers. */
  enter(): number {
    const length = this.#length()
    const outer = this.#end
    this.#end = this.at + length
    this.#depth++
    if (this.#depth > DEEPEST) throw new Malformed('proto: exceeded max depth')
    return outer
  }

  leave(outer: number): void {
    this.#end = outer
    this.#depth--
  }

  /** Passes over a field that nobody knows, from its tag on. */
  skip(): void {
    let open = 0
    do {
      this.tag()
      if (this.type === WIRE.startGroup) open++
      else if (this.type === WIRE.endGroup) open--
      else this.#skipValue()
      if (open < 0) throw new Malformed('proto: unexpected end of group')
    } while (open > 0)
  }

  #skipValue(): void {
    if (this.type === WIRE.varint) this.#unsigned()
    else if (this.type === WIRE.fixed64) this.#advance(8)
    else if (this.type === WIRE.bytes) this.#advance(this.#length())
    else if (this.type === WIRE.fixed32) this.#advance(4)
    else throw new Malformed(`proto: illegal wireType ${this.type}`)
  }

  #advance(count: number): void {
    this.at += count
    if (this.at > this.#end) throw endTooSoon()
  }

  /** Of something that is within the message. */
  #length(): number {
    const length = this.#unsigned()
    if (typeof length === 'bigint' && length + BigInt(this.at) >= 2n ** 63n) {
      throw new Malformed('proto: negative length found during unmarshaling')
    }
    if (Number(length) > this.#end - this.at) throw endTooSoon()
    return Number(length)
  }

  /** A bigint only where it may not fit into 31 bits, which is rare. */
  #unsigned(): number | bigint {
    let value = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte()
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
    return this.#long(BigInt(value))
  }

  #long(low: bigint): bigint {
    let value = low
    for (let shift = 28n; shift < 64n; shift += 7n) {
      const byte = this.#byte()
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asUintN(64, value)
    }
    throw new Malformed('proto: integer overflow')
  }

  #byte(): number {
    const byte = this.#bytes[this.at]
    if (byte === undefined || this.at >= this.#end) throw endTooSoon()
    this.at++
    return byte
  }
}

const endTooSoon = (): Malformed => new Malformed('unexpected EOF')
