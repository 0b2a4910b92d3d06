import { expect, test } from 'vitest'
import { foldLine } from './fold-line.ts'

const words = (length: number): string => 'x'.repeat(length)

test.each([
  ['what fits stays', 0, [`${words(78)} b`]],
  ['up to 80 letters may stand before a space', 0, [`${words(80)} b`, 'c']],
  ['a line ends at the first space beyond 80', 0, [words(81), 'b c']],
  ['the column counts', 10, [words(71), 'b c']],
  ['letters of two places count once', 0, [`${'😀'.repeat(80)} b`, 'c']],
  ['several spaces stay', 0, [`${words(90)}  b  c`, 'd']],
  ['spaces at the ends stay', 90, [` ${words(90)} `]],
  ['what is quoted twice stays', 0, [`"${words(90)} b"`]],
])('%s', (_title, column, lines) => {
  expect(foldLine(lines.join(' '), '', column)).toBe(lines.join('\n'))
})

test('further lines are indented, which counts', () => {
  const folded = foldLine(`${words(81)} ${words(77)} b c`, '    ', 0)

  expect(folded).toBe(`${words(81)}\n    ${words(77)}\n    b c`)
})
