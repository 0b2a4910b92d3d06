import { expect, test } from 'vitest'
import { shareRuns } from './share-runs.ts'

function aWork() {
  const runs: {
    signal: AbortSignal
    finish: (result: string) => void
    fail: (why: Error) => void
  }[] = []
  const ask = shareRuns(
    (signal) =>
      new Promise<string>((finish, fail) => {
        runs.push({ signal, finish, fail })
      }),
  )
  return { runs, ask }
}

test('those who ask at the same time share one run, those who ask later get another', async () => {
  const { runs, ask } = aWork()
  const { signal } = new AbortController()

  const both = [ask(signal), ask(signal)]
  runs[0]?.finish('first')
  expect(await Promise.all(both)).toEqual(['first', 'first'])

  const later = ask(signal)
  runs[1]?.finish('second')
  expect(await later).toBe('second')
  expect(runs).toHaveLength(2)
})

test('a failure reaches all, and the next one may try again', async () => {
  const { runs, ask } = aWork()
  const { signal } = new AbortController()

  const both = Promise.allSettled([ask(signal), ask(signal)])
  runs[0]?.fail(new Error('broken'))

  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const again = ask(signal)
  runs[1]?.finish('mended')
  expect(await again).toBe('mended')
})

test('one who leaves does not stop the run of those who stay', async () => {
  const { runs, ask } = aWork()
  const leaving = new AbortController()
  const left = ask(leaving.signal)
  const stayed = ask(new AbortController().signal)

  leaving.abort(new Error('enough'))
  await expect(left).rejects.toThrow('enough')
  expect(runs[0]?.signal.aborted).toBe(false)

  runs[0]?.finish('done')
  expect(await stayed).toBe('done')
})

test('the run is stopped when the last has left, and nobody joins it then', async () => {
  const { runs, ask } = aWork()
  const leaving = new AbortController()
  const left = ask(leaving.signal)

  leaving.abort(new Error('enough'))
  await expect(left).rejects.toThrow('enough')
  expect(runs[0]?.signal.aborted).toBe(true)

  const fresh = ask(new AbortController().signal)
  runs[0]?.fail(new Error('stopped'))
  runs[1]?.finish('fresh')
  expect(await fresh).toBe('fresh')
})
