import { generateKeyPair } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sleep } from '#base/clock.ts'
import { RacingClock } from './racing-clock.ts'

const HOUR_MS = 3_600_000

let clock: RacingClock
beforeEach(() => {
  clock = new RacingClock()
})
afterEach(() => clock[Symbol.dispose]())

test('hours pass in no time, timer by timer', async () => {
  const rung: string[] = []
  clock.after(2 * HOUR_MS, () => rung.push('second'))
  clock.after(HOUR_MS, () => rung.push('first'))
  clock.after(HOUR_MS, () => rung.push('first too'))
  const cancel = clock.after(HOUR_MS, () => rung.push('never'))
  cancel()
  const before = clock.now()

  clock.start()
  await sleep(clock, 3 * HOUR_MS)

  expect(rung).toEqual(['first', 'first too', 'second'])
  expect(clock.monotonicMs()).toBe(3 * HOUR_MS)
  expect(clock.now().getTime() - before.getTime()).toBe(3 * HOUR_MS)
})

test('no time passes while bytes come and go', async () => {
  const echo = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const socket = connect(Object(echo.address()).port, '127.0.0.1')
  let isLate = false
  clock.after(1, () => {
    isLate = true
  })

  clock.start()
  for (let turn = 0; turn < 50; turn++) {
    socket.write('x')
    await once(socket, 'data')
    expect(isLate).toBe(false)
  }

  await sleep(clock, 1)
  expect(isLate).toBe(true)
  socket.destroy()
  echo.close()
})

test('no time passes while another thread works for this one', async () => {
  clock.start()
  const generating = promisify(generateKeyPair)('rsa', { modulusLength: 1024 })

  await generating

  expect(clock.monotonicMs()).toBe(0)
})

test('time goes on while an answer is waited for that never comes', async () => {
  clock.start()

  const answer = clock.during(() => new Promise<never>(() => {}))

  expect(await Promise.race([answer, sleep(clock, HOUR_MS)])).toBeUndefined()
  expect(clock.monotonicMs()).toBe(HOUR_MS)
})

test('alone, it begins where it always does and may run for years', async () => {
  using alone = new RacingClock({ isAlone: true })
  const years = 5 * 365 * 24 * HOUR_MS
  alone.start()

  await sleep(alone, years)

  expect(alone.now().getTime() - Date.parse('2026-01-01')).toBe(years)
})

test('alone, it waits for other threads that it is told of', async () => {
  using alone = new RacingClock({ isAlone: true })
  alone.after(HOUR_MS, () => {})
  alone.start()

  await alone.elsewhere(() => promisify(generateKeyPair)('rsa', { modulusLength: 1024 }))

  expect(alone.monotonicMs()).toBe(0)
})

test('alone, no time passes while files are read', async () => {
  using alone = new RacingClock({ isAlone: true })
  alone.after(HOUR_MS, () => {})
  alone.start()

  for (let turn = 0; turn < 20; turn++) await readFile(new URL(import.meta.url))

  expect(alone.monotonicMs()).toBe(0)
})

test('alone, no time passes while anybody has a next turn', async () => {
  using alone = new RacingClock({ isAlone: true })
  alone.after(HOUR_MS, () => {})
  alone.start()

  for (let turn = 0; turn < 20; turn++) await nextTurn()

  expect(alone.monotonicMs()).toBe(0)
})
