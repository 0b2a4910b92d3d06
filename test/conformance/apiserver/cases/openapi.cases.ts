import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import type { Answer, Stage } from '#test/conformance/apiserver/stage.ts'
import { textAt } from '#test/conformance/apiserver/values.ts'

const GROUP = '/openapi/v3/apis/batch/v1'
const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'

/** The documents themselves are compared elsewhere: here it is how they are sent. */
const sized = (body: unknown): string => (body === '' ? 'nothing' : 'something')

interface Asking {
  method?: string
  accept?: string
  headers?: Record<string, string>
}

async function ask(stage: Stage, path: string, { method = 'GET', ...rest }: Asking = {}) {
  const answer = await stage.send({ method, path, ...rest }, sized)
  stage.note('how it can be cached', cachingOf(answer))
  return answer
}

function cachingOf({ headers }: Answer): unknown {
  const { etag, expires, vary, 'cache-control': control } = headers
  const days = expires && Math.round((Date.parse(expires) - Date.now()) / 86_400_000)
  return {
    ...{ etag: etag?.replace(/[0-9A-F]{128}/, '<hash>'), control },
    expires: days && days >= 365 && days <= 366 ? 'in a year' : expires,
    // Answers to who takes compressed ones vary by that, too: ours never are.
    vary: vary?.replace('Accept-Encoding, ', ''),
  }
}

const linkIn = ({ body }: Answer): string =>
  textAt(body, 'paths', 'apis/batch/v1', 'serverRelativeURL')

const caching: Case[] = [
  asking('a document by its hash', async (stage) => {
    const link = linkIn(await stage.quietly({ method: 'GET', path: '/openapi/v3' }))
    const { headers } = await ask(stage, link)
    await ask(stage, link, { method: 'HEAD' })
    await ask(stage, link, { headers: { 'if-none-match': headers.etag ?? '' } })
    await ask(stage, link, { headers: { 'if-none-match': `"x", W/${headers.etag}` } })
    await ask(stage, link, { headers: { 'if-none-match': '*' } })
    await ask(stage, link, { headers: { 'if-none-match': '"x"' } })
  }),
  asking('a document by another hash', async (stage) => {
    await ask(stage, `${GROUP}?hash=ABC`)
    await ask(stage, `${GROUP}?x=y&hash=ABC&timeout=3s`)
    await ask(stage, `${GROUP}?hash=ABC`, { headers: { 'if-none-match': '*' } })
    await ask(stage, '/openapi/v3/apis/nothing/v1?hash=ABC')
  }),
  asking('a document without a hash', async (stage) => {
    for (const path of [GROUP, `${GROUP}?hash=`]) {
      const { headers } = await ask(stage, path)
      await ask(stage, path, { headers: { 'if-none-match': headers.etag ?? '' } })
    }
    // It changes with every kind that other cases define: whatever it is.
    for (const path of ['/openapi/v2', '/openapi/v2?hash=ABC']) {
      await ask(stage, path)
      await ask(stage, path, { headers: { 'if-none-match': '*' } })
    }
  }),
  asking('the index is not cached', async (stage) => {
    await ask(stage, '/openapi/v3')
    await ask(stage, '/openapi/v3', { headers: { 'if-none-match': '"x"' } })
  }),
]

const mediaTypes: Case[] = [
  asking('media types that are not spoken', async (stage) => {
    for (const accept of ['application/yaml', 'text/html', 'text/*', 'image/png, text/plain']) {
      for (const path of [GROUP, `${GROUP}?hash=ABC`, '/openapi/v2']) {
        await ask(stage, path, { accept })
      }
    }
    await ask(stage, '/openapi/v3', { accept: 'application/yaml' })
    await ask(stage, '/openapi/v2', { accept: 'garbage' })
    await ask(stage, '/openapi/v3/apis/nothing/v1', { accept: 'text/html' })
  }),
  asking('media types of which one is spoken', async (stage) => {
    for (const accept of ['application/*', '*/json', 'text/html, */*;q=0.1', '']) {
      await ask(stage, GROUP, { accept })
      await ask(stage, '/openapi/v2', { accept })
    }
  }),
  asking('OpenAPI v2 as protobuf', async (stage) => {
    await ask(stage, '/openapi/v2', { accept: V2_PROTOBUF })
    await ask(stage, '/openapi/v2', { accept: V2_PROTOBUF.replace('@', '.') })
    await ask(stage, '/openapi/v2', { accept: `application/json, ${V2_PROTOBUF}` })
    await ask(stage, '/openapi/v2', { accept: `application/json;q=0.5, ${V2_PROTOBUF}` })
  }),
  asking('OpenAPI v3 as protobuf', async (stage) => {
    await ask(stage, GROUP, { accept: V2_PROTOBUF.replace('v2', 'v3') })
  }),
  asking('nothing is there', async (stage) => {
    for (const path of ['/openapi', '/openapi/v9', '/openapi/v2/', '/openapi/v3/', `${GROUP}/`]) {
      await ask(stage, path)
    }
  }),
]

export const openapiCases: Subject = {
  subject: 'openapi',
  cases: [...caching, ...mediaTypes].map((one) => ({ ...one, alone: true as const })),
}
