import { expect, test } from 'vitest'
import { definitionWithRules, largeObject } from './heavy-bodies.ts'

test('a definition has as many rules as were asked for', () => {
  const { definition, path } = definitionWithRules(7)

  expect(JSON.stringify(definition).match(/"rule":/g)).toHaveLength(7)
  expect(path).toBe('/apis/bench.example.com/v1/namespaces/default/heavies')
})

test('an object is about as large as was asked for, and no larger', () => {
  const { length } = JSON.stringify(largeObject(3_000_000))

  expect(length).toBeLessThanOrEqual(3_000_000)
  expect(length).toBeGreaterThan(2_990_000)
})
