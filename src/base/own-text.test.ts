import { expect, test } from 'vitest'
import { heldBytes } from '#test/held-bytes.ts'
import { ownText } from './own-text.ts'

test.each(['', 'word', 'ü€😀', '\uD800 alone', 'line\nbreak "quoted" \u2028'])(
  'the text %j stays the same',
  (text) => {
    expect(ownText(text)).toBe(text)
  },
)

test('a document is not kept for a word of it', () => {
  const aDocument = (at: number) => Buffer.from(`${at} ${'x'.repeat(100_000)}`).toString()
  const words = (keep: (word: string) => string) => () =>
    Array.from({ length: 400 }, (_, at) => keep(aDocument(at).slice(0, 40)))

  // That they are kept otherwise shows that there is something to see.
  expect(heldBytes(words((word) => word))).toBeGreaterThan(32_000_000)
  expect(heldBytes(words(ownText))).toBeLessThan(2_000_000)
})
