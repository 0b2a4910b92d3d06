import { badRequest } from '#apiserver/failure.ts'
import { quoted } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import type { Printer, Resource } from '#apiserver/resource.ts'
import type { Entry } from '#apiserver/store/store.ts'
import {
  apiVersionOf,
  bytesOf,
  headOf,
  isConverted,
  served,
  textOf,
} from '#apiserver/stored-object.ts'

const META = 'meta.k8s.io/v1'

/** What an object is shown as where only its metadata is asked for. */
export const partialOf = (object: Fields): Fields => ({
  kind: 'PartialObjectMetadata',
  apiVersion: META,
  metadata: object.metadata,
})

/** A list of which only the metadata of its objects is shown. A list of nothing has no items at all. */
export const partialListOf = (metadata: Fields, objects: Fields[]): Fields => ({
  kind: 'PartialObjectMetadataList',
  apiVersion: META,
  metadata: withoutEmptyContinue(metadata),
  items: objects.length > 0 ? objects.map(partialOf) : null,
})

/** How much of each object a table carries with its row. */
export type IncludeObject = 'Metadata' | 'None' | 'Object'

/** How much of each object a table is to carry. Fails when that is not to be understood. */
export function includeIn(query: URLSearchParams): IncludeObject {
  const stated = query.get('includeObject') ?? ''
  if (stated === '' || stated === 'Metadata') return 'Metadata'
  if (stated === 'None' || stated === 'Object') return stated
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${quoted(stated)}: must be 'Metadata', 'Object', 'None', or empty`,
  )
}

interface TableOptions {
  printer: Printer
  include: IncludeObject
  now: Date
}

/** The columns of a table, in the words of Kubernetes. */
export const columnDefinitions = ({ columns }: Printer): Fields[] =>
  columns.map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format,
    description,
    priority,
  }))

export function rowOf(object: Fields, { printer, include, now }: TableOptions): Fields {
  return { cells: printer.cells(object, now), object: shownInRow(object, include) }
}

function shownInRow(object: Fields, include: IncludeObject): Fields | null {
  if (include === 'None') return null
  return include === 'Object' ? object : partialOf(object)
}

export const tableOf = (columns: Fields[] | null, rows: Fields[], metadata: Fields): Fields => ({
  kind: 'Table',
  apiVersion: META,
  metadata: withoutEmptyContinue(metadata),
  columnDefinitions: columns,
  rows,
})

/** Lists of custom objects say that they do not go on; other forms of them leave it at that. */
function withoutEmptyContinue(metadata: Fields): Fields {
  const { continue: more, ...rest } = metadata
  return more ? metadata : rest
}

/**
 * The bytes of an entry as they are shown in the resource's version. Nothing is parsed unless the kind
 * is shaped otherwise in the version that is stored: kind and apiVersion come first in the bytes.
 */
export function shownBytes(resource: Resource, entry: Pick<Entry, 'value' | 'revision'>): Buffer {
  if (!isConverted(resource, entry.revision)) return entry.value
  const object = served(resource, entry)
  return bytesOf(textOf(object), Number(fieldsAt(object, 'metadata').resourceVersion))
}

const heads = new WeakMap<Resource, number>()

/** The bytes of an item: lists of built-in kinds do not repeat kind and apiVersion. */
export function itemBytes(resource: Resource, entry: Entry): Buffer[] {
  const bytes = shownBytes(resource, entry)
  if (resource.isCustom) return [bytes]
  return [OPEN, bytes.subarray(headLength(resource))]
}

const OPEN = Buffer.from('{')

function headLength(resource: Resource): number {
  const known = heads.get(resource)
  if (known !== undefined) return known
  const { kind, group, version } = resource
  const length = Buffer.byteLength(headOf(kind, apiVersionOf(group, version)))
  heads.set(resource, length)
  return length
}
