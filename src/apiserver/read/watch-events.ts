import { plainPrinter } from '#apiserver/kinds/printers/printers.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'
import type { Change, Entry } from '#apiserver/store/store.ts'
import { apiVersionOf, served } from '#apiserver/stored-object.ts'
import {
  columnDefinitions,
  type IncludeObject,
  partialOf,
  rowOf,
  shownBytes,
  tableOf,
} from './forms.ts'
import type { Selection } from './selection.ts'

/** What a watcher is shown of a kind. Watchers with the same view share its events. */
export interface View {
  resource: Resource
  /** Empty: all. */
  namespace: string
  selection: Selection
  as: 'object' | 'table' | 'partial'
  include: IncludeObject
  /** Of a watcher that is shown tables: whether it has been told the columns. It shares with nobody. */
  columns?: { told: boolean }
}

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

const CLOSE = Buffer.from('}\n')
const OPENINGS: Readonly<Record<EventType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
}

/** The event that tells of a change, in pieces; nothing if the view does not include it. */
export function eventOf(view: View, change: Change, now: Date): Buffer[] {
  const { matches } = view.selection
  if (!matches) return framed(typeOf(change), shown(view, change, now))
  const { resource } = view
  const isIn = change.type === 'put' && matches(served(resource, change))
  const { previous } = change
  const wasIn = previous !== undefined && matches(served(resource, previous))
  if (isIn) return framed(wasIn ? 'MODIFIED' : 'ADDED', shown(view, change, now))
  if (!wasIn) return []
  // It is shown as it last matched, at the revision at which it ceased to.
  const last = change.type === 'remove' ? change : at(previous, change.revision)
  return framed('DELETED', shown(view, last, now))
}

const typeOf = ({ type, previous }: Change): EventType => {
  if (type === 'remove') return 'DELETED'
  return previous ? 'MODIFIED' : 'ADDED'
}

/** An entry of another time, with a later revision in it. */
function at({ value, revision }: Entry, later: number): Shown {
  const head = '"metadata":{"resourceVersion":"'
  const text = value.toString()
  const from = text.indexOf(head) + head.length
  const bytes = `${text.slice(0, from)}${later}${text.slice(from + String(revision).length)}`
  return { value: Buffer.from(bytes), revision }
}

/** The event that tells a new watcher of what is there; nothing if the view does not include it. */
export function initialEventOf(view: View, entry: Entry, now: Date): Buffer[] {
  const { matches } = view.selection
  if (matches && !matches(served(view.resource, entry))) return []
  return framed('ADDED', shown(view, entry, now))
}

const framed = (type: EventType, object: Buffer): Buffer[] => [OPENINGS[type], object, CLOSE]

/** An object at some revision. */
type Shown = Pick<Entry, 'value' | 'revision'>

function shown(view: View, entry: Shown, now: Date): Buffer {
  const { resource, as } = view
  if (as === 'object') return shownBytes(resource, entry)
  const object = served(resource, entry)
  if (as === 'partial') return Buffer.from(JSON.stringify(partialOf(object)))
  return Buffer.from(JSON.stringify(rowTable(view, object, now)))
}

function rowTable({ resource, include, columns }: View, object: Fields, now: Date): Fields {
  const printer = resource.behaviour.printer ?? plainPrinter
  const { resourceVersion } = fieldsAt(object, 'metadata')
  const row = rowOf(object, { printer, include, now })
  const isTold = columns?.told ?? false
  if (columns) columns.told = true
  return tableOf(isTold ? null : columnDefinitions(printer), [row], { resourceVersion })
}

/** Tells how far the watch has come. `isEnd`: everything that was there at the start has been sent. */
export function bookmarkOf({ resource, as }: View, revision: number, isEnd: boolean): Buffer {
  const { kind, group, version } = resource
  const metadata = {
    resourceVersion: String(revision),
    ...(isEnd && { annotations: { 'k8s.io/initial-events-end': 'true' } }),
  }
  const object =
    as === 'object'
      ? { kind, apiVersion: apiVersionOf(group, version), metadata }
      : partialOf({ metadata })
  const event = { type: 'BOOKMARK', object: as === 'table' ? tableOf([], [], metadata) : object }
  return Buffer.from(`${JSON.stringify(event)}\n`)
}
