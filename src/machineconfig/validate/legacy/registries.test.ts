import { expect, test } from 'vitest'
import { registryProblems } from './registries.ts'

test('registries and mirrors are not null', () => {
  const registries = { config: { a: {}, b: null }, mirrors: { c: null, d: {} } }
  expect([...registryProblems({ registries })]).toEqual([
    'registries.config["b"] is null',
    'registries.mirrors["c"] is null',
  ])
  expect([...registryProblems({})]).toEqual([])
})
