import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { parseObject, readText, refusal } from './http-json.ts'

const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: Readable.from([]),
})

test('a refusal has the server’s reason, sentence and fields', () => {
  const status = {
    kind: 'Status',
    reason: 'Invalid',
    message: 'TalosWorker "a" is invalid',
    details: {
      name: 'a',
      causes: [{ reason: 'FieldValueRequired', field: 'spec.mode', message: 'Required' }],
    },
  }

  expect(refusal('create talosworkers a', answer(422), JSON.stringify(status))).toMatchObject({
    status: 422,
    reason: 'Invalid',
    message: 'could not create talosworkers a: TalosWorker "a" is invalid',
    objectName: 'a',
    causes: [{ reason: 'FieldValueRequired', field: 'spec.mode', message: 'Required' }],
    retryAfterMs: undefined,
  })
})

test.each([
  { what: 'HTML of a proxy', text: '<html>Bad Gateway</html>' },
  { what: 'nothing', text: '' },
  { what: 'JSON of something else', text: '["a"]' },
  { what: 'a Status of the wrong types', text: '{"message":7}' },
])('a refusal with $what still says what was tried and what came back', ({ text }) => {
  expect(refusal('get secrets a/b', answer(503), text)).toMatchObject({
    reason: 'ServiceUnavailable',
    message: 'could not get secrets a/b: ServiceUnavailable (HTTP 503)',
  })
})

test('how long to stay away is read from the header, or else from the body', () => {
  const body = JSON.stringify({ details: { retryAfterSeconds: 7 } })

  expect(refusal('x', answer(429, { 'retry-after': '3' }), body).retryAfterMs).toBe(3_000)
  expect(refusal('x', answer(429), body).retryAfterMs).toBe(7_000)
  expect(refusal('x', answer(429, { 'retry-after': 'Wed, 21 Oct' }), '').retryAfterMs).toBe(
    undefined,
  )
})

test('text in pieces is read as one, whatever the pieces cut through', async () => {
  const bytes = Buffer.from('日本')
  const body = Readable.from([bytes.subarray(0, 2), bytes.subarray(2)])

  expect(await readText({ status: 200, headers: {}, body })).toBe('日本')
})

test('what is not JSON is garbled', () => {
  expect(() => parseObject('{"a":')).toThrow('the answer of the API server is not JSON')
})
