import { expect, test } from 'vitest'
import { atOnce } from './steps.ts'
import { bytesInSteps, utf8InSteps } from './utf8-text.ts'

const LETTERS = ['a', 'é', '€', '😀']

test.each(LETTERS)('text of many %s is the same in pieces, wherever it is cut', (letter) => {
  for (const before of ['', 'x', 'xx', 'xxx']) {
    const text = before + letter.repeat(300_000)
    const bytes = Buffer.from(text)
    expect(atOnce(utf8InSteps(bytes)) === text).toBe(true)
    expect(
      Buffer.concat(atOnce(bytesInSteps([text, text]))).equals(Buffer.concat([bytes, bytes])),
    ).toBe(true)
  }
})

test.each([
  ['nothing but bytes that continue a letter', [0x80]],
  ['letters that are broken off', [0xf0, 0x9f]],
  ['a letter with more bytes than it has', [0xe2, 0x82, 0xac, 0x80, 0x80, 0x80]],
])('%s are read as they are at once', (_, pattern) => {
  const bytes = Buffer.alloc(600_001, Buffer.from(pattern))

  expect(atOnce(utf8InSteps(bytes)) === bytes.toString()).toBe(true)
})

test.each([
  () => utf8InSteps(Buffer.alloc(3_000_000, 'x')),
  () => bytesInSteps(Array.from({ length: 12 }, () => 'x')),
])('there are pauses: case %#', (begin) => {
  const steps = begin()
  let pauses = 0
  while (!steps.next().done) pauses++

  expect(pauses).toBeGreaterThan(10)
})
