import { expect, test } from 'vitest'
import { RecentlyUsed } from './recently-used.ts'

test('what was not asked for the longest is forgotten first', () => {
  const known = new RecentlyUsed<number>(2)
  known.set('a', 1)
  known.set('b', 2)
  known.get('a')

  known.set('c', 3)

  expect(['a', 'b', 'c'].map((key) => known.get(key))).toEqual([1, undefined, 3])
})

test('what is set again takes no more room', () => {
  const known = new RecentlyUsed<number>(2)
  known.set('a', 1)
  known.set('b', 2)

  known.set('b', 3)

  expect(['a', 'b'].map((key) => known.get(key))).toEqual([1, 3])
})
