import { type Fields, isFields } from './objects.ts'
import type { Resource } from './resource.ts'
import type { Entry } from './store/store.ts'

/** An object as text, but for its resourceVersion, which is not known until it is written. */
export interface Text {
  before: string
  after: string
}

/**
 * Kind, apiVersion and resourceVersion come first, in this order: so the bytes of an object can be shown in
 * a list, in another version or at another revision without being parsed.
 */
export function textOf(object: Fields): Text {
  const { kind, apiVersion, metadata, ...rest } = object
  const { resourceVersion: _, ...others } = isFields(metadata) ? metadata : {}
  const inner = JSON.stringify(others).slice(1)
  const outer = JSON.stringify(rest).slice(1)
  return {
    before: `${headOf(String(kind), String(apiVersion))}"metadata":{"resourceVersion":"`,
    after: `"${inner === '}' ? '' : ','}${inner}${outer === '}' ? '' : ','}${outer}`,
  }
}

/** What the bytes of an object of this kind and version begin with. */
export const headOf = (kind: string, apiVersion: string): string =>
  `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`

export const bytesOf = ({ before, after }: Text, revision: number): Buffer =>
  Buffer.from(`${before}${revision}${after}`)

/** The object in an entry, parsed anew: the caller may change it. */
export function objectIn({ value }: { value: Buffer }): Fields {
  const object: unknown = JSON.parse(value.toString())
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
export function served(resource: Resource, entry: Pick<Entry, 'value' | 'revision'>): Fields {
  const object = objectIn(entry)
  if (!resource.conversion || !isConverted(resource, entry.revision)) return object
  return resource.conversion.fromStored(object)
}
