import { Machine } from '#api/machine.ts'
import type { ObjectOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import type { Cancel } from '#base/clock.ts'
import { naturalOrder } from '#base/natural-order.ts'
import type { Watches } from '#runtime/watches.ts'
import type { ShownKind } from './demo-subject.ts'
import { aligned, redraw, type Screen } from './redraw.ts'

const LONGEST_WHY = 100

/** An object as it is shown. */
export interface ShownObject {
  /** `TalosMachine demo-127.80.0.1` */
  readonly what: string
  readonly state: string
  readonly isReady: boolean
  /** Why it is not ready, in a word or a short sentence. */
  readonly why: string
}

/** The objects of a demo, as they are now, and whether they change. */
export interface Progress {
  objects(): readonly ShownObject[]
  onChange(listener: () => void): Cancel
}

/** The objects of these kinds, as the management API has them. */
export const progressOf = (watches: Watches, kinds: readonly ShownKind[]): Progress => ({
  objects: () =>
    kinds.flatMap((kind) =>
      watches
        .list(kind, {})
        .map((object) => shownOf(kind.kind, object))
        .sort((a, b) => naturalOrder(a.what, b.what)),
    ),
  onChange: (listener) => {
    const cancels = kinds.map((kind) => watches.listen(kind, listener))
    return () => {
      for (const cancel of cancels) cancel()
    }
  },
})

type Shown = ObjectOf<ShownKind>

const OF_MACHINES = [Machine.kind, ProvidedMachine.kind]

function shownOf(kind: string, { metadata, status }: Shown): ShownObject {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const isReady = ready?.status === 'True'
  // What others say of their machines is what these say themselves, all of it.
  const why = OF_MACHINES.includes(kind) ? ready?.message : ready?.reason
  return {
    what: `${kind} ${metadata.name}`,
    state: metadata.deletionTimestamp ? 'Deleting' : stateOf(status),
    isReady,
    why: isReady ? '' : shortened(why ?? 'not looked at yet'),
  }
}

const shortened = (text: string): string =>
  text.length <= LONGEST_WHY ? text : `${text.slice(0, LONGEST_WHY - 1)}…`

function stateOf(status: Shown['status']): string {
  if (status && 'phase' in status && typeof status.phase === 'string') return status.phase
  return status && 'state' in status && typeof status.state === 'string' ? status.state : ''
}

/** Where a demo is shown. */
export interface DemoScreen extends Screen {
  /** How long a line can be that is drawn over. */
  readonly columns: () => number
  /** When it began, by the clock. */
  readonly startMs: number
}

/** Shows the objects as a table that is kept up to date, or else tells of changes, until it is disposed of. */
export function showProgress(progress: Progress, screen: DemoScreen): Disposable {
  if (screen.rows() === undefined) return tellProgress(progress, screen)
  const lines = (room: number) =>
    tableOf(progress.objects(), room).map((line) => line.slice(0, screen.columns()))
  return redraw({ lines, onChange: (listener) => progress.onChange(listener) }, screen)
}

const HEADS = ['OBJECT', 'STATE', 'READY', 'WHY NOT']

/** A table of at most so many lines. */
export function tableOf(objects: readonly ShownObject[], rows: number): readonly string[] {
  // One line for the heads, one for those that are left out, one for the cursor.
  const room = objects.length + 2 <= rows ? objects.length : Math.max(0, rows - 3)
  const cells = objects
    .slice(0, room)
    .map(({ what, state, isReady, why }) => [what, state || '-', isReady ? 'yes' : 'no', why])
  const left = objects.slice(room)
  const ready = left.filter(({ isReady }) => isReady).length
  const rest = left.length > 0 ? [`and ${left.length} more, ${ready} of them ready`] : []
  return [...aligned([HEADS, ...cells]), ...rest]
}

type Teller = Pick<DemoScreen, 'write' | 'clock' | 'startMs'>

/** Tells of every object and of each change, a line each, until it is disposed of. */
function tellProgress(progress: Progress, teller: Teller): Disposable {
  return telling(progress, teller, new Map())
}

/** Tells of each change from now on. */
export function tellNews(progress: Progress, teller: Teller): Disposable {
  const told = new Map<string, string>()
  changesSince(told, progress.objects())
  return telling(progress, teller, told)
}

function telling(
  progress: Progress,
  { write, clock, startMs }: Teller,
  told: Map<string, string>,
): Disposable {
  const tell = () => {
    const seconds = ((clock.monotonicMs() - startMs) / 1_000).toFixed(1).padStart(6)
    for (const line of changesSince(told, progress.objects())) write(`${seconds} s  ${line}\n`)
  }
  tell()
  return { [Symbol.dispose]: progress.onChange(tell) }
}

/** What there is to tell of the objects, besides what was told. It is told now. */
function changesSince(told: Map<string, string>, objects: readonly ShownObject[]): string[] {
  const now = new Map(objects.map((object) => [object.what, wordsFor(object)]))
  const changed = [...now].filter(([what, words]) => told.get(what) !== words)
  const gone = [...told.keys()].filter((what) => !now.has(what))
  told.clear()
  for (const [what, words] of now) told.set(what, words)
  return [
    ...changed.map(([what, words]) => `${what}: ${words}`),
    ...gone.map((what) => `${what}: gone`),
  ]
}

const wordsFor = ({ state, isReady, why }: ShownObject): string =>
  [state, isReady ? 'ready' : why].filter(Boolean).join(', ')
