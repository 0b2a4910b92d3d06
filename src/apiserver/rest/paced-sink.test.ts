import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Pace } from '#apiserver/pace.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import { PacedSink } from './paced-sink.ts'

const EVENT = Buffer.from('event')

/** Watchers to whom it takes 2 ms each to send something, and what they were sent. */
function watchers(count: number, onSent: (what: string) => void = () => undefined) {
  let ms = 0
  const pace = new Pace(Object.assign(new FakeClock(), { monotonicMs: () => ms }))
  const sent: string[] = []
  const sinks = Array.from({ length: count }, (_, at) => {
    const response = {
      ...{ destroyed: false, writableEnded: false, writableLength: 0, writableNeedDrain: false },
      write(bytes: Buffer) {
        ms += 2
        sent.push(`${at} ${bytes}`)
        onSent(`${at} ${bytes}`)
        return true
      },
      end() {
        sent.push(`${at} end`)
      },
      destroy() {
        this.destroyed = true
      },
    }
    return new PacedSink(response as unknown as ServerResponse, pace) // as much of one as is used
  })
  return { sinks, sent }
}

const all = (sent: string[], count: number) =>
  until(
    'all to be sent',
    () => Promise.resolve(sent.length),
    (length) => length === count,
  )

test('one watcher is sent what there is at once', () => {
  const { sinks, sent } = watchers(1)

  expect(sinks[0]?.write(EVENT)).toBe(true)
  expect(sent).toEqual(['0 event'])
})

test('many are sent it in several turns of the event loop, each in order', async () => {
  const { sinks, sent } = watchers(10)

  for (const sink of sinks) sink.write(EVENT)
  for (const sink of sinks) sink.write(Buffer.from('later'))
  expect(sent).toEqual(['0 event', '1 event', '2 event'])
  expect(sinks[9]?.pendingBytes()).toBe(10)
  await nextTurn()
  expect(sent.length).toBeLessThan(10)
  await all(sent, 20)

  expect(sent.filter((one) => one.startsWith('9 '))).toEqual(['9 event', '9 later'])
  expect(sinks[9]?.pendingBytes()).toBe(0)
})

test('what comes while something waits comes after it, even if there is time', async () => {
  const { sinks, sent } = watchers(5, (what) => {
    if (what === '3 event') sinks[4]?.write(Buffer.from('later'))
  })
  for (const sink of sinks) sink.write(EVENT)
  await all(sent, 6)

  expect(sent.slice(3)).toEqual(['3 event', '4 event', '4 later'])
})

test('one that has to wait says when it has room again', async () => {
  const { sinks, sent } = watchers(4)
  for (const sink of sinks) sink.write(EVENT)

  expect(sinks[3]?.pendingBytes()).toBe(5)
  await sinks[3]?.drained()
  expect(sent).toContain('3 event')
})

test('the end comes after all that waits', async () => {
  const { sinks, sent } = watchers(4)
  for (const sink of sinks) sink.write(EVENT)
  sinks[3]?.end()

  expect(sinks[3]?.isClosed()).toBe(true)
  await all(sent, 5)
  expect(sent.slice(3)).toEqual(['3 event', '3 end'])
})

test('one that is cut off is sent nothing more', async () => {
  const { sinks, sent } = watchers(4)
  for (const sink of sinks) sink.write(EVENT)
  sinks[3]?.destroy()
  await sinks[3]?.drained()

  expect(sent).toHaveLength(3)
  expect(sinks[3]?.isClosed()).toBe(true)
})
