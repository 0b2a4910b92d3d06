import { expect, test } from 'vitest'
import { compareCase, isGood, type Judged } from './run-cases.ts'

const answering = (body: unknown, step = 'GET /x'): Judged => ({
  play: async () => [{ step, body }],
  [Symbol.asyncDispose]: async () => {},
})

const one = { name: 'a case', play: async () => {} }
const marked = { ...one, differs: 'a reason' }

test('a case is good if both APIs answer the same', async () => {
  expect(isGood(await compareCase(answering(1), answering(1), one))).toBe(true)
  expect(isGood(await compareCase(answering(1), answering(2), one))).toBe(false)
})

test('a case that is said to differ is good only if it does', async () => {
  expect(isGood(await compareCase(answering(1), answering(2), marked))).toBe(true)
  expect(isGood(await compareCase(answering(1), answering(1), marked))).toBe(false)
})

test('a case that breaks off on both APIs is not good', async () => {
  const broken = answering('Error: no answer', 'the case broke off')

  expect(isGood(await compareCase(broken, broken, one))).toBe(false)
})
