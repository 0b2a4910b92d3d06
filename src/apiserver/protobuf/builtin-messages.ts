import { nameOfReference, type Shape } from '#apiserver/builtin/table.ts'
import { inlined, mapped, repeated, single } from './field-readers.ts'
import { type FieldReader, Message } from './message.ts'
import { type Place, placesOf } from './message-table.ts'
import { specialValue, wrappedList } from './special-messages.ts'
import { base64, double, flag, int32, int64, nested, text, type Value } from './values.ts'

/** The message of a built-in type; always the same one, made on first use. */
export function messageOf(definition: string): Message {
  const known = messages.get(definition)
  if (known) return known
  const message = new Message(lastOf(definition), () => readersOf(placesOf(definition), 0))
  messages.set(definition, message)
  return message
}

const messages = new Map<string, Message>()
const specials = new Map<string, Value | undefined>()

/** The readers of the fields at one level: those of messages that JSON has no name for are a level below. */
function readersOf(places: readonly Place[], level: number): ReadonlyMap<number, FieldReader> {
  const readers = new Map<number, FieldReader>()
  const below = new Map<number, Place[]>()
  for (const place of places) {
    const number = place.path[level] ?? 0
    if (place.path.length === level + 1) readers.set(number, readerOf(place))
    else below.set(number, [...(below.get(number) ?? []), place])
  }
  for (const [number, inner] of below) {
    const goName = inner[0]?.field.embedded[level] ?? ''
    const message = new Message(goName, () => readersOf(inner, level + 1))
    readers.set(number, inlined(goName, message))
  }
  return readers
}

function readerOf({ field, isWrapped }: Place): FieldReader {
  const { name, shape } = field
  const { i: items, a: values } = shape
  if (values) return mapped(name, isWrapped ? wrappedList() : valueOfShape(values))
  if (isWrapped) return single(name, wrappedList(), false)
  if (items) return repeated(name, valueOfShape(items))
  return single(name, valueOfShape(shape), shape.p === 1 || shape.w === 1)
}

function valueOfShape(shape: Shape): Value {
  if (shape.r !== undefined) return valueOfDefinition(nameOfReference(shape.r))
  return scalars[shape.f ?? shape.t ?? ''] ?? text
}

const scalars: Readonly<Record<string, Value>> = {
  byte: base64,
  int32,
  int64,
  boolean: flag,
  double,
  number: double,
}

function valueOfDefinition(definition: string): Value {
  if (!specials.has(definition)) specials.set(definition, specialValue(definition, messageOf))
  return specials.get(definition) ?? nested(messageOf(definition))
}

const lastOf = (definition: string): string => definition.slice(definition.lastIndexOf('.') + 1)
