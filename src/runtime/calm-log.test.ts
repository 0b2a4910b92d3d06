import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { calm } from './calm-log.ts'
import { createLog } from './log.ts'

/** A calm log, and what it lets through: `message name repeated`. */
function aCalmLog() {
  const clock = new FakeClock()
  const lines: string[] = []
  const write = (line: string) => {
    const { message, name = '', repeated = '', at = '' } = JSON.parse(line)
    lines.push([message, name, repeated, at].join(' ').trim())
  }
  const log = calm(createLog({ level: 'debug', write, now: () => clock.now() }), { clock })
  const written = () => lines.splice(0)
  return { clock, log, written }
}

test('what goes on is told at once, and then once a minute with how often and the latest fields', async () => {
  const { clock, log, written } = aCalmLog()

  for (let at = 1; at <= 5; at++) log.warn('probe failed', { name: 'm1', at })
  expect(written()).toEqual(['probe failed m1  1'])
  await clock.advance(60_000)
  expect(written()).toEqual(['probe failed m1 4 5'])
  log.warn('probe failed', { name: 'm1', at: 6 })
  expect(written()).toEqual([])
  await clock.advance(60_000)
  expect(written()).toEqual(['probe failed m1 1 6'])
})

test('what stopped is forgotten after a minute, and news again when it comes back', async () => {
  const { clock, log, written } = aCalmLog()

  log.warn('probe failed', { name: 'm1' })
  await clock.advance(60_000)
  log.warn('probe failed', { name: 'm1' })

  expect(written()).toEqual(['probe failed m1', 'probe failed m1'])
})

test('lines that differ in message, level or object are told apart', () => {
  const { log, written } = aCalmLog()

  log.warn('a', { name: 'm1' })
  log.error('a', { name: 'm1' })
  log.warn('b', { name: 'm1' })
  log.with({ name: 'm2' }).warn('a')
  log.with({ name: 'm2' }).warn('a', { error: 'another' })

  expect(written()).toEqual(['a m1', 'a m1', 'b m1', 'a m2'])
})

test('what is done is always told', () => {
  const { log, written } = aCalmLog()

  for (const _ of [1, 2]) log.info('step done')
  for (const _ of [1, 2]) log.debug('plan made')

  expect(written()).toEqual(['step done', 'step done', 'plan made', 'plan made'])
})

test('300 machines that do not answer, tried every five seconds, are within 300 lines a minute', async () => {
  const { clock, log, written } = aCalmLog()
  const perMinute: number[] = []

  for (let second = 5; second <= 600; second += 5) {
    for (let at = 0; at < 300; at++) log.warn('probe failed', { name: `m${at}` })
    await clock.advance(5_000)
    if (second % 60 === 0) perMinute.push(written().length)
  }

  expect(perMinute).toHaveLength(10)
  expect(Math.max(...perMinute)).toBeLessThan(300)
  expect(Math.min(...perMinute)).toBeGreaterThan(0)
})

test('what was counted is written at the end, and no timer stays', () => {
  const { clock, log, written } = aCalmLog()
  log.warn('a')
  log.warn('a')

  log[Symbol.dispose]()
  log.warn('late')
  log.warn('late')

  expect(written()).toEqual(['a', 'a  1', 'late', 'late'])
  expect(clock.waiting).toBe(0)
})
