import { expect, test } from 'vitest'
import { MachineError } from '#talos/outcome.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import { isStillAtIt, LongCalls } from './long-calls.ts'

const aCall = () => {
  const signals: AbortSignal[] = []
  let [resolve, reject]: [(name: string) => void, (error: Error) => void] = [() => {}, () => {}]
  const promise = new Promise<string>((yes, no) => {
    resolve = yes
    reject = no
  })
  const work = (signal: AbortSignal) => {
    signals.push(signal)
    return promise
  }
  return { signals, work, resolve, reject }
}

test('goes on while nobody waits, is made once, and tells of its end', async () => {
  const calls = new LongCalls({ clock: new FakeClock() })
  const ended: string[] = []
  calls.onEnd = (key) => ended.push(key)
  const call = aCall()
  calls.begin('a', 'pull', call.work)
  calls.begin('a', 'pull', call.work)
  expect(calls.of('a')).toEqual({ what: 'pull', is: 'under way' })
  call.resolve('image')

  await until(
    'it to end',
    async () => ended.length,
    (count) => count === 1,
  )
  expect(calls.of('a')).toEqual({ what: 'pull', is: 'done', result: 'image' })
  expect(call.signals).toHaveLength(1)
})

test('says of what failed why, and what that was', async () => {
  const calls = new LongCalls({ clock: new FakeClock() })
  const call = aCall()
  calls.begin('a', 'pull', call.work)
  call.reject(new MachineError({ outcome: 'refused', message: 'no' }))

  await until(
    'it to end',
    async () => calls.of('a')?.is,
    (is) => is === 'failed',
  )
  expect(calls.of('a')).toMatchObject({ failure: { message: 'no', outcome: 'refused' } })
})

test('ends what another one takes the place of, and what is forgotten', async () => {
  const calls = new LongCalls({ clock: new FakeClock() })
  const [first, second] = [aCall(), aCall()]
  calls.begin('a', 'pull', first.work)
  calls.begin('a', 'install', second.work)
  first.resolve('too late')
  await Promise.resolve()
  expect([first.signals[0]?.aborted, calls.of('a')?.what]).toEqual([true, 'install'])
  calls.forget('a')

  expect([second.signals[0]?.aborted, calls.of('a')]).toEqual([true, undefined])
})

test('ends with the term of who leads, begins nothing after it, and again in the next one', async () => {
  const calls = new LongCalls({ clock: new FakeClock() })
  const [first, second, third] = [aCall(), aCall(), aCall()]
  const term = new AbortController()
  calls.during(term.signal)
  calls.begin('a', 'pull', first.work)
  await until(
    'it to begin',
    async () => first.signals.length,
    (count) => count === 1,
  )
  term.abort()
  calls.begin('a', 'pull', second.work)
  expect([first.signals[0]?.aborted, calls.of('a')]).toEqual([true, undefined])

  calls.during(new AbortController().signal)
  calls.begin('a', 'pull', third.work)
  await until(
    'it to begin again',
    async () => third.signals.length,
    (count) => count === 1,
  )
  expect(second.signals).toEqual([])
})

test('no more than some are made at once, and the next when one ends', async () => {
  const calls = new LongCalls({ clock: new FakeClock() })
  const all = Array.from({ length: 65 }, aCall)
  for (const [at, { work }] of all.entries()) calls.begin(`${at}`, 'pull', work)
  const begun = () => all.filter(({ signals }) => signals.length > 0).length
  await until(
    'the first to be made',
    async () => begun(),
    (count) => count === 64,
  )
  expect(calls.of('64')).toEqual({ what: 'pull', is: 'under way' })
  all[0]?.resolve('image')

  await until(
    'the last to be made',
    async () => begun(),
    (count) => count === 65,
  )
})

test('a machine that says no because it is at it is told from one that is not there yet', () => {
  const failed = (message: string) => ({
    ...{ what: 'install', is: 'failed' as const, at: new Date(0) },
    failure: { outcome: 'not-ready' as const, message },
  })

  expect(isStillAtIt(failed('another installation/upgrade is already in progress'))).toBe(true)
  expect(isStillAtIt(failed('connection refused'))).toBe(false)
})
