import { fromJson, type JsonObject, type JsonValue, toBinary } from '@bufbuild/protobuf'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { StructSchema } from '@bufbuild/protobuf/wkt'
import { ipBytes } from './ip-bytes.ts'

// Specs as protobuf, for the few types that clients read in that form. A field is written from the value
// that YAML shows under its name; what is absent, or of another type, is left out.

/** Writes one value of a spec. */
export type Field = (writer: BinaryWriter, value: unknown) => void

/** A message: its fields by the names that they have in YAML. */
export type Shape = Readonly<Record<string, Field>>

/** A spec as protobuf. */
export function encodeSpec(shape: Shape, spec: unknown): Uint8Array {
  const writer = new BinaryWriter()
  writeMessage(writer, shape, spec)
  return writer.finish()
}

function writeMessage(writer: BinaryWriter, shape: Shape, value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, field] of Object.entries(shape)) {
    if (Object.hasOwn(value, name)) field(writer, Reflect.get(value, name))
  }
}

/** A text. */
export const text =
  (number: number): Field =>
  (writer, value) => {
    if (typeof value === 'string') writer.tag(number, WireType.LengthDelimited).string(value)
  }

/** True or false. */
export const flag =
  (number: number): Field =>
  (writer, value) => {
    if (typeof value === 'boolean') writer.tag(number, WireType.Varint).bool(value)
  }

/** A whole number. */
export const integer =
  (number: number): Field =>
  (writer, value) => {
    const isWhole = typeof value === 'number' && Number.isSafeInteger(value)
    if (isWhole) writer.tag(number, WireType.Varint).int64(value)
  }

/** One of some words, which are counted from 0. */
export const word =
  (number: number, words: readonly string[]): Field =>
  (writer, value) => {
    const index = typeof value === 'string' ? words.indexOf(value) : -1
    if (index >= 0) writer.tag(number, WireType.Varint).int32(index)
  }

/** A message in a message. */
export const message =
  (number: number, shape: Shape): Field =>
  (writer, value) => {
    if (typeof value !== 'object' || value === null) return
    writer.tag(number, WireType.LengthDelimited).bytes(encodeSpec(shape, value))
  }

/** A list of what a field can hold. */
export const list =
  (field: Field): Field =>
  (writer, value) => {
    if (!Array.isArray(value)) return
    for (const item of value) field(writer, item)
  }

/** Free-form data. */
export const struct =
  (number: number): Field =>
  (writer, value) => {
    if (typeof value !== 'object' || value === null) return
    const bytes = toBinary(StructSchema, fromJson(StructSchema, jsonObject(value)))
    writer.tag(number, WireType.LengthDelimited).bytes(bytes)
  }

/** An address, as Talos packs it. */
export const address =
  (number: number): Field =>
  (writer, value) => {
    const bytes = typeof value === 'string' ? ipBytes(value) : undefined
    if (!bytes) return
    const inner = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(bytes).finish()
    writer.tag(number, WireType.LengthDelimited).bytes(inner)
  }

/** Bytes that YAML shows in base64. */
export const base64 =
  (number: number): Field =>
  (writer, value) => {
    if (typeof value !== 'string') return
    writer.tag(number, WireType.LengthDelimited).bytes(Buffer.from(value, 'base64'))
  }

/** A URL, as Talos packs it. */
export const url =
  (number: number): Field =>
  (writer, value) => {
    if (typeof value !== 'string') return
    const inner = new BinaryWriter().tag(1, WireType.LengthDelimited).string(value).finish()
    writer.tag(number, WireType.LengthDelimited).bytes(inner)
  }

// What is shown is made here and not deep; this is for a mistake in it.
const DEEPEST = 100

const jsonObject = (value: object, depth = 0): JsonObject =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, jsonValue(item, depth + 1)]],
    ),
  )

function jsonValue(value: unknown, depth: number): JsonValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (Array.isArray(value) && depth < DEEPEST)
    return value.map((item) => jsonValue(item, depth + 1))
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' && value !== null && depth < DEEPEST
    ? jsonObject(value, depth)
    : null
}
