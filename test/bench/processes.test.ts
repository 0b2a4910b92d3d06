import { expect, test } from 'vitest'
import { statIn } from './processes.ts'

test('the group and the time of a program are read, whatever its name', () => {
  const text = '42 (a (b) c) S 1 40 40 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 11 0 1000 1 1 1'

  expect(statIn(text)).toEqual({ name: 'a (b) c', group: 40, cpuSeconds: 3 })
})
