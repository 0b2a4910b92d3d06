import { expect, test } from 'vitest'
import { Deeds, deedsOtherwise } from './deeds.ts'

const at = new Date(0)
const happening = (machine: string, what: string) => ({ at, machine, what })
const ONE = { name: 'one', addresses: ['a', 'b'] }

test('what happens is counted once, though the history is told again and forgets its beginning', () => {
  const deeds = new Deeds()
  const [installs, boots, begins] = [
    happening('a', 'installs v1.13.0'),
    happening('a', 'boots v1.13.0'),
    happening('a', 'bootstraps etcd'),
  ]
  deeds.note([installs])
  deeds.note([installs, boots])
  deeds.note([boots, begins])

  expect(deeds.counts).toEqual({ a: { installed: 1, begun: 1, reset: 0 } })
})

test('a cluster that was begun once, on machines that were installed once, is as it should be', () => {
  const counts = {
    a: { installed: 1, begun: 1, reset: 0 },
    b: { installed: 1, begun: 0, reset: 0 },
  }

  expect(deedsOtherwise([ONE], counts)).toEqual([])
})

test('what was done twice, never, or to be undone is named', () => {
  const counts = {
    a: { installed: 2, begun: 1, reset: 0 },
    b: { installed: 1, begun: 1, reset: 1 },
  }

  expect(deedsOtherwise([ONE, { name: 'two', addresses: ['c'] }], counts)).toEqual([
    'one was begun 2 times',
    'a was installed 2 times',
    'b was reset 1 times',
    'two was begun 0 times',
    'c was installed 0 times',
  ])
})
