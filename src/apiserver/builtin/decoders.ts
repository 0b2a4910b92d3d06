import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Decoder } from './decoder.ts'
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
  return {
    read(value, reading) {
      if (!isFields(value)) throw reading.mismatch(value, `${version}.${struct}`)
      const known = fields ?? prepare()
      const object: Fields = {}
      for (const key of Object.keys(value)) {
        const one = known.get(key)
        if (one === undefined) {
          reading.addUnknown(key)
          continue
        }
        // Told anew for each field, because what lies below has told its own.
        reading.struct = struct
        readField(object, one, { value: value[key], reading })
      }
      return addWritten(object)
    },
    zero() {
      if (fields === undefined) prepare()
      return addWritten({})
    },
    isEmpty: () => false,
  }
}

function readField(
  object: Fields,
  { field, decoder, isKeptEmpty }: FieldDecoder,
  { value, reading }: { value: unknown; reading: Reading },
): void {
  if (value === null || value === undefined) return
  reading.push(field)
  const result = decoder.read(value, reading)
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
  return {
    read(value, reading) {
      if (!Array.isArray(value)) throw reading.mismatch(value, goType)
      const { struct } = reading
      return value.map((item, index) => {
        if (item === null) return decoder.zero()
        reading.struct = struct
        reading.push(index)
        const result = decoder.read(item, reading)
        reading.pop()
        return result
      })
    },
    zero: () => null,
    isEmpty: (value) => Array.isArray(value) && value.length === 0,
  }
}

const mapDecoder = (decoder: Decoder, goType: string): Decoder => ({
  read(value, reading) {
    if (!isFields(value)) throw reading.mismatch(value, goType)
    return readValues(value, decoder, reading)
  },
  zero: () => null,
  isEmpty: (value) => isFields(value) && Object.keys(value).length === 0,
})

function readValues(map: Fields, decoder: Decoder, reading: Reading): Fields {
  const { struct } = reading
  let result = map
  for (const key of Object.keys(map)) {
    const before = map[key]
    reading.struct = struct
    reading.push(key)
    const after = before === null ? decoder.zero() : decoder.read(before, reading)
    reading.pop()
    if (after === before) continue
    // Most maps are right as they are, and large ones are not worth a copy.
    if (result === map) result = { ...map }
    result[key] = after
  }
  return result
}
