import { expect, test } from 'vitest'
import { Slots } from './slots.ts'

const forever = new AbortController().signal

test('no more than so many are at work, and whoever came first goes first', async () => {
  const slots = new Slots({ atOnce: 2, perGroup: 2 })
  const order: string[] = []
  const first = await slots.take('a', forever)
  await slots.take('a', forever)
  const third = slots.take('a', forever).then(() => order.push('third'))
  const fourth = slots.take('b', forever).then(() => order.push('fourth'))

  first()
  await third

  expect(order).toEqual(['third'])
  expect(slots.waiting).toBe(1)
  void fourth
})

test('a group that has its share lets others pass', async () => {
  const slots = new Slots({ atOnce: 3, perGroup: 1 })
  await slots.take('dead', forever)
  void slots.take('dead', forever)

  await slots.take('alive', forever)

  expect(slots.waiting).toBe(1)
})

test('giving a slot back twice gives it back once', async () => {
  const slots = new Slots({ atOnce: 1, perGroup: 1 })
  const release = await slots.take('a', forever)
  release()
  await slots.take('a', forever)

  release()

  expect(slots.isFull).toBe(true)
})

test('whoever stops waiting is forgotten', async () => {
  const slots = new Slots({ atOnce: 1, perGroup: 1 })
  await slots.take('a', forever)
  const stop = new AbortController()
  const waiting = slots.take('a', stop.signal)

  stop.abort(new Error('enough'))

  await expect(waiting).rejects.toThrow('enough')
  expect(slots.waiting).toBe(0)
})
