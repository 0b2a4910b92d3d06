import { membersOf } from './json-members.ts'
import { jsonPiecesInSteps } from './json-text.ts'
import { type Fields, isFields } from './objects.ts'
import { parseInSteps } from './parse-json.ts'
import type { Resource } from './resource.ts'
import { atOnce, type Steps } from './steps.ts'
import type { Entry } from './store/store.ts'
import { bytesInSteps, utf8InSteps } from './utf8-text.ts'

/** An object as text, but for its resourceVersion, which is not known until it is written. */
export interface Text {
  before: string
  /** What is long is bytes already, in pieces. */
  after: string | readonly Buffer[]
}

const LONG = 256 * 1024

/**
 * Kind, apiVersion and resourceVersion come first, in this order: so the bytes of an object can be shown in
 * a list, in another version or at another revision without being parsed.
 */
export const textOf = (object: Fields): Text => atOnce(textInSteps(object))

/** The same, with pauses. */
export function* textInSteps(object: Fields): Steps<Text> {
  const { kind, apiVersion, metadata, ...rest } = object
  const { resourceVersion: _, ...others } = isFields(metadata) ? metadata : {}
  const after = ['"']
  for (const part of [others, rest]) {
    const [first = '', ...pieces] = yield* jsonPiecesInSteps(part)
    // What the first piece opens is open already, and has a member. Of something large, the bracket is a piece.
    const isEmpty = first === '{}' || (first === '{' && pieces[0] === '}')
    after.push(isEmpty ? first.slice(1) : `,${first.slice(1)}`, ...pieces)
  }
  const length = after.reduce((sum, piece) => sum + piece.length, 0)
  return {
    before: `${headOf(String(kind), String(apiVersion))}"metadata":{"resourceVersion":"`,
    after: length > LONG ? yield* bytesInSteps(after) : after.join(''),
  }
}

/** What the bytes of an object of this kind and version begin with. */
export const headOf = (kind: string, apiVersion: string): string =>
  `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`

export const bytesOf = ({ before, after }: Text, revision: number): Buffer =>
  typeof after === 'string'
    ? Buffer.from(`${before}${revision}${after}`)
    : Buffer.concat([Buffer.from(`${before}${revision}`), ...after])

/** The object in an entry, parsed anew: the caller may change it. */
export function objectIn({ value }: { value: Buffer }): Fields {
  const object: unknown = JSON.parse(value.toString())
  return isFields(object) ? object : {}
}

/**
 * The metadata in an entry but for who owns which field, which may be most of it. The rest of the object is not
 * parsed.
 */
export const metadataIn = (entry: { value: Buffer }): Fields => atOnce(metadataInSteps(entry))

/** The same, with pauses. */
export function* metadataInSteps({ value }: { value: Buffer }): Steps<Fields> {
  const start = value.indexOf(METADATA)
  if (start < 0) return {}
  const text = yield* utf8InSteps(value.subarray(start + METADATA.length))
  return yield* membersOf(text, { but: 'managedFields' })
}

const METADATA = Buffer.from('"metadata":')

/** The same, with pauses. */
function* objectInSteps({ value }: { value: Buffer }): Steps<Fields> {
  const object = yield* parseInSteps(yield* utf8InSteps(value))
  return isFields(object) ? object : {}
}

/** Where the objects of a kind are kept: `group/plural/`. */
export const collectionOf = ({ stored }: Resource): string => `${stored.group}/${stored.plural}/`

/** What the keys of a kind's objects in one namespace, or in all, begin with. */
export const prefixOf = (resource: Resource, namespace: string): string =>
  `${collectionOf(resource)}${resource.namespaced && namespace ? `${namespace}/` : ''}`

export const keyOf = (resource: Resource, namespace: string, name: string): string =>
  `${prefixOf(resource, namespace)}${name}`

export const apiVersionOf = (group: string, version: string): string =>
  group ? `${group}/${version}` : version

/** Whether an object that was stored at a revision must be converted to be served. */
export const isConverted = ({ conversion, convertsBefore }: Resource, revision: number): boolean =>
  conversion !== undefined && (convertsBefore === undefined || revision < convertsBefore)

/** A stored object as it is served in the resource's version, parsed anew: the caller may change it. */
export const served = (resource: Resource, entry: Stored): Fields =>
  asServed(resource, objectIn(entry), entry)

/** The same, with pauses. */
export function* servedInSteps(resource: Resource, entry: Stored): Steps<Fields> {
  return asServed(resource, yield* objectInSteps(entry), entry)
}

type Stored = Pick<Entry, 'value' | 'revision'>

function asServed(resource: Resource, object: Fields, { revision }: Stored): Fields {
  if (!resource.conversion || !isConverted(resource, revision)) return object
  return resource.conversion.fromStored(object)
}
