import { expect, test } from 'vitest'
import { newDocument } from './new-document.ts'

test('a kind that is not in the table is a mistake in the program', () => {
  expect(() => newDocument('Nonsense', {})).toThrow(
    'there is no kind of document called "Nonsense"',
  )
})
