import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { machineAt } from './machines.ts'

const SOME = [0, 7, 1_234, 49_999]

test.each(SOME)('machine %d is 4 KB of JSON', (index) => {
  const { length } = JSON.stringify(machineAt(index, '1000000000'))

  expect(length).toBeGreaterThan(4_000)
  expect(length).toBeLessThan(4_200)
})

test.each(SOME)('machine %d is one that the API would take', (index) => {
  const { spec, status } = machineAt(index, '1')

  expect([...Value.Errors(Machine.spec, spec)]).toEqual([])
  expect([...Value.Errors(Machine.status, status)]).toEqual([])
})

test('no two machines are the same, and each is the same every time', () => {
  const keys = Array.from({ length: 2_000 }, (_, index) => {
    const { namespace, name, uid } = machineAt(index * 25, '1').metadata
    return [`${namespace}/${name}`, uid]
  }).flat()

  expect(new Set(keys).size).toBe(keys.length)
  expect(machineAt(17, '1')).toEqual(machineAt(17, '1'))
})
