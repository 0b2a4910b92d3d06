import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { ApiFailure } from '#apiserver/failure.ts'
import { Pace } from '#apiserver/pace.ts'
import { systemClock } from '#base/clock.ts'
import { type Answer, failureAnswerInTurns, type Style, send } from './answer.ts'

/** What an answer looks like to a client. */
function sent(answer: Answer, style: Partial<Style> = {}) {
  let text = ''
  let headers: unknown
  const response = {
    writeHead: (_code: number, given: unknown) => {
      headers = given
    },
    end: (bytes: Buffer) => {
      text = bytes.toString()
    },
  } as unknown as ServerResponse // as much of one as is used
  send(response, answer, { syntax: 'json', isPretty: false, ...style })
  return { text, headers }
}

const object = { kind: 'Thing' }
const bytes = Buffer.from('{"kind":"Thing"}')

test('objects are lines of JSON, as they are or as they are stored', () => {
  expect(sent({ code: 200, body: object }).text).toBe('{"kind":"Thing"}\n')
  expect(sent({ code: 200, body: bytes }).text).toBe('{"kind":"Thing"}\n')
  expect(sent({ code: 200, body: Buffer.from('{}\n') }).text).toBe('{}\n')
})

test('people get them indented, or as YAML', () => {
  for (const body of [object, bytes]) {
    expect(sent({ code: 200, body }, { isPretty: true }).text).toBe('{\n  "kind": "Thing"\n}')
    expect(sent({ code: 200, body }, { syntax: 'yaml' })).toMatchObject({
      text: 'kind: Thing\n',
      headers: { 'content-type': 'application/yaml' },
    })
  }
})

test('bytes of another media type are sent as they are', () => {
  const answer = { code: 200, body: Buffer.from('\x03'), contentType: 'application/protobuf' }

  for (const style of [{}, { isPretty: true }, { syntax: 'yaml' as const }]) {
    expect(sent(answer, style)).toMatchObject({
      text: '\x03',
      headers: { 'content-type': 'application/protobuf', 'content-length': 1 },
    })
  }
})

test('what a client has already is not described', () => {
  const { headers } = sent({ code: 304, body: '', headers: { etag: '"a"' } })

  expect(headers).toEqual({ 'cache-control': 'no-cache, private', etag: '"a"' })
})

test('what tells of very much is written down in turns, as it would be at once', async () => {
  const causes = Array.from({ length: 30_000 }, (_, at) => ({ reason: 'x', field: `.a${at}` }))
  const failure = new ApiFailure(409, 'é'.repeat(300_000), {
    reason: 'Conflict',
    details: { causes },
  })
  const { code, body } = await failureAnswerInTurns(failure, new Pace(systemClock))

  expect(code).toBe(409)
  expect(Buffer.isBuffer(body) && body.toString() === JSON.stringify(failure.status)).toBe(true)
})
