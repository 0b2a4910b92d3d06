import { type ApiFailure, badRequest } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, isFields, textAt } from '#apiserver/objects.ts'
import type { Decoded } from '#apiserver/resource.ts'
import type { Schema } from '#apiserver/schema.ts'
import { atOnce, type Steps } from '#apiserver/steps.ts'
import type { Decoder } from './decoder.ts'
import { decoderOf } from './decoders.ts'
import { Reading, Unreadable } from './reading.ts'
import { definitionNameOf } from './schemas.ts'
import { definitionOfKind } from './table.ts'

/** What is expected: a kind, and the schema of it that `schemaOf` or `schemaOfKind` returned. */
export interface Expected {
  group: string
  version: string
  kind: string
  schema: Schema
}

/**
 * An object as Kubernetes has it after reading it into its Go type: unknown fields, nulls and what Go leaves out when
 * it is empty are gone, what Go always writes is there, quantities, times and bytes are in their canonical form; a
 * kind or version that was left out is filled in. The given object is not changed, but shares its maps with the
 * result. Throws the `400` that Kubernetes answers when it is of another kind, or a value does not fit its type.
 */
export const decodeBuiltin = (given: Fields, expected: Expected): Decoded =>
  atOnce(decodeBuiltinInSteps(given, expected))

/** The same, with pauses. */
export function* decodeBuiltinInSteps(given: Fields, expected: Expected): Steps<Decoded> {
  const { group, version, kind, schema } = expected
  const apiVersion = group === '' ? version : `${group}/${version}`
  const sent = {
    apiVersion: textAt(given, 'apiVersion') ?? apiVersion,
    kind: textAt(given, 'kind') ?? kind,
  }
  if (sent.kind !== kind || sent.apiVersion !== apiVersion) throw otherKind(sent, expected)

  const reading = new Reading()
  try {
    const { read, readInSteps } = decoderFor(schema)
    const object = readInSteps ? yield* readInSteps(given, reading) : read(given, reading)
    if (!isFields(object)) throw new Error('objects of a kind are read as objects')
    object.apiVersion = apiVersion
    object.kind = kind
    keepReset(object, given)
    return { object, unknown: reading.unknown }
  } catch (error) {
    throw error instanceof Unreadable ? refusal(sent, expected, error.message) : error
  }
}

/** An empty list of owners is a wish: that all of them be forgotten. */
function keepReset(object: Fields, given: Fields): void {
  const { managedFields } = fieldsAt(given, 'metadata')
  if (!Array.isArray(managedFields) || managedFields.length > 0) return
  object.metadata = { ...fieldsAt(object, 'metadata'), managedFields: [] }
}

/**
 * The options of a request, read as a built-in type of that name: the same, but for the kind, which nobody
 * has to say.
 */
export function decodeOptions(given: Fields, definition: string): Fields {
  try {
    const options = decoderOf(definition).read(given, new Reading())
    return isFields(options) ? options : {}
  } catch (error) {
    throw error instanceof Unreadable ? badRequest(error.message) : error
  }
}

interface Sent {
  apiVersion: string
  kind: string
}

function otherKind(sent: Sent, expected: Expected): ApiFailure {
  const [version = '', group = '', ...more] = sent.apiVersion.split('/').toReversed()
  if (more.length > 0) {
    return badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): unexpected GroupVersion string: ${sent.apiVersion}`,
    )
  }
  const isKnown = definitionOfKind(group, version, sent.kind.replace(/List$/, '')) !== undefined
  if (group === expected.group && sent.kind === expected.kind && (isKnown || OLDER.test(version))) {
    const wanted = group === '' ? expected.version : `${group}/${expected.version}`
    return badRequest(
      `the API version in the data (${sent.apiVersion}) does not match the expected API version (${wanted})`,
    )
  }
  const [family] = expected.group.split('.')
  const why = isKnown
    ? `converting (${version}.${sent.kind}) to (${family || 'core'}.${expected.kind}): unknown conversion`
    : `no kind "${sent.kind}" is registered for version "${sent.apiVersion}" in scheme "pkg/runtime/scheme.go:111"`
  return refusal(sent, expected, why)
}

// Versions that Kubernetes still knows of, though it serves them no more.
const OLDER = /^v\d+(?:alpha|beta)\d+$/

function refusal({ apiVersion, kind }: Sent, expected: Expected, why: string): ApiFailure {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  return badRequest(
    `${kind} in version "${version}" cannot be handled as a ${expected.kind}: ${why}`,
  )
}

const decoders = new WeakMap<Schema, Decoder>()

function decoderFor(schema: Schema): Decoder {
  const known = decoders.get(schema)
  if (known) return known
  const name = definitionNameOf(schema)
  if (name === undefined) throw new Error('this is not the schema of a built-in type')
  const decoder = decoderOf(name)
  decoders.set(schema, decoder)
  return decoder
}
