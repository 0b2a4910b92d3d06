import { expect, test } from 'vitest'
import { type ErrorCode, errorCatalogue } from './error-catalogue.ts'
import { codeOf, messageOf, OperatorError } from './operator-error.ts'

test('a failure is tried again as the catalogue says, unless it says otherwise itself', () => {
  const retryOf = (code: ErrorCode, retry?: 'backoff' | 'never') =>
    new OperatorError(code, { message: 'no', ...(retry && { retry }) }).retry

  expect(retryOf('ValidationError')).toBe('never')
  expect(retryOf('UnknownError')).toBe('backoff')
  expect(retryOf('ValidationError', 'backoff')).toBe('backoff')
  expect(retryOf('UnknownError', 'never')).toBe('never')
})

test('a failure is an error with its message, its name and its cause', () => {
  const cause = new Error('ENOSPC')

  const error = new OperatorError('FileSystemError', { message: 'the disk is full', cause })

  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ name: 'OperatorError', message: 'the disk is full', cause })
  expect(`${error}`).toBe('OperatorError: the disk is full')
})

test.each([
  ['a failure of ours', new OperatorError('NotDeclared', { message: 'no' }), 'NotDeclared'],
  ['any other error', new TypeError('x is not a function'), 'UnknownError'],
  ['what only looks like ours', { code: 'NotDeclared', retry: 'never' }, 'UnknownError'],
  ['a system error', Object.assign(new Error('no'), { code: 'ENOENT' }), 'UnknownError'],
  ['nothing', undefined, 'UnknownError'],
])('the code of %s', (_what, thrown, code) => {
  expect(codeOf(thrown)).toBe(code)
})

test.each([
  ['an error', new Error('the disk is full'), 'the disk is full'],
  ['an error without a message', new RangeError(), 'RangeError'],
  ['text', 'the disk is full', 'the disk is full'],
  ['null', null, 'null'],
  ['a symbol', Symbol('odd'), 'Symbol(odd)'],
  ['an object of no kind', Object.create(null), 'something that is no error'],
  [
    'several errors, as of a host with two addresses',
    new AggregateError([new Error('connect ECONNREFUSED ::1:6443'), 'and 127.0.0.1:6443']),
    'connect ECONNREFUSED ::1:6443; and 127.0.0.1:6443',
  ],
  [
    'several errors with a message',
    new AggregateError([new Error('a')], 'both failed'),
    'both failed',
  ],
])('%s in words', (_what, thrown, words) => {
  expect(messageOf(thrown)).toBe(words)
})

test.each(Object.entries(errorCatalogue))(
  '%s can be a reason, and says what happened, why, and what to do',
  (code, { what, why, remedy }) => {
    expect(code).toMatch(/^[A-Z][A-Za-z]+$/)
    for (const sentence of [what, why, remedy]) expect(sentence).toMatch(/^[A-Z].*\.$/)
  },
)
