import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Message } from './message.ts'
import { Malformed, WIRE, type Wire } from './wire.ts'

/** A type of value, as JSON has it. */
export interface Value {
  type: number
  /** `before` is what the same field held before. */
  read(wire: Wire, before: unknown): unknown
  /** What is in a map under a key that has no value. */
  zero(): unknown
  /** Whether JSON may leave it out. */
  isEmpty(value: unknown): boolean
}

const scalar = (type: number, zero: unknown, read: (wire: Wire) => unknown): Value => ({
  type,
  read,
  zero: () => zero,
  isEmpty: (value) => value === zero,
})

export const text = scalar(WIRE.bytes, '', (wire) => wire.text())
export const base64 = scalar(WIRE.bytes, '', (wire) => wire.base64())
export const int32 = scalar(WIRE.varint, 0, (wire) => wire.int32())
export const int64 = scalar(WIRE.varint, 0, (wire) => wire.int64())
export const flag = scalar(WIRE.varint, false, (wire) => wire.flag())
export const double = scalar(WIRE.fixed64, 0, (wire) => {
  const value = wire.double()
  if (!Number.isFinite(value)) throw new Malformed(`json: unsupported value: ${value}`)
  return value
})

/** Bytes as they are, which JSON does not have. */
export const slice: Value = {
  type: WIRE.bytes,
  read: (wire) => wire.slice(),
  zero: () => Buffer.alloc(0),
  isEmpty: (value) => Buffer.isBuffer(value) && value.length === 0,
}

/** A message that is an object in JSON too. One that comes in parts is put together. */
export const nested = (message: Message): Value => ({
  type: WIRE.bytes,
  read: (wire, before) => message.readNested(wire, isFields(before) ? before : {}),
  zero: () => ({}),
  isEmpty: (value) => isFields(value) && Object.keys(value).length === 0,
})

/** A message that is something else in JSON; null if it is nothing. */
export const converted = (message: Message, convert: (fields: Fields) => unknown): Value => ({
  type: WIRE.bytes,
  read: (wire) => convert(message.readNested(wire, {})),
  zero: () => convert({}),
  isEmpty: (value) => value === null,
})
