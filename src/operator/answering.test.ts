import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { Answering } from './answering.ts'

function aFolder() {
  const clock = new FakeClock()
  const folder = new Answering({ what: 'the folder', limitMs: 5_000, clock })
  return { clock, folder }
}

test('what answers in time is told on, and leaves nothing behind', async () => {
  const { clock, folder } = aFolder()

  expect(await folder.within(async () => 7)).toBe(7)
  await expect(folder.within(() => Promise.reject(new Error('full')))).rejects.toThrow('full')
  expect(clock.waiting).toBe(0)
})

test('what hangs is not waited for, and nothing more is asked before it has answered', async () => {
  const { clock, folder } = aFolder()
  const asked: string[] = []
  let answer: (() => void) | undefined
  const hanging = folder.within(() => new Promise<void>((resolve) => (answer = resolve)))
  const told = expect(hanging).rejects.toThrow('the folder does not answer within 5 s')
  await clock.advance(5_000)
  await told
  const ask = () => folder.within(async () => asked.push('again'))
  await expect(ask()).rejects.toThrow('does not answer')

  expect(asked).toEqual([])
  answer?.()
  await clock.advance(0)
  await ask()
  expect(asked).toEqual(['again'])
})
