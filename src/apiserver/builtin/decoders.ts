import { type Fields, isFields } from '#apiserver/objects.ts'
import { sharedCopyOf } from '#apiserver/ownership/copy.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { type Decoder, inSteps } from './decoder.ts'
import { elementTypeOf, goTypeOf } from './go-type.ts'
import type { Reading } from './reading.ts'
import { scalarDecoder } from './scalar-decoders.ts'
import { specialDecoders } from './special-decoders.ts'
import { type Definition, definitionOf, type Field, nameOfReference, type Shape } from './table.ts'

/** The decoder of a definition; always the same one. */
export function decoderOf(name: string): Decoder {
  const known = decoders.get(name)
  if (known) return known
  const decoder = specialDecoders[name]?.(decoderOf) ?? structDecoder(definitionOf(name))
  decoders.set(name, decoder)
  return decoder
}

const decoders = new Map<string, Decoder>()

interface FieldDecoder {
  field: Field
  decoder: Decoder
  isKeptEmpty: boolean
}

function structDecoder(definition: Definition): Decoder {
  const [version = '', struct = ''] = definition.name.split('.').slice(-2)
  let fields: Map<string, FieldDecoder> | undefined
  let written: FieldDecoder[] = []
  // Made when it is first needed: a struct may contain itself.
  const prepare = (): Map<string, FieldDecoder> => {
    const list = definition.fields.map(fieldDecoder)
    written = list.filter(({ field }) => field.shape.w)
    fields = new Map(list.map((one) => [one.field.name, one]))
    return fields
  }
  const addWritten = (object: Fields): Fields => {
    for (const { field, decoder } of written) {
      if (object[field.name] === undefined) object[field.name] = zeroOf(field.shape, decoder)
    }
    return object
  }
  function* read(value: unknown, reading: Reading): Steps<unknown> {
    if (!isFields(value)) throw reading.mismatch(value, `${version}.${struct}`)
    const known = fields ?? prepare()
    const object: Fields = {}
    for (const key of Object.keys(value)) {
      const one = known.get(key)
      if (isDue()) yield
      if (one === undefined) {
        reading.addUnknown(key)
        continue
      }
      // Told anew for each field, because what lies below has told its own.
      reading.struct = struct
      yield* readField(object, one, { value: value[key], reading })
    }
    return addWritten(object)
  }
  const zero = (): Fields => {
    if (fields === undefined) prepare()
    return addWritten({})
  }
  return inSteps(read, { zero, isEmpty: () => false })
}

function* readField(
  object: Fields,
  { field, decoder, isKeptEmpty }: FieldDecoder,
  { value, reading }: { value: unknown; reading: Reading },
): Steps<void> {
  if (value === null || value === undefined) return
  reading.push(field)
  const steps = decoder.readInSteps?.(value, reading)
  const result = steps ? yield* steps : decoder.read(value, reading)
  reading.pop()
  if (isKeptEmpty || !decoder.isEmpty(result)) object[field.name] = result
}

const fieldDecoder = (field: Field): FieldDecoder => ({
  field,
  decoder: decoderOfShape(field.shape, field.shape.g ?? goTypeOf(field.shape, nameOfReference)),
  isKeptEmpty: field.shape.p === 1 || field.shape.w === 1,
})

/** Pointers, lists and maps that nobody set are null in Go. */
const zeroOf = (shape: Shape, decoder: Decoder): unknown =>
  shape.p || shape.i || shape.a || shape.f === 'byte' ? null : decoder.zero()

function decoderOfShape(shape: Shape, goType: string): Decoder {
  if (shape.r !== undefined) return decoderOf(nameOfReference(shape.r))
  if (shape.i) return listDecoder(elementDecoder(shape.i, goType), goType)
  if (shape.a) return mapDecoder(elementDecoder(shape.a, goType), goType)
  return scalarDecoder(shape, goType)
}

function elementDecoder(shape: Shape, goType: string): Decoder {
  const element = elementTypeOf(goType)
  // A list type with a name does not tell what it holds.
  return decoderOfShape(shape, element === goType ? goTypeOf(shape, nameOfReference) : element)
}

function listDecoder(decoder: Decoder, goType: string): Decoder {
  function* read(value: unknown, reading: Reading): Steps<unknown> {
    if (!Array.isArray(value)) throw reading.mismatch(value, goType)
    const { struct } = reading
    const list: unknown[] = []
    for (const [index, item] of value.entries()) {
      reading.struct = struct
      reading.push(index)
      const steps = stepsOf(item, decoder, reading)
      list.push(steps ? yield* steps : readOrZero(item, decoder, reading))
      reading.pop()
      if (isDue()) yield
    }
    return list
  }
  return inSteps(read, {
    zero: () => null,
    isEmpty: (value) => Array.isArray(value) && value.length === 0,
  })
}

function mapDecoder(decoder: Decoder, goType: string): Decoder {
  function* read(value: unknown, reading: Reading): Steps<unknown> {
    if (!isFields(value)) throw reading.mismatch(value, goType)
    return yield* readValues(value, decoder, reading)
  }
  return inSteps(read, { zero: () => null, isEmpty: isEmptyMap })
}

function isEmptyMap(value: unknown): boolean {
  if (!isFields(value)) return false
  for (const _ in value) return false
  return true
}

function* readValues(map: Fields, decoder: Decoder, reading: Reading): Steps<Fields> {
  const { struct } = reading
  let result = map
  for (const key of Object.keys(map)) {
    const before = map[key]
    reading.struct = struct
    reading.push(key)
    const steps = stepsOf(before, decoder, reading)
    const after = steps ? yield* steps : readOrZero(before, decoder, reading)
    reading.pop()
    if (isDue()) yield
    if (after === before) continue
    // Most maps are right as they are, and large ones are not worth a copy.
    if (result === map) result = yield* sharedCopyOf(map)
    result[key] = after
  }
  return result
}

const stepsOf = (
  value: unknown,
  { readInSteps }: Decoder,
  reading: Reading,
): Steps<unknown> | undefined => (value === null ? undefined : readInSteps?.(value, reading))

const readOrZero = (value: unknown, decoder: Decoder, reading: Reading): unknown =>
  value === null ? decoder.zero() : decoder.read(value, reading)
