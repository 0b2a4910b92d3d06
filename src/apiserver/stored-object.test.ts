import { expect, test } from 'vitest'
import type { Fields } from './objects.ts'
import { atOnce } from './steps.ts'
import { bytesOf, metadataInSteps, textInSteps, textOf } from './stored-object.ts'

const long = 'é😀'.repeat(100_000)
const many = Array.from({ length: 20_000 }, (_, at) => ({ name: `item-${at}` }))
const parts: Fields[] = [{}, { a: 1 }, { z: '😀', ä: [] }, { long }, { many, b: 2 }]
const nothing = Object.fromEntries(many.map(({ name }) => [name, undefined]))
parts.push(nothing)
const pairs = parts.flatMap((metadata) => parts.map((rest) => ({ metadata, rest })))

test('an object is written with its kind, version and revision first, however large it is', () => {
  for (const { metadata, rest } of pairs) {
    const object = { ...rest, metadata: { ...metadata, resourceVersion: '1' } }
    const text = textOf({ ...object, apiVersion: 'v1', kind: 'Kind' })

    const versioned = { resourceVersion: '77', ...metadata }
    const expected = { kind: 'Kind', apiVersion: 'v1', metadata: versioned, ...rest }
    expect(bytesOf(text, 77).toString() === JSON.stringify(expected)).toBe(true)
  }
})

test('a large object is written with pauses, and in pieces that are not large', () => {
  const steps = textInSteps({ kind: 'Kind', apiVersion: 'v1', metadata: {}, many, long })
  let pauses = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) pauses++

  expect(pauses).toBeGreaterThan(10)
  const { after } = step.value
  const lengths = typeof after === 'string' ? [] : after.map((one) => one.length)
  expect(lengths.length).toBeGreaterThan(10)
  expect(Math.max(...lengths)).toBeLessThan(1_000_000)
})

test('metadata is read with pauses, also past what is left out of it', () => {
  const object = { kind: 'Kind', apiVersion: 'v1', metadata: { managedFields: many, name: 'a' } }
  const value = bytesOf(textOf(object), 5)
  let pauses = 0
  const steps = metadataInSteps({ value })
  while (!steps.next().done) pauses++

  expect(pauses).toBeGreaterThan(10)
  expect(atOnce(metadataInSteps({ value }))).toEqual({ resourceVersion: '5', name: 'a' })
})
