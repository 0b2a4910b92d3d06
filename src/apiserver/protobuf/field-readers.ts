import { type Fields, isFields, put } from '#apiserver/objects.ts'
import type { FieldReader, Message } from './message.ts'
import type { Value } from './values.ts'
import { WIRE, type Wire } from './wire.ts'

/** A field that holds one value. Unless it `isKept`, JSON leaves it out when it is empty. */
export const single = (name: string, value: Value, isKept: boolean): FieldReader => ({
  types: [value.type],
  goName: goNameOf(name),
  read(wire, target) {
    const result = value.read(wire, target[name])
    if (result !== null && (isKept || !value.isEmpty(result))) target[name] = result
    else if (target[name] !== undefined) delete target[name]
  },
})

/** A field that holds a list. Numbers may come one by one, or many at once. */
export function repeated(name: string, value: Value): FieldReader {
  const readOne = (wire: Wire, list: unknown[]) => list.push(value.read(wire, undefined))
  const isNumber = value.type !== WIRE.bytes
  return {
    types: isNumber ? [value.type, WIRE.bytes] : [value.type],
    goName: goNameOf(name),
    read(wire, target) {
      const list = listIn(target, name)
      if (!isNumber || wire.type !== WIRE.bytes) {
        readOne(wire, list)
        return
      }
      const outer = wire.enter()
      while (!wire.isAtEnd) readOne(wire, list)
      wire.leave(outer)
    },
  }
}

function listIn(target: Fields, name: string): unknown[] {
  const before = target[name]
  if (Array.isArray(before)) return before
  const list: unknown[] = []
  target[name] = list
  return list
}

/** A field that holds a map: a list of messages, each of a key and a value. */
export const mapped = (name: string, value: Value): FieldReader => ({
  types: [WIRE.bytes],
  goName: goNameOf(name),
  read(wire, target) {
    const before = target[name]
    const map = isFields(before) ? before : {}
    target[name] = map
    const outer = wire.enter()
    readEntry(wire, map, value)
    wire.leave(outer)
  },
})

/** Kubernetes does not look at the wire types here. */
function readEntry(wire: Wire, map: Fields, value: Value): void {
  let key = ''
  let held: unknown
  while (!wire.isAtEnd) {
    const start = wire.at
    wire.tag()
    if (wire.field === 1) {
      key = wire.text()
    } else if (wire.field === 2) {
      held = value.read(wire, held)
    } else {
      wire.at = start
      wire.skip()
    }
  }
  put(map, key, held === undefined ? value.zero() : held)
}

/** A message whose fields JSON has among those of what it is in. */
export const inlined = (goName: string, message: Message): FieldReader => ({
  types: [WIRE.bytes],
  goName,
  read: (wire, target) => {
    message.readNested(wire, target)
  },
})

/** Go's names are those of JSON with a capital, but for this one and for abbreviations. */
const goNameOf = (name: string): string =>
  name === 'metadata' ? 'ObjectMeta' : name.slice(0, 1).toUpperCase() + name.slice(1)
