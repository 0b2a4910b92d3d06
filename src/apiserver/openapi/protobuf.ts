import { type Fields, isFields } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { ProtobufWriter } from './protobuf-writer.ts'

/**
 * An OpenAPI 2 document in the protobuf form that gnostic defined for it: its version, title and definitions.
 * Clients that read it look at nothing else; paths are left empty.
 */
export function* protobufOf(document: Fields): Steps<Buffer> {
  const definitions = new ProtobufWriter()
  for (const [index, named] of Object.entries(fieldsOf(document.definitions)).entries()) {
    yield* writeNamed(definitions, named)
    if (index % BETWEEN_PAUSES === 0) yield
  }
  return new ProtobufWriter()
    .text(DOCUMENT.swagger, document.swagger)
    .message(DOCUMENT.info, (info) => writeTitle(info, fieldsOf(document.info)))
    .message(DOCUMENT.paths, () => undefined)
    .written(DOCUMENT.definitions, definitions)
    .finish()
}

// Writing this many definitions takes a few milliseconds.
const BETWEEN_PAUSES = 20

// The numbers of the fields that are written, as gnostic's OpenAPIv2.proto has them.
const DOCUMENT = { swagger: 1, info: 2, paths: 8, definitions: 9 } as const
const INFO = { title: 1, version: 2 } as const
const NAMED = { entries: 1, name: 1, value: 2 } as const
const ANY = { yaml: 2 } as const
const SCHEMA = {
  ref: 1,
  format: 2,
  description: 4,
  required: 19,
  enum: 20,
  additionalProperties: 21,
  type: 22,
  items: 23,
  properties: 25,
  vendorExtension: 31,
} as const

const writeTitle = (info: ProtobufWriter, { title, version }: Fields): void => {
  info.text(INFO.title, title).text(INFO.version, version)
}

function* writeNamed(writer: ProtobufWriter, [name, schema]: [string, unknown]): Steps<void> {
  const value = yield* schemaMessage(fieldsOf(schema))
  const entry = new ProtobufWriter().text(NAMED.name, name).written(NAMED.value, value)
  writer.written(NAMED.entries, entry)
}

function* schemaMessage(schema: Fields): Steps<ProtobufWriter> {
  if (isDue()) yield
  const writer = new ProtobufWriter()
  writer
    .text(SCHEMA.ref, schema.$ref)
    .text(SCHEMA.format, schema.format)
    .text(SCHEMA.description, schema.description)
  for (const name of listOf(schema.required)) writer.text(SCHEMA.required, name)
  for (const one of listOf(schema.enum)) writer.message(SCHEMA.enum, (any) => writeAny(any, one))
  yield* writeParts(writer, schema)
  for (const [name, value] of Object.entries(schema)) {
    if (name.startsWith('x-')) writeExtension(writer, name, value)
  }
  return writer
}

function* writeParts(writer: ProtobufWriter, schema: Fields): Steps<void> {
  const { additionalProperties, type, items, properties } = schema
  if (isFields(additionalProperties)) {
    // The first of the two things that it can be: a schema.
    const value = yield* schemaMessage(additionalProperties)
    writer.message(SCHEMA.additionalProperties, (item) => item.written(1, value))
  }
  if (type !== undefined) writer.message(SCHEMA.type, (item) => item.text(1, type))
  if (isFields(items)) {
    const value = yield* schemaMessage(items)
    writer.message(SCHEMA.items, (item) => item.written(1, value))
  }
  if (isFields(properties)) {
    const value = new ProtobufWriter()
    for (const named of Object.entries(properties)) yield* writeNamed(value, named)
    writer.written(SCHEMA.properties, value)
  }
}

const writeExtension = (writer: ProtobufWriter, name: string, value: unknown): void => {
  writer.message(SCHEMA.vendorExtension, (entry) => {
    entry.text(NAMED.name, name).message(NAMED.value, (any) => writeAny(any, value))
  })
}

/** Any value is carried as YAML, which JSON is. */
const writeAny = (writer: ProtobufWriter, value: unknown): void => {
  writer.text(ANY.yaml, JSON.stringify(value))
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
