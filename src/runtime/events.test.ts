import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Event } from '#api/foreign.ts'
import { Machine } from '#api/machine.ts'
import type { ObjectMeta } from '#api/meta.ts'
import type { LogFields } from '#base/log.ts'
import { untilAborted } from '#base/share-runs.ts'
import { ApiError } from '#kube/api-error.ts'
import type { CallOptions } from '#kube/caller.ts'
import type { Draft, Patch, Ref } from '#kube/client.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { quietLog } from '#test/quiet-log.ts'
import { EventRecorder } from './events.ts'
import type { Notice } from './plan.ts'

type EventDraft = Draft<typeof Event>

/** An API that keeps events, and does with the next calls what a test wants. */
class PretendApi {
  readonly events = new Map<string, EventDraft>()
  readonly calls: string[] = []
  /** Refuses every call with this. */
  refusal: ApiError | undefined
  /** No call is answered before this is. */
  silence = Promise.resolve()

  get notes(): unknown[] {
    return [...this.events.values()].map(({ note }) => note)
  }

  async create(_kind: typeof Event, event: EventDraft, { signal }: CallOptions): Promise<void> {
    await this.#called('create', signal)
    const { name = '' } = event.metadata
    if (this.events.has(name)) throw refused(409, 'AlreadyExists')
    this.events.set(name, event)
  }

  async patch(_kind: typeof Event, { name }: Ref, { body, signal }: Patch & CallOptions) {
    await this.#called('patch', signal)
    const event = this.events.get(name)
    if (!event) throw refused(404, 'NotFound')
    this.events.set(name, { ...event, ...body })
  }

  async #called(verb: string, signal = new AbortController().signal): Promise<void> {
    this.calls.push(verb)
    await untilAborted(this.silence, signal)
    if (this.refusal) throw this.refusal
  }
}

const refused = (status: number, reason: string) =>
  new ApiError(`could not do it: ${reason}`, { status, reason })

const about = (changes: Partial<ObjectMeta> = {}) => ({
  kind: Machine,
  resource: {
    metadata: { name: 'm1', namespace: 'prod', uid: 'uid-1', generation: 1, ...changes },
  },
})

const aNotice = (message = 'install v1.11.0', changes: Partial<Notice> = {}): Notice => ({
  ...{ type: 'Normal', reason: 'Installed', message },
  ...changes,
})

function aRecorder({ instance = 'operator-0' } = {}) {
  const clock = new FakeClock()
  const api = new PretendApi()
  const warnings: string[] = []
  const warn = (message: string, fields: LogFields = {}) =>
    void warnings.push(`${message}: ${fields.reason}`)
  const log = quietLog({ warn })
  const recorder = new EventRecorder({ client: api, clock, log, instance })
  const stop = new AbortController()
  const start = () => recorder.run(stop.signal)
  /** Tells, and lets everything be written that can be. */
  const tell = async (notice: Notice, regarding = about()) => {
    recorder.tell(regarding, notice)
    await turn()
  }
  const tellOnce = async (notice: Notice, regarding = about()) => {
    recorder.tellOnce(regarding, notice)
    await turn()
  }
  return { clock, api, warnings, recorder, stop, start, tell, tellOnce }
}

/** One that writes already, and is never stopped. */
function aRunningRecorder(options: Parameters<typeof aRecorder>[0] = {}) {
  const parts = aRecorder(options)
  void parts.start()
  return parts
}

const MINUTE = 60_000

test('an event has everything that Kubernetes wants to know of it', async () => {
  const { api, tell } = aRunningRecorder()

  await tell(aNotice())

  const [event] = [...api.events.values()]
  expect(event).toEqual({
    metadata: { name: expect.stringMatching(/^m1\.[0-9a-f]{13}[a-z0-9]{22}$/), namespace: 'prod' },
    eventTime: '2030-01-01T00:00:00.000000Z',
    reportingController: 'talosmachine-controller',
    reportingInstance: 'operator-0',
    action: 'Installed',
    reason: 'Installed',
    type: 'Normal',
    note: 'install v1.11.0',
    regarding: {
      apiVersion: 'talos.alperen.cloud/v1alpha1',
      kind: 'TalosMachine',
      namespace: 'prod',
      name: 'm1',
      uid: 'uid-1',
    },
  })
})

test('the same thing told again is counted, and written now and then', async () => {
  const { clock, api, tell } = aRunningRecorder()
  const seriesOf = () => [...api.events.values()].map(({ series }) => series)

  await tell(aNotice())
  await clock.advance(1_000)
  await tell(aNotice())
  const second = seriesOf()
  for (let times = 3; times <= 50; times++) await tell(aNotice())
  const calls = [...api.calls]
  await clock.advance(10 * MINUTE)
  await tell(aNotice())

  expect(second).toEqual([{ count: 2, lastObservedTime: '2030-01-01T00:00:01.000000Z' }])
  expect(calls).toEqual(['create', 'patch'])
  expect(seriesOf()).toEqual([{ count: 51, lastObservedTime: '2030-01-01T00:10:01.000000Z' }])
  expect(api.calls).toEqual(['create', 'patch', 'patch'])
})

test.each([
  ['another message', aNotice('install v1.12.0'), about()],
  ['another reason', aNotice('install v1.11.0', { reason: 'Upgraded' }), about()],
  ['another type', aNotice('install v1.11.0', { type: 'Warning' }), about()],
  ['another object of the same name', aNotice(), about({ uid: 'uid-2' })],
  ['another generation', aNotice(), about({ generation: 2 })],
])('%s makes another event', async (_what, notice, regarding) => {
  const { api, tell } = aRunningRecorder()

  await tell(aNotice())
  await tell(notice, regarding)

  expect(api.calls).toEqual(['create', 'create'])
  expect(api.events.size).toBe(2)
})

test('what is so is told once for each generation, however often it is stated', async () => {
  const { clock, api, tellOnce } = aRunningRecorder()

  for (let times = 0; times < 10; times++) {
    await tellOnce(aNotice('it is paused'))
    await clock.advance(30 * MINUTE)
  }
  await tellOnce(aNotice('it is paused'), about({ generation: 2 }))

  expect(api.calls).toEqual(['create', 'create'])
})

test('an event that is there already, told by the process before us, is fine', async () => {
  const { api, clock, recorder, warnings, tellOnce } = aRunningRecorder()
  const before = aRecorder()
  void before.start()
  await before.tellOnce(aNotice('it is paused'))
  for (const [name, event] of before.api.events) api.events.set(name, event)

  await clock.advance(MINUTE)
  await tellOnce(aNotice('it is paused'))

  expect([api.calls, api.events.size]).toEqual([['create'], 1])
  expect([warnings, recorder.dropped]).toEqual([[], 0])
})

test('the names of events are in the order in which it happened, after what is only so', async () => {
  const { clock, api, tell, tellOnce } = aRunningRecorder()
  const notes = [...'abcdefgh']

  for (const note of notes) {
    await tell(aNotice(note))
    if (note === 'd') await clock.advance(1)
  }
  await tellOnce(aNotice('so it is'))

  const inOrder = [...api.events].sort(([one], [other]) => (one < other ? -1 : 1))
  expect(inOrder.map(([, { note }]) => note)).toEqual(['so it is', ...notes])
})

test('an event that is created anew has its place by when that was', async () => {
  const { clock, api, tell } = aRunningRecorder()
  await tell(aNotice('again and again'))
  await tell(aNotice('once'))
  api.events.delete([...api.events.keys()][0] ?? '')

  await clock.advance(61 * MINUTE)
  await tell(aNotice('again and again'))

  const inOrder = [...api.events].sort(([one], [other]) => (one < other ? -1 : 1))
  expect(inOrder.map(([, { note }]) => note)).toEqual(['once', 'again and again'])
})

test('an event that the server has forgotten is created anew, with its count', async () => {
  const { clock, api, tell } = aRunningRecorder()
  await tell(aNotice())
  await tell(aNotice())
  api.events.clear()

  await clock.advance(61 * MINUTE)
  await tell(aNotice())

  expect(api.calls).toEqual(['create', 'patch', 'patch', 'create'])
  expect([...api.events.values()]).toMatchObject([
    { note: 'install v1.11.0', series: { count: 3 } },
  ])
})

describe('while the server takes nothing', () => {
  test('telling goes on, what is lost is counted and logged', async () => {
    const { api, recorder, warnings, tell } = aRunningRecorder()
    api.refusal = refused(0, 'Unreachable')

    await tell(aNotice('first'))
    await tell(aNotice('second'))

    expect(recorder.dropped).toBe(2)
    expect(warnings).toEqual(['event not written: Installed', 'event not written: Installed'])
  })

  test('what was lost is told as soon as it is told again', async () => {
    const { api, tell, tellOnce } = aRunningRecorder()
    api.refusal = refused(503, 'ServiceUnavailable')
    for (let times = 0; times < 3; times++) await tell(aNotice('step failed'))
    await tellOnce(aNotice('it is paused'))

    api.refusal = undefined
    await tell(aNotice('step failed'))
    await tellOnce(aNotice('it is paused'))
    await tellOnce(aNotice('it is paused'))

    expect(api.notes).toEqual(['step failed', 'it is paused'])
    expect([...api.events.values()]).toMatchObject([{ series: { count: 4 } }, {}])
  })

  test('at most a thousand wait: the oldest are dropped, and counted', async () => {
    const { api, recorder, start, tellOnce } = aRecorder()
    for (let at = 0; at < 1_200; at++) recorder.tellOnce(about(), aNotice(`notice ${at}`))
    const dropped = recorder.dropped

    void start()
    await turn()

    expect(dropped).toBe(200)
    expect([api.notes.length, api.notes[0]]).toEqual([1_000, 'notice 200'])
    // Dropped is not told: the next pass tells it.
    await tellOnce(aNotice('notice 0'))
    expect(api.notes.at(-1)).toBe('notice 0')
  })

  test('a thousand objects that fail again and again cost a bounded number of calls', async () => {
    const { clock, api, recorder } = aRunningRecorder()
    const tellAll = async () => {
      for (let at = 0; at < 1_000; at++) {
        recorder.tell(about({ uid: `uid-${at}` }), aNotice('no answer', { type: 'Warning' }))
      }
      await turn()
    }

    for (let times = 0; times < 30; times++) {
      await tellAll()
      await clock.advance(10_000)
    }

    expect([api.events.size, api.calls.length]).toEqual([1_000, 2_000])
    expect(recorder.dropped).toBe(0)
  })
})

test('of what goes on the count is kept, however much else is told once', async () => {
  const { clock, api, recorder, tell } = aRunningRecorder()

  for (let round = 0; round < 3; round++) {
    await tell(aNotice('it goes on'))
    for (let at = 0; at < 6_000; at++) {
      recorder.tellOnce(about(), aNotice(`${round} ${at}`))
      if (at % 500 === 0) await turn()
    }
    await clock.advance(10 * MINUTE)
  }

  expect([...api.events.values()][0]).toMatchObject({ note: 'it goes on', series: { count: 3 } })
})

describe('at the end', () => {
  test('what still waits is written', async () => {
    const { clock, api, recorder, stop, start } = aRecorder()
    for (let at = 0; at < 3; at++) recorder.tell(about(), aNotice(`notice ${at}`))
    stop.abort()

    await start()

    expect(api.notes).toEqual(['notice 0', 'notice 1', 'notice 2'])
    expect(clock.waiting).toBe(0)
  })

  test('what is being written is written to the end', async () => {
    const { api, recorder, stop, start } = aRecorder()
    let answer = () => {}
    api.silence = new Promise((resolve) => {
      answer = resolve
    })
    const running = start()
    recorder.tell(about(), aNotice())
    await turn()

    stop.abort()
    await turn()
    answer()
    await running

    expect([api.notes, recorder.dropped]).toEqual([['install v1.11.0'], 0])
  })

  test('a server that does not answer is waited for no longer than five seconds', async () => {
    const { clock, api, recorder, warnings, stop, start } = aRecorder()
    api.silence = new Promise(() => {})
    let hasEnded = false
    const running = start().then(() => {
      hasEnded = true
    })
    for (let at = 0; at < 3; at++) recorder.tell(about(), aNotice(`notice ${at}`))
    await turn()

    stop.abort()
    await clock.advance(4_999)
    expect(hasEnded).toBe(false)
    await clock.advance(1)
    await running

    expect([recorder.dropped, warnings]).toEqual([1, []])
    expect(clock.waiting).toBe(0)
  })

  test('who has nothing to tell ends at once', async () => {
    const { clock, stop, start } = aRecorder()
    const running = start()

    stop.abort()

    await running
    expect(clock.waiting).toBe(0)
  })
})

describe('a note', () => {
  const noteOf = async (message: string) => {
    const { api, tell } = aRunningRecorder()
    await tell(aNotice(message))
    return String(api.notes[0])
  }

  test.each([
    ['letters', 'x'.repeat(1_024), 'x'.repeat(1_024)],
    ['one letter too many', 'x'.repeat(1_025), `${'x'.repeat(1_021)}…`],
    ['characters of four bytes', '🔥'.repeat(300), `${'🔥'.repeat(255)}…`],
    [
      'a character across the border',
      `${'x'.repeat(1_020)}${'é'.repeat(9)}`,
      `${'x'.repeat(1_020)}…`,
    ],
  ])('of %s has at most 1024 bytes and no half character', async (_what, message, expected) => {
    const note = await noteOf(message)

    expect(note).toBe(expected)
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1_024)
  })

  test('does not show what has the shape of a secret', async () => {
    expect(await noteOf('401 for Authorization: Basic aHVudGVyMg==')).toBe(
      '401 for Authorization: Basic ***',
    )
  })
})

test.each([
  ['short', 'm1'],
  ['as long as names may be', 'x'.repeat(253)],
  ['long, with a dot where it is cut', `${'x'.repeat(229)}.${'y'.repeat(23)}`],
  ['long, with dashes where it is cut', `${'x'.repeat(226)}----${'y'.repeat(23)}`],
])('the name of an event is valid where that of its object is %s', async (_what, name) => {
  const { api, tell } = aRunningRecorder()

  await tell(aNotice(), about({ name }))

  const [event = ''] = [...api.events.keys()]
  expect(event.length).toBeLessThanOrEqual(253)
  expect(event).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/)
})

test('who we are is cut to what Kubernetes takes', async () => {
  const { api, tell } = aRunningRecorder({ instance: 'x'.repeat(200) })

  await tell(aNotice())

  expect([...api.events.values()][0]?.reportingInstance).toBe('x'.repeat(128))
})
