import { describe, expect, it } from 'vitest'
import type { Answer } from './answer.ts'
import { documentsOf } from './documents.ts'

const answer = (body: string): Answer => ({ code: 200, body })

const documents = documentsOf({
  kinds: { all: [] } as never, // only its list is read
  checks: [{ name: 'ping' }],
  fixed: {
    '/version': () => ({ code: 200, body: '{}', contentType: 'application/json' }),
    '/keys': () => ({ code: 200, body: '{}', contentType: 'application/jwk-set+json' }),
  },
  openapi: () => answer('openapi'),
  discovery: ({ path }) => (path === '/apis' ? answer('discovery') : undefined),
})

const ask = async (path: string, rest: { method?: string; accept?: string } = {}) =>
  documents({ method: 'GET', accept: '*/*', query: new URLSearchParams(), path, ...rest })

describe('documents', () => {
  it('are found by their paths', async () => {
    expect((await ask('/version'))?.body).toBe('{}')
    expect((await ask('/version/'))?.body).toBe('{}')
    expect((await ask('/readyz'))?.body).toBe('ok')
    expect((await ask('/openapi/v3'))?.body).toBe('openapi')
    expect((await ask('/apis'))?.body).toBe('discovery')
    expect(await ask('/nothing')).toBeUndefined()
    expect((await ask('/version/nothing'))?.code).toBe(404)
  })

  it('at fixed paths are read by GET alone', async () => {
    for (const method of ['HEAD', 'POST', 'DELETE']) {
      expect((await ask('/version', { method }))?.code).toBe(405)
    }
    expect((await ask('/readyz', { method: 'POST' }))?.code).toBe(200)
  })

  it('at fixed paths are of one media type', async () => {
    expect((await ask('/version', { accept: 'application/yaml' }))?.code).toBe(406)
    expect((await ask('/version', { accept: 'text/html, application/json;v=1' }))?.code).toBe(200)
    expect((await ask('/version', { accept: '' }))?.code).toBe(200)
    expect(await ask('/keys', { accept: 'application/json' })).toMatchObject({
      code: 406,
      body: {
        message: '406: Not Acceptable\n\nAvailable representations: application/jwk-set+json',
      },
    })
  })

  it('are listed at the root', async () => {
    const { paths } = JSON.parse(String((await ask('/'))?.body))

    expect(paths).toContain('/version')
    expect(paths).toContain('/readyz/ping')
    expect(paths).toEqual(paths.toSorted())
    expect(await ask('/index.html')).toEqual(await ask('/'))
  })
})
