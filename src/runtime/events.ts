import { Event } from '#api/foreign.ts'
import { apiVersionOf, type Kind, type KubeObject } from '#api/meta.ts'
import type { Clock } from '#base/clock.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { Log } from '#base/log.ts'
import { onAbort } from '#base/on-abort.ts'
import { ownText } from '#base/own-text.ts'
import { ApiError } from '#kube/api-error.ts'
import type { CallOptions } from '#kube/caller.ts'
import type { Draft, Patch, Ref } from '#kube/client.ts'
import { withoutSecrets } from './log-redaction.ts'
import type { Notice } from './plan.ts'

// What Kubernetes allows at most.
const LONGEST_NOTE_BYTES = 1_024
const LONGEST_NAME = 253
const LONGEST_INSTANCE = 128
const MOST_WAITING = 1_000
const MOST_REMEMBERED = 10_000
// Servers keep events for an hour. A series is refreshed a few times in that.
const REFRESH_MS = 10 * 60_000
const FLUSH_MS = 5_000

/** What an event is about, and who says so. */
export interface Regarding {
  kind: Kind
  resource: KubeObject
}

/** What is remembered of an event, which there are thousands of: whoever tells it again has the rest. */
interface Told {
  /** Empty before it is created. */
  name: string
  count: number
  writtenAtMs: number
  /** Whether the server did not get to know of it, or of how often it happened. */
  isLost: boolean
}

/** What is to be written of one. */
interface Telling {
  /** The name for one that is created now. */
  nameNow: () => string
  namespace: string
  about: Pick<Draft<typeof Event>, 'regarding' | 'reportingController'>
  notice: Notice
}

/** The part of a client that writes events. */
interface EventClient {
  create(kind: typeof Event, object: Draft<typeof Event>, call: CallOptions): Promise<unknown>
  patch(kind: typeof Event, ref: Ref, patch: Patch & CallOptions): Promise<unknown>
}

interface RecorderOptions {
  client: EventClient
  clock: Clock
  log: Log
  /** Who we are, in every event. */
  instance: string
}

/**
 * Tells users what was done, as Kubernetes events. Telling never waits and never fails; the same thing
 * told again is counted and not written each time. Beyond a bound the oldest are dropped, and counted.
 */
export class EventRecorder {
  readonly #options: RecorderOptions
  readonly #told = new Map<string, Told>()
  readonly #waiting = new Map<Told, Telling>()
  #dropped = 0
  #lastNamedUs = 0
  #ring = () => {}

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** How many events were dropped because the server did not take them. */
  get dropped(): number {
    return this.#dropped
  }

  /** Something happened. */
  tell(regarding: Regarding, notice: Notice): void {
    const said = saidOf(notice)
    const id = idOf(regarding, said)
    const told = this.#remember(id)
    told.count++
    const isFirst = told.count <= 2
    const isDue = this.#options.clock.monotonicMs() - told.writtenAtMs >= REFRESH_MS
    if (!isFirst && !isDue && !told.isLost) return
    this.#enqueue(
      told,
      tellingOf(regarding, said, () => this.#momentAnd(id)),
    )
  }

  /** Something is so. However often it is stated, it is told once for each generation of the object. */
  tellOnce(regarding: Regarding, notice: Notice): void {
    const said = saidOf(notice)
    const id = idOf(regarding, said)
    const told = this.#remember(id)
    if (told.count > 0 && !told.isLost) return
    told.count ||= 1
    // The same from any process, and before what happens.
    this.#enqueue(
      told,
      tellingOf(regarding, said, () => `0${id}`),
    )
  }

  /** Writes what is told until the signal aborts, and then for a moment what is left. */
  async run(signal: AbortSignal): Promise<void> {
    // Not the signal itself: what is being written when it aborts is written to the end.
    const limit = new AbortController()
    let cancel = () => {}
    onAbort(signal, () => {
      cancel = this.#options.clock.after(FLUSH_MS, () => limit.abort())
      this.#ring()
    })
    while (!limit.signal.aborted) {
      const next = this.#next()
      if (next) await this.#write(next, limit.signal)
      else if (signal.aborted) break
      else await this.#rung()
    }
    cancel()
  }

  #rung(): Promise<void> {
    return new Promise((resolve) => {
      this.#ring = resolve
    })
  }

  /** Sorts by the moment: kubectl lists the events of an object in the order of their names. */
  #momentAnd(id: string): string {
    const nowUs = this.#options.clock.now().getTime() * 1_000
    this.#lastNamedUs = Math.max(nowUs, this.#lastNamedUs + 1)
    return `${this.#lastNamedUs.toString(16).padStart(13, '0')}${id}`
  }

  #remember(id: string): Told {
    const told = this.#told.get(id) ?? {
      ...{ name: '', count: 0, writtenAtMs: -REFRESH_MS, isLost: false },
    }
    // Last again: what goes on is not forgotten for what was told once.
    this.#told.delete(id)
    this.#told.set(id, told)
    takeFirst(this.#told, MOST_REMEMBERED)
    return told
  }

  #enqueue(told: Told, telling: Telling): void {
    told.isLost = false
    this.#waiting.set(told, telling)
    for (const dropped of takeFirst(this.#waiting, MOST_WAITING)) this.#lose(dropped)
    this.#ring()
  }

  #lose(told: Told): void {
    told.isLost = true
    this.#dropped++
  }

  #next(): [Told, Telling] | undefined {
    const [next] = this.#waiting
    if (next) this.#waiting.delete(next[0])
    return next
  }

  async #write([told, telling]: [Told, Telling], signal: AbortSignal): Promise<void> {
    const { client, clock, log } = this.#options
    const call = { signal, priority: 'background' as const }
    told.writtenAtMs = clock.monotonicMs()
    try {
      const isCounted =
        told.name !== '' && told.count > 1 && (await this.#count(told, telling, call))
      if (isCounted) return
      told.name = telling.nameNow()
      await client.create(Event, this.#eventOf(told, telling), call)
    } catch (error) {
      // Told by the process before us, or by us and the answer was lost.
      if (error instanceof ApiError && error.reason === 'AlreadyExists') return
      this.#lose(told)
      if (!signal.aborted) log.warn('event not written', { reason: telling.notice.reason, error })
    }
  }

  /** Says how often it has happened by now; false if the server has forgotten that it ever did. */
  async #count({ name, count }: Told, { namespace }: Telling, call: CallOptions): Promise<boolean> {
    const { client, clock } = this.#options
    const series = { count, lastObservedTime: microTime(clock.now()) }
    try {
      const body = { series }
      await client.patch(Event, { name, namespace }, { ...call, type: 'merge', body })
      return true
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'NotFound') return false
      throw error
    }
  }

  #eventOf({ name, count }: Told, { namespace, about, notice }: Telling): Draft<typeof Event> {
    const { clock, instance } = this.#options
    const now = microTime(clock.now())
    return {
      ...about,
      metadata: { name, namespace },
      eventTime: now,
      reportingInstance: instance.slice(0, LONGEST_INSTANCE),
      action: notice.reason,
      reason: notice.reason,
      type: notice.type,
      note: notice.message,
      ...(count > 1 && { series: { count, lastObservedTime: now } }),
    }
  }
}

const saidOf = (notice: Notice): Notice => ({
  ...notice,
  message: cut(withoutSecrets(notice.message)),
})

/** The same for what is told of an object again, as long as nobody edits it. */
const idOf = ({ resource: { metadata } }: Regarding, { type, reason, message }: Notice): string =>
  fingerprint([metadata.uid, metadata.generation, type, reason, message])

function tellingOf(regarding: Regarding, notice: Notice, word: () => string): Telling {
  const { name, namespace = 'default' } = regarding.resource.metadata
  return {
    nameNow: () => ownText(nameOf(name, word())),
    ...{ namespace, notice, about: aboutOf(regarding) },
  }
}

const aboutOf = ({ kind, resource: { metadata } }: Regarding): Telling['about'] => ({
  reportingController: `${kind.kind.toLowerCase()}-controller`,
  regarding: {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    namespace: metadata.namespace ?? 'default',
    name: metadata.name,
    ...(metadata.uid && { uid: metadata.uid }),
  },
})

/** The name of an event: that of its object, as far as there is room, and what makes it its own. */
function nameOf(object: string, own: string): string {
  const word = own.toLowerCase().replace(/[^a-z0-9]/g, '0')
  const room = LONGEST_NAME - word.length - 1
  return `${object.slice(0, room).replace(/[^a-z0-9]+$/, '')}.${word}`
}

/** Takes away what came first until there are no more than so many, and yields it. */
function takeFirst<Key>(
  from: { size: number; keys(): Iterable<Key>; delete(key: Key): boolean },
  most: number,
): Key[] {
  const taken: Key[] = []
  for (const key of from.keys()) {
    if (from.size <= most) break
    from.delete(key)
    taken.push(key)
  }
  return taken
}

/** As much of a text as fits, which is counted in bytes, and no half character at its end. */
const cut = (text: string): string =>
  Buffer.byteLength(text) <= LONGEST_NOTE_BYTES
    ? text
    : `${Buffer.from(text)
        .subarray(0, LONGEST_NOTE_BYTES - 3)
        .toString('utf8')
        .replace(/\uFFFD+$/, '')}…`

/** As Kubernetes writes precise times: six digits after the second. */
const microTime = (date: Date): string => date.toISOString().replace('Z', '000Z')
