import { expect, test } from 'vitest'
import { errorText } from './error-list.ts'

test('one error is told as one', () => {
  expect(errorText(['a'])).toBe('1 error occurred:\n\t* a\n\n')
})

test('several are counted, and one may hold several of its own', () => {
  expect(errorText([`v1alpha1.Config: ${errorText(['a'])}`, 'b'])).toBe(
    '2 errors occurred:\n\t* v1alpha1.Config: 1 error occurred:\n\t* a\n\n\n\t* b\n\n',
  )
})
