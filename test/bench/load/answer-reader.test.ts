import { expect, test } from 'vitest'
import { type Answer, AnswerReader } from './answer-reader.ts'

const CREATED = 'HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello'
const CHUNKED =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA\r\n, you\r\nall\r\n0\r\n\r\n'
const REFUSED = 'HTTP/1.1 409 Conflict\r\ncontent-length: 8\r\n\r\nnot here'

function read(pieces: string[]): Answer[] {
  const answers: Answer[] = []
  const reader = new AnswerReader((answer) => answers.push(answer))
  for (const piece of pieces) reader.push(Buffer.from(piece))
  return answers
}

test('answers that come together are told apart', () => {
  expect(read([CREATED + CHUNKED + CREATED])).toEqual([
    { status: 201, bodyBytes: 5, words: '' },
    { status: 200, bodyBytes: 15, words: '' },
    { status: 201, bodyBytes: 5, words: '' },
  ])
})

test.each([CREATED, CHUNKED, REFUSED])('an answer may come byte by byte: %j', (text) => {
  expect(read([...text, ...text])).toEqual(read([text, text]))
})

test('an answer ends with its last byte, and not before', () => {
  for (const text of [CREATED, CHUNKED]) expect(read([text.slice(0, -1)])).toEqual([])
})

test('an answer without a body ends with its head', () => {
  expect(read(['HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'])).toHaveLength(1)
})

test('a refusal is told with its words', () => {
  expect(read([REFUSED])).toEqual([{ status: 409, bodyBytes: 8, words: 'not here' }])
})

test('what is no answer is refused', () => {
  expect(() => read(['HTTP/2 200\r\n\r\n'])).toThrow('no answer, but "HTTP/2 200"')
})
