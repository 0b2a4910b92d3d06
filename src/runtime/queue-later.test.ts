import { describe, expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { Later } from './queue-later.ts'

const HOUR = 3_600_000

function later() {
  const clock = new FakeClock()
  const later = new Later<string>(clock)
  const wake = (value: string, delayMs: number) =>
    later.addWake(value, later.wakeTimeOf(new Date(clock.now().getTime() + delayMs)))
  return { clock, later, wake }
}

describe('what is due later', () => {
  test('retries and wakes come when their time has come, and stay until removed', async () => {
    const { clock, later: due, wake } = later()
    const woken = wake('wake', 2_000)
    const retried = due.addRetry('retry', 1_000)
    expect([due.dueRetry, due.dueWake]).toEqual([undefined, undefined])

    await clock.advance(1_000)
    expect([due.dueRetry, due.dueWake]).toEqual(['retry', undefined])
    await clock.advance(1_000)
    expect([due.dueRetry, due.dueWake]).toEqual(['retry', 'wake'])
    due.removeRetry(retried)
    due.removeWake(woken)
    expect([due.dueRetry, due.dueWake]).toEqual([undefined, undefined])
  })

  test('says how long it is quiet: until the first of them, for ever without any', async () => {
    const { clock, later: due, wake } = later()
    expect(due.quietMs).toBe(Infinity)

    due.addRetry('retry', 300_000)
    expect(due.quietMs).toBe(300_000)
    wake('wake', 10_000)
    expect(due.quietMs).toBe(10_000)
    await clock.advance(11_000)
    expect(due.quietMs).toBe(0)
  })
})

describe('when the time of day jumps', () => {
  test('forward, as after a laptop’s sleep: wakes come with it, retries do not', () => {
    const { clock, later: due, wake } = later()
    wake('backup', HOUR)
    due.addRetry('retry', 60_000)

    clock.jump(HOUR)

    expect([due.dueRetry, due.dueWake]).toEqual([undefined, 'backup'])
  })

  test('back: what was to wake in two seconds wakes in two seconds', async () => {
    const { clock, later: due, wake } = later()
    wake('machine', 2_000)

    clock.jump(-HOUR)
    await clock.advance(2_000)

    expect(due.dueWake).toBe('machine')
  })

  test('back and forth: what was added in between is on time', async () => {
    const { clock, later: due, wake } = later()
    clock.jump(-HOUR)
    wake('backup', 2 * HOUR)

    clock.jump(HOUR)

    await clock.advance(HOUR - 1)
    expect(due.dueWake).toBeUndefined()
    await clock.advance(1)
    expect(due.dueWake).toBe('backup')
  })

  test('it is looked for each minute while something is to wake', () => {
    const { later: due, wake } = later()

    wake('backup', 24 * HOUR)

    expect(due.quietMs).toBe(60_000)
  })

  test('a drift of less than a second moves nothing', async () => {
    const { clock, later: due, wake } = later()
    wake('machine', 2_000)

    clock.jump(900)
    await clock.advance(1_999)

    expect(due.dueWake).toBeUndefined()
  })
})
