// The values of ASN.1 that certificates consist of, in the one encoding that each has (DER, X.690).

/** A value as it was read: `whole` is with its tag and length, `content` without. */
export interface DerValue {
  tag: number
  whole: Buffer
  content: Buffer
}

const tagged = (tag: number, ...contents: readonly Buffer[]): Buffer => {
  const bytes = contents.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([Buffer.from([tag]), lengthOf(bytes), ...contents])
}

function lengthOf(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.from([bytes])
  const digits = digitsOf(bytes, 256)
  return Buffer.from([0x80 | digits.length, ...digits])
}

/** Of a number of at least 0, the first first. */
function digitsOf(value: number, base: number): number[] {
  const rest = Math.floor(value / base)
  return [...(rest > 0 ? digitsOf(rest, base) : []), value % base]
}

export const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts)

/** A set of one: those of more have an order that nobody here needs. */
export const setOf = (part: Buffer): Buffer => tagged(0x31, part)

export const TRUE = tagged(0x01, Buffer.from([0xff]))

export const NULL = tagged(0x05)

/** A whole number of at least 0, from its bytes. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = first < 0 ? Buffer.from([0]) : bytes.subarray(first)
  // The first bit is the sign.
  return tagged(0x02, (digits[0] ?? 0) < 0x80 ? digits : Buffer.concat([Buffer.from([0]), digits]))
}

export const octets = (bytes: Buffer): Buffer => tagged(0x04, bytes)

export const bits = (bytes: Buffer): Buffer => tagged(0x03, Buffer.from([0]), bytes)

/** Bits that have names, by their numbers; those after the last are left out. */
export function flags(...numbers: readonly number[]): Buffer {
  const last = Math.max(...numbers)
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1)
  for (const number of numbers) {
    const at = Math.floor(number / 8)
    bytes[at] = (bytes[at] ?? 0) | (0x80 >> (number % 8))
  }
  return tagged(0x03, Buffer.from([7 - (last % 8)]), bytes)
}

/** `2.5.29.14` */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...others].flatMap((number) =>
    digitsOf(number, 128).map((digit, at, { length }) => (at < length - 1 ? 0x80 | digit : digit)),
  )
  return tagged(0x06, Buffer.from(bytes))
}

export const text = (value: string): Buffer => tagged(0x0c, Buffer.from(value))

/** To the second. In certificates, years from 2050 on are written with four digits, others with two. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/\.\d+Z$|[-:T]/g, '')}Z`
  const year = date.getUTCFullYear()
  return year >= 1950 && year < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2)))
    : tagged(0x18, Buffer.from(digits))
}

/** A value within a tag of its own. */
export const explicit = (number: number, value: Buffer): Buffer => tagged(0xa0 | number, value)

/** A tag of its own that takes the place of the value's. */
export const implicit = (number: number, content: Buffer): Buffer => tagged(0x80 | number, content)

/** The values that lie one after the other in some bytes. Throws when they do not end where they should. */
export function valuesIn(bytes: Buffer): DerValue[] {
  const values: DerValue[] = []
  for (let from = 0; from < bytes.length; ) {
    const value = firstIn(bytes.subarray(from))
    values.push(value)
    from += value.whole.length
  }
  return values
}

function firstIn(bytes: Buffer): DerValue {
  const [tag = 0, short = 0] = bytes
  const digits = short < 0x80 ? 0 : short & 0x7f
  const length = digits === 0 ? short : bytes.subarray(2).readUIntBE(0, digits)
  const from = 2 + digits
  if (from + length > bytes.length) throw new RangeError('a value of ASN.1 ends too early')
  return {
    tag,
    whole: bytes.subarray(0, from + length),
    content: bytes.subarray(from, from + length),
  }
}
