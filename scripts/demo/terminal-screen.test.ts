import { expect, test } from 'vitest'
import { TerminalScreen } from './terminal-screen.ts'

const shown = (columns: number, ...written: string[]): string[] => {
  const screen = new TerminalScreen(columns)
  for (const text of written) screen.write(text)
  return screen.lines()
}

test('a table is drawn over itself', () => {
  const again = '\u001b[2Aab\u001b[K\r\nc\u001b[K\r\n\u001b[J'

  expect(shown(20, 'first\r\nsecond\r\n', again)).toEqual(['ab', 'c'])
})

test('what is below is erased', () => {
  expect(shown(20, 'a\r\nb\r\nc\r\n', '\u001b[3Ax\u001b[K\r\n\u001b[J')).toEqual(['x'])
})

test('a line that is too long goes on in the next one', () => {
  expect(shown(4, 'abcdef\r\ng')).toEqual(['abcd', 'ef', 'g'])
})

test('a sequence may come in pieces', () => {
  expect(shown(20, 'a\r\n\u001b', '[', '1', 'Ab')).toEqual(['b'])
})

test('what it does not know is an error, and not left out', () => {
  expect(() => shown(20, '\u001b[31mred')).toThrow('not known')
})
