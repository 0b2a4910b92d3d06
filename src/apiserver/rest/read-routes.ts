import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { notFound } from '#apiserver/failure.ts'
import { plainPrinter } from '#apiserver/kinds/printers/printers.ts'
import type { Fields } from '#apiserver/objects.ts'
import { paceOf } from '#apiserver/pace.ts'
import {
  columnDefinitions,
  includeIn,
  itemBytes,
  partialListOf,
  partialOf,
  rowOf,
  shownBytes,
  tableOf,
} from '#apiserver/read/forms.ts'
import { type Page, pageOf } from '#apiserver/read/list.ts'
import { listOptionsOf, revisionOf, tooNew } from '#apiserver/read/list-options.ts'
import { selectionOf } from '#apiserver/read/selection.ts'
import type { Feed } from '#apiserver/read/watch-stream.ts'
import type { Resource } from '#apiserver/resource.ts'
import { atOnce, inTurns, type Steps } from '#apiserver/steps.ts'
import type { Entry } from '#apiserver/store/store.ts'
import { apiVersionOf, keyOf, servedInSteps } from '#apiserver/stored-object.ts'
import { type Answer, endWith, type Streamed } from './answer.ts'
import type { Call } from './call.ts'
import { drained, type LongList, listAnswer } from './list-answer.ts'
import type { Form } from './media-type.ts'

/** One object. */
export async function getOne(feed: Feed, call: Call): Promise<Answer> {
  const { resource, path } = call
  const asked = revisionOf(call.query.get('resourceVersion') ?? '')
  if (asked > feed.store.revision) throw tooNew(asked, feed.store.revision)
  const entry = feed.store.get(keyOf(resource, path.namespace, path.name))
  if (!entry) throw notFound({ group: resource.group, kind: resource.plural, name: path.name })
  if (call.form.as === 'object') return { code: 200, body: shownBytes(resource, entry) }
  const object = await inTurns(paceOf(feed.clock), servedInSteps(resource, entry))
  return { code: 200, body: shownAs(feed, call, object) }
}

/** An object in the form that the client asks for. */
export function shownAs({ clock }: Feed, { form, resource, query }: Call, object: Fields): Fields {
  if (form.as === 'object') return object
  if (form.as === 'partial') return partialOf(object)
  const printer = resource.behaviour.printer ?? plainPrinter
  const { resourceVersion } = Object(object.metadata)
  const row = rowOf(object, { printer, include: includeIn(query), now: clock.now() })
  return tableOf(columnDefinitions(printer), [row], { resourceVersion })
}

/** A list, or a page of one. */
export async function getAll(feed: Feed, call: Call): Promise<Answer | Streamed> {
  const { resource, path, query, form } = call
  const selection = selectionOf(resource, query)
  const options = listOptionsOf(query)
  const page = await pageOf(
    feed.store,
    { resource, namespace: path.namespace, selection, options },
    nextTurn,
  )
  if (form.as === 'object' && form.syntax === 'json' && !call.isPretty) {
    return listBytes(resource, page)
  }
  const list = longListOf(feed, call, page)
  if (sizeOf(page) >= LARGE_BYTES) {
    return listAnswer(list, { syntax: form.syntax, isPretty: call.isPretty }, paceOf(feed.clock))
  }
  return { code: 200, body: { ...list.head, [list.field]: itemsOf(list, form.as) } }
}

/** A list of metadata that has no items is told otherwise than others. */
function itemsOf({ items }: LongList, as: Form['as']): Fields[] | null {
  const all = [...items].map((item) => (Symbol.iterator in item ? atOnce(item) : item))
  return as === 'partial' && all.length === 0 ? null : all
}

const sizeOf = ({ entries }: Page): number =>
  entries.reduce((sum, { value }) => sum + value.length, 0)

// Above this a list is sent in pieces, with turns for others in between.
const LARGE_BYTES = 512 * 1024
const COMMA = Buffer.from(',')
const CLOSE = Buffer.from(']}\n')

function listBytes(resource: Resource, page: Page): Answer | Streamed {
  const { entries, metadata } = page
  const { listKind: kind, group, version } = resource
  const head = JSON.stringify({ kind, apiVersion: apiVersionOf(group, version), metadata })
  const open = Buffer.from(`${head.slice(0, -1)},"items":[`)
  const pieces = (entry: Entry, index: number): Buffer[] =>
    index === 0 ? itemBytes(resource, entry) : [COMMA, ...itemBytes(resource, entry)]
  if (sizeOf(page) < LARGE_BYTES) {
    return { code: 200, body: Buffer.concat([open, ...entries.flatMap(pieces), CLOSE]) }
  }
  return {
    stream: async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      await writePieces(response, open, listPieces(entries, pieces))
    },
  }
}

function* listPieces(
  entries: readonly Entry[],
  pieces: (entry: Entry, index: number) => Buffer[],
): Iterable<Buffer[]> {
  for (const [index, entry] of entries.entries()) yield pieces(entry, index)
}

async function writePieces(
  response: ServerResponse,
  open: Buffer,
  items: Iterable<Buffer[]>,
): Promise<void> {
  let batch = [open]
  let bytes = 0
  for (const item of items) {
    for (const piece of item) {
      batch.push(piece)
      bytes += piece.length
    }
    if (bytes < LARGE_BYTES) continue
    if (!response.write(Buffer.concat(batch))) await drained(response)
    if (response.destroyed) return
    batch = []
    bytes = 0
  }
  endWith(response, Buffer.concat([...batch, CLOSE]))
}

/** A list in the form that the client asks for. */
function longListOf(feed: Feed, call: Call, { entries, metadata }: Page): LongList {
  const { resource, form, query } = call
  if (form.as === 'table') {
    const printer = resource.behaviour.printer ?? plainPrinter
    const options = { printer, include: includeIn(query), now: feed.clock.now() }
    const { rows: _, ...head } = tableOf(columnDefinitions(printer), [], metadata)
    return { head, field: 'rows', items: shown(call, entries, (one) => rowOf(one, options)) }
  }
  if (form.as === 'partial') {
    const { items: _, ...head } = partialListOf(metadata, [])
    return { head, field: 'items', items: shown(call, entries, partialOf) }
  }
  const { listKind: kind, group, version } = resource
  const head = { kind, apiVersion: apiVersionOf(group, version), metadata }
  return { head, field: 'items', items: shown(call, entries, (one) => one) }
}

function* shown(
  { resource }: Call,
  entries: readonly Entry[],
  as: (object: Fields) => Fields,
): Iterable<Steps<Fields>> {
  for (const entry of entries) yield shownInSteps(resource, entry, as)
}

function* shownInSteps(
  resource: Resource,
  entry: Entry,
  as: (object: Fields) => Fields,
): Steps<Fields> {
  return as(yield* servedInSteps(resource, entry))
}
