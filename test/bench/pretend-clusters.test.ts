import { expect, test } from 'vitest'
import { loopback } from './pretend-clusters.ts'

test('addresses follow one another as those of simulate do, over the end of a byte', () => {
  expect(loopback(51, 0, 2)).toEqual(['127.51.0.1', '127.51.0.2'])
  expect(loopback(51, 254, 3)).toEqual(['127.51.0.255', '127.51.1.0', '127.51.1.1'])
})
