import { describe, expect, it } from 'vitest'
import { openapiAnswer, openapiFormFor } from './openapi-answer.ts'

const document = { body: Buffer.from('{}'), contentType: 'application/json', etag: 'ABC' }
const NOW = new Date('2024-02-29T10:00:00Z')
const PATH = '/openapi/v3/apis/batch/v1'

interface Asking {
  path?: string
  hash?: string
  has?: string
  method?: string
}

const ask = ({ path = PATH, hash, has, method = 'GET' }: Asking) => {
  const query = new URLSearchParams(hash === undefined ? {} : { hash })
  const known = has === undefined ? {} : { ifNoneMatch: has }
  return openapiAnswer(document, { method, path, query, accept: '', ...known }, NOW)
}

describe('a document of OpenAPI', () => {
  it('may be kept for good by who finds it by its hash', () => {
    expect(ask({ hash: 'ABC' })).toMatchObject({
      code: 200,
      headers: {
        etag: '"ABC"',
        vary: 'Accept',
        'cache-control': 'public, immutable',
        expires: 'Sat, 01 Mar 2025 10:00:00 GMT',
      },
    })
    for (const asking of [{}, { hash: '' }, { path: '/openapi/v2', hash: 'ABC' }]) {
      expect(ask(asking).headers).toEqual({ etag: '"ABC"', vary: 'Accept' })
    }
  })

  it('is elsewhere for who has another hash, but in version 2', () => {
    for (const has of [undefined, '"ABC"']) {
      expect(ask({ hash: 'OLD', ...(has && { has }) })).toMatchObject({
        code: 301,
        body: '',
        contentType: 'application/json',
        headers: { location: `${PATH}?hash=ABC` },
      })
    }
    expect(ask({ path: '/openapi/v2', hash: 'OLD' }).code).toBe(200)
  })

  it('is not sent to who has it', () => {
    for (const has of ['"ABC"', 'W/"ABC"', '"x", "ABC"', '*']) {
      expect(ask({ has })).toMatchObject({ code: 304, body: '', headers: { etag: '"ABC"' } })
      expect(ask({ has, hash: 'ABC' }).headers).toHaveProperty('expires')
    }
    expect(ask({ has: '"ABC"', method: 'HEAD' }).code).toBe(304)
    for (const has of ['ABC', '"AB"', '']) expect(ask({ has }).code).toBe(200)
    expect(ask({ has: '*', method: 'POST' }).code).toBe(200)
  })
})

describe('the form of a document of OpenAPI', () => {
  const PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'

  it.each(['', '*/*', 'application/*', '*/json', 'text/html, */*;q=0.1', 'application/json;q=x'])(
    'is JSON for who takes "%s"',
    (accept) => {
      expect(openapiFormFor(accept, 'v2')).toBe('json')
      expect(openapiFormFor(accept, 'v3')).toBe('json')
    },
  )

  it('is the one that is liked best', () => {
    expect(openapiFormFor(PROTOBUF, 'v2')).toBe('protobuf')
    expect(openapiFormFor(PROTOBUF.replace('@', '.'), 'v2')).toBe('protobuf')
    expect(openapiFormFor(`application/json, ${PROTOBUF}`, 'v2')).toBe('json')
    expect(openapiFormFor(`application/json;q=0.5, ${PROTOBUF}`, 'v2')).toBe('protobuf')
  })

  it('is none for who takes nothing that there is', () => {
    for (const accept of ['application/yaml', 'text/*', 'json', 'a/b/c', PROTOBUF]) {
      expect(openapiFormFor(accept, 'v3')).toBeUndefined()
    }
  })
})
