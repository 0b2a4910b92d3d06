import { expect, test } from 'vitest'
import { ACTIONS, requestFor } from './numbered-request.ts'

const parts = (bytes: Buffer): string[] => bytes.toString().split('\r\n\r\n')

test('a creation has the numbers where its name and its version are', () => {
  const [head = '', body = ''] = parts(requestFor('create', 'here').with(7, 12_345))

  expect(head).toMatch(/^POST \/api\/v1\/namespaces\/here\/configmaps HTTP\/1.1\r\n/)
  expect(JSON.parse(body)).toMatchObject({
    metadata: { name: 'bench-00000007', labels: { number: '00000007' } },
    data: { version: '00012345' },
  })
})

test('a request can be sent with other numbers', () => {
  const request = requestFor('patch', 'here')
  request.with(99_999_999, 1)

  const [head = '', body] = parts(request.with(8, 2))
  expect(head).toContain('configmaps/bench-00000008 HTTP')
  expect(body).toBe('{"data":{"version":"00000002"}}')
})

test.each(ACTIONS)('the length of the body is as the head says: %s', (action) => {
  const [head = '', body = ''] = parts(requestFor(action, 'here').with(1, 2))

  const [, length = '0'] = /content-length: (\d+)/.exec(head) ?? []
  expect(Number(length)).toBe(body.length)
})
