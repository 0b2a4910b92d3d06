import { getEventListeners } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { onAbort } from './on-abort.ts'

test('calls back when the signal aborts, or at once if it has', () => {
  const called: string[] = []
  const stop = new AbortController()

  onAbort(stop.signal, () => called.push('later'))
  expect(called).toEqual([])
  stop.abort()
  onAbort(stop.signal, () => called.push('at once'))

  expect(called).toEqual(['later', 'at once'])
})

test('who has left is not called, and leaves nothing behind', () => {
  const called: string[] = []
  const stop = new AbortController()

  onAbort(stop.signal, () => called.push('left'))()
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  stop.abort()

  expect(called).toEqual([])
})

test('many may wait on one signal without a warning', async () => {
  const warnings: string[] = []
  const onWarning = ({ message }: Error) => warnings.push(message)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  const { signal } = new AbortController()

  for (let count = 0; count < 50; count++) onAbort(signal, () => {})
  // Node tells of a warning in the next turn.
  await new Promise((resolve) => setImmediate(resolve))

  expect(warnings).toEqual([])
})
