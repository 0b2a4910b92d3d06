import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { Running } from './running.ts'

/** Work that ends when it is told to. */
function aWork() {
  let resolve = (_result: string) => {}
  let reject = (_error: Error) => {}
  const promise = new Promise<string>((...settle) => {
    ;[resolve, reject] = settle
  })
  return { work: () => promise, resolve, reject }
}

test('what has been under way for longest is known, with how long', async () => {
  const clock = new FakeClock()
  const running = new Running(clock)
  const [first, second] = [aWork(), aWork()]
  expect(running.longest).toBeUndefined()

  const firstDone = running.during('TalosMachine default/m1', first.work)
  await clock.advance(2_000)
  const secondDone = running.during('TalosMachine default/m2', second.work)
  await clock.advance(1_000)

  expect(running.longest).toEqual({ what: 'TalosMachine default/m1', forMs: 3_000 })
  first.resolve('done')
  expect(await firstDone).toBe('done')
  expect(running.longest).toEqual({ what: 'TalosMachine default/m2', forMs: 1_000 })
  second.resolve('done')
  await secondDone
  expect(running.longest).toBeUndefined()
})

test('two works of one name are two works', async () => {
  const running = new Running(new FakeClock())
  const [first, second] = [aWork(), aWork()]
  const dones = [running.during('pass', first.work), running.during('pass', second.work)]

  first.resolve('done')
  await dones[0]

  expect(running.longest).toMatchObject({ what: 'pass' })
  second.resolve('done')
  await dones[1]
})

test('work that fails is no longer under way', async () => {
  const running = new Running(new FakeClock())
  const { work, reject } = aWork()
  const done = running.during('pass', work)

  reject(new Error('broken'))

  await expect(done).rejects.toThrow('broken')
  expect(running.longest).toBeUndefined()
})
