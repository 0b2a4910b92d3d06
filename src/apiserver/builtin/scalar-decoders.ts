import { canonicalBase64 } from './base64.ts'
import type { Decoder } from './decoder.ts'
import { Unreadable } from './reading.ts'
import type { Shape } from './table.ts'

/** The decoder of a text, number, flag or bytes. `goType` is for messages. */
export function scalarDecoder({ t: type, f: format }: Shape, goType: string): Decoder {
  if (format === 'byte') return bytes(goType)
  if (type === 'boolean') return flag(goType)
  if (type === 'integer') return format === 'int64' ? int64(goType) : int32(goType)
  if (type === 'number') return float(goType)
  return text(goType)
}

const text = (goType: string): Decoder => ({
  read(value, reading) {
    if (typeof value !== 'string') throw reading.mismatch(value, goType)
    return value
  },
  zero: () => '',
  isEmpty: (value) => value === '',
})

const flag = (goType: string): Decoder => ({
  read(value, reading) {
    if (typeof value !== 'boolean') throw reading.mismatch(value, goType)
    return value
  },
  zero: () => false,
  isEmpty: (value) => value === false,
})

const numberThat =
  (isRight: (value: number) => boolean) =>
  (goType: string): Decoder => ({
    read(value, reading) {
      if (typeof value !== 'number' || !isRight(value)) throw reading.mismatch(value, goType)
      return value
    },
    zero: () => 0,
    isEmpty: (value) => value === 0,
  })

const int32 = numberThat((value) => value === Math.trunc(value) && Math.abs(value + 0.5) < 2 ** 31)
const int64 = numberThat((value) => value === Math.trunc(value) && Math.abs(value) <= 2 ** 63)
const float = numberThat(() => true)

const bytes = (goType: string): Decoder => ({
  read(value, reading) {
    if (typeof value !== 'string') throw reading.mismatch(value, goType)
    return orUnreadable(() => canonicalBase64(value))
  },
  // Not null, as in Go: what is kept as protobuf cannot tell the two apart.
  zero: () => '',
  isEmpty: (value) => value === '',
})

/** What a reader of texts objects to is all that Go says of it: not where it is. */
export function orUnreadable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Error ? new Unreadable(error.message) : error
  }
}
