import type { Value, ValueMap } from '#machineconfig/document.ts'
import type { Leaf, Shape, Struct } from '#machineconfig/shapes/shape.ts'
import { doubleQuoted, goBlock, goNumber, goScalar } from './go-scalar.ts'
import { compareKeys } from './key-order.ts'
import { isMap, isZero, zeroOf } from './zero-value.ts'

/** Anything as YAML, laid out as go-yaml does; keys of maps are sorted. */
export const writeValue = (value: Value): string => written(FREE, value, ROOT).trimStart()

/** The fields of a document as YAML, in the order of its type. */
export const writeStruct = (shape: Struct, fields: ValueMap): string => {
  const text = structText(shape, fields, 0)
  return text === '' ? '{}\n' : text
}

const FREE: Shape = { is: 'free', name: 'any' }

/** Where a value goes: what it begins with was written at `indent`. */
interface Place {
  readonly indent: number
  readonly after: 'key' | 'dash' | 'nothing'
}

const ROOT: Place = { indent: 0, after: 'nothing' }

// Nested things stand at the next multiple of four; what follows a dash, beside it.
const inner = ({ indent, after }: Place): number => {
  if (after === 'nothing') return 0
  return after === 'dash' ? indent + 2 : 4 * Math.floor((indent + 4) / 4)
}

/** What follows a colon or a dash, with the line break. */
function written(shape: Shape, value: Value | undefined, place: Place): string {
  if (shape.is === 'pointer' && (value ?? null) !== null) return written(shape.to, value, place)
  const set = value ?? zeroOf(shape)
  return shape.is === 'leaf' ? leafText(shape, set, place) : setText(shape, set, place)
}

function setText(shape: Shape, value: Value, place: Place): string {
  if (Array.isArray(value)) {
    return block(listText(itemOf(shape), value, inner(place)), place) ?? ' []\n'
  }
  if (!isMap(value)) return scalarText(value, place)
  const text =
    shape.is === 'struct'
      ? structText(shape, value, inner(place))
      : mapText(itemOf(shape), value, inner(place))
  return block(text, place) ?? ' {}\n'
}

const itemOf = (shape: Shape): Shape =>
  shape.is === 'list' || shape.is === 'map' ? shape.of : FREE

function block(text: string, place: Place): string | undefined {
  if (text === '') return
  return place.after === 'dash' ? ` ${text.slice(inner(place))}` : `\n${text}`
}

function structText({ fields }: Struct, value: ValueMap, indent: number): string {
  let text = ''
  for (const { name, shape, omit } of fields.values()) {
    const own = Object.hasOwn(value, name) ? value[name] : undefined
    if (omit === 'never' || !isZero(shape, own)) {
      text += `${pad(indent)}${goScalar(name)}:${written(shape, own, { indent, after: 'key' })}`
    }
  }
  return text
}

function listText(of: Shape, items: readonly Value[], indent: number): string {
  let text = ''
  for (const item of items) text += `${pad(indent)}-${written(of, item, { indent, after: 'dash' })}`
  return text
}

const LONGEST_KEY = 128

function mapText(of: Shape, map: ValueMap, indent: number): string {
  let text = ''
  for (const key of Object.keys(map).sort(compareKeys)) {
    const value = written(of, map[key], { indent, after: 'key' })
    const name = key.includes('\n') ? doubleQuoted(key) : goScalar(key)
    const long = Buffer.byteLength(key) > LONGEST_KEY
    text += long ? longPair(name, value, indent) : `${pad(indent)}${name}:${value}`
  }
  return text
}

const longPair = (name: string, value: string, indent: number): string => {
  const nested = value.startsWith('\n')
    ? `   ${value.slice(1 + inner({ indent, after: 'key' }))}`
    : value
  return `${pad(indent)}? ${name}\n${pad(indent)}:${nested}`
}

function leafText({ type }: Leaf, value: Value, place: Place): string {
  if (type.reads === 'file-mode' && typeof value === 'number') return ` 0o${value.toString(8)}\n`
  if (type.reads === 'argument') {
    if (Array.isArray(value)) return written(FREE, value, place)
    return value === '' ? ' null\n' : scalarText(value, place)
  }
  return scalarText(value, place)
}

function scalarText(value: Value, place: Place): string {
  if (typeof value === 'number') return ` ${goNumber(value)}\n`
  if (typeof value !== 'string') return ` ${value}\n`
  if (!value.includes('\n')) return ` ${goScalar(value)}\n`
  return ` ${blockText(value, place) ?? `${doubleQuoted(value)}\n`}`
}

// Go-yaml writes a wrong width for the indentation of a text that begins with spaces, unless it is four.
function blockText(value: string, place: Place): string | undefined {
  const indent = inner(place)
  const readable = !value.startsWith(' ') || indent - place.indent === 4
  return readable ? goBlock(value, pad(indent)) : undefined
}

const PADS = Array.from({ length: 64 }, (_, width) => ' '.repeat(width))
const pad = (width: number): string => PADS[width] ?? ' '.repeat(width)
