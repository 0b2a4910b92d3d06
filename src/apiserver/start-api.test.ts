import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { TLSSocket } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { anApi } from '#test/an-api.ts'
import { connect } from '#test/conformance/kubernetes/https-json.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { callRaw } from '#test/raw-client.ts'
import { until } from '#test/until.ts'
import { filesInMemory } from './security/key-files.ts'
import { startApi } from './start-api.ts'
import { memoryBackend } from './store/backends/memory.ts'
import type { Group } from './store/store.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const WRITERS = Array.from({ length: 50 }, (_, index) => `w${index}`)

const DAY_MS = 24 * 3_600_000

const nothing = () => undefined
const log: Log = { error: nothing, warn: nothing, info: nothing, debug: nothing, with: () => log }

const versionOf = (body: unknown): number => Number(Object(body).metadata.resourceVersion)

test('after a restart everything is there, versions go on, and older ones are gone', async () => {
  const backend = memoryBackend()
  const before = await anApi({ backend })
  const { body: old } = await before.send({ method: 'GET', path: MAPS })
  const made = await before.send({ method: 'POST', path: MAPS, body: { metadata: { name: 'a' } } })
  await before[Symbol.asyncDispose]()

  await using after = await anApi({ backend })
  const { body: found } = await after.send({ method: 'GET', path: `${MAPS}/a` })
  const next = await after.send({ method: 'POST', path: MAPS, body: { metadata: { name: 'b' } } })
  const query = `watch=true&resourceVersion=${versionOf(old)}`
  const watch = await callRaw(after.kubeconfig, { path: `${MAPS}?${query}` })
  await watch.ended

  expect(found).toEqual(made.body)
  expect(versionOf(next.body)).toBeGreaterThan(versionOf(made.body))
  expect(watch.lines).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }])
})

test('while nothing can be kept, writes fail, reads go on, and the health says so', async () => {
  let isFull = false
  const memory = memoryBackend()
  const full = () => Promise.reject(new Error('No space left on device'))
  const backend = { ...memory, commit: (group: Group) => (isFull ? full() : memory.commit(group)) }
  const errors: unknown[] = []
  await using api = await startApi({
    ...{ backend, clock: systemClock, address: { host: '127.0.0.1', port: 0 } },
    keyFiles: filesInMemory(),
    log: { ...log, error: (_, fields) => errors.push(fields?.error) },
  })
  const { certificate, key } = api.keys.admin
  const send = connect(api.url, api.keys.authority, { certificate, key: key.open() })
  const get = (path: string) => send({ method: 'GET', path })
  const create = () => send({ method: 'POST', path: MAPS, body: { metadata: { name: 'a' } } })
  isFull = true

  const refused = await create()
  const why = 'the change could not be kept: No space left on device'
  const ill = await Promise.all(
    ['/healthz', '/livez', '/readyz', '/livez/ping', '/readyz/etcd'].map(get),
  )
  const reading = await get(`${MAPS}/a`)
  isFull = false
  const taken = await create()
  const well = await get('/readyz?verbose')

  expect(refused).toMatchObject({
    status: 500,
    body: { reason: 'InternalError', message: `Internal error occurred: ${why}` },
  })
  expect(ill.map(({ status }) => status)).toEqual([500, 500, 500, 200, 500])
  expect(ill[2]?.body).toContain('[-]etcd failed: reason withheld')
  expect(ill[4]?.body).toBe(`internal server error: ${why}\n`)
  expect(errors).toContain(why)
  expect([reading.status, taken.status, well.status]).toEqual([404, 201, 200])
  expect(well.body).toContain('[+]etcd ok')
})

describe('fifty writers of one object', () => {
  test('all get through by patches, and one of them by a version that all have read', async () => {
    await using api = await anApi()
    const path = `${MAPS}/contested`
    const { body } = await api.send({
      method: 'POST',
      path: MAPS,
      body: { metadata: { name: 'contested' } },
    })
    const merge = (writer: string) =>
      api.send({
        method: 'PATCH',
        path,
        contentType: 'application/merge-patch+json',
        body: { data: { [writer]: 'was here' } },
      })
    const replace = (writer: string, read: unknown) =>
      api.send({ method: 'PUT', path, body: { ...Object(read), data: { [writer]: 'alone' } } })

    const puts = await Promise.all(WRITERS.map((writer) => replace(writer, body)))
    const patches = await Promise.all(WRITERS.map(merge))

    expect(puts.map(({ status }) => status).sort()).toEqual([
      200,
      ...WRITERS.slice(1).map(() => 409),
    ])
    expect(patches.every(({ status }) => status === 200)).toBe(true)
    const { body: last } = await api.send({ method: 'GET', path })
    expect(Object(last).data).toEqual(
      Object.fromEntries(WRITERS.map((writer) => [writer, 'was here'])),
    )
  })

  test('each own what they apply, and one of them owns what all want', async () => {
    await using api = await anApi()
    const apply = (writer: string, data: object) =>
      api.send({
        method: 'PATCH',
        path: `${MAPS}/applied?fieldManager=${writer}`,
        contentType: 'application/apply-patch+yaml',
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'applied' }, data },
      })

    const own = await Promise.all(WRITERS.map((writer) => apply(writer, { [writer]: '' })))
    const wanted = await Promise.all(
      WRITERS.map((writer) => apply(writer, { [writer]: '', wanted: writer })),
    )

    expect(own.every(({ status }) => status < 300)).toBe(true)
    expect(wanted.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(wanted.filter(({ status }) => status === 409)).toHaveLength(WRITERS.length - 1)
    const { body } = await api.send({ method: 'GET', path: `${MAPS}/applied` })
    expect(Object.keys(Object(body).data)).toHaveLength(WRITERS.length + 1)
    expect(Object(body).metadata.managedFields).toHaveLength(WRITERS.length)
  })
})

test('nobody gets in by resuming a session that had no certificate', async () => {
  await using api = await anApi()
  const agent = new Agent({ ca: api.ca, maxVersion: 'TLSv1.3' })
  const visit = async () => {
    const outgoing = request(new URL(MAPS, api.url), { agent }).end()
    const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
    const { socket } = outgoing
    const isResumed = socket instanceof TLSSocket && socket.isSessionReused()
    incoming?.resume()
    await once(outgoing, 'close')
    return { status: incoming?.statusCode, isResumed }
  }

  expect(await visit()).toEqual({ status: 403, isResumed: false })
  expect(await visit()).toEqual({ status: 403, isResumed: true })
})

test('a body that is too large is refused, and the API goes on', async () => {
  await using api = await anApi()
  const data = { a: 'x'.repeat(3 * 1024 * 1024) }
  const body = { metadata: { name: 'large' }, data }

  const { status } = await api.send({ method: 'POST', path: MAPS, body })

  expect(status).toBe(413)
  expect((await api.send({ method: 'GET', path: `${MAPS}/large` })).status).toBe(404)
})

test.each([
  ['/api/v1/namespaces/default/configmaps/%zz', 400],
  ['/api/v1/namespaces/default/configmaps/a/b/c/d', 404],
  ['/apis//v1/things', 404],
  ['/api/v1/namespaces/default/configmaps/..%2f..%2fsecrets', 404],
  ['/api/v1/configmaps/a', 404],
  ['/apis/__proto__/constructor/toString/valueOf', 404],
])('a path that makes no sense, such as %s, is answered with %i', async (path, status) => {
  await using api = await anApi()

  const answer = await callRaw(api.kubeconfig, { path })

  expect(answer.status).toBe(status)
})

test('discovery is there after any number of questions about what is not', {
  timeout: 30_000,
}, async () => {
  await using api = await anApi()
  const ask = (path: string) => api.send({ method: 'GET', path })

  for (let count = 0; count < 1_100; count++) await ask(`/apis/nothing-${count}.example`)

  expect((await ask('/apis/apps/v1')).status).toBe(200)
})

test('whoever cannot have the folder leaves its keys alone', async () => {
  const written: string[] = []
  const keyFiles = {
    read: async () => undefined,
    write: async (name: string) => void written.push(name),
  }
  const backend = {
    ...memoryBackend(),
    load: () => Promise.reject(new Error('in use by another process')),
  }
  const options = { backend, keyFiles, log, clock: systemClock, address: { port: 0 } }

  await expect(startApi(options)).rejects.toThrow('in use by another process')
  expect(written).toEqual([])
})

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
])('an API that listens on %s is called at %s', async (host, called) => {
  await using api = await startApi({
    ...{ backend: memoryBackend(), keyFiles: filesInMemory(), log, clock: systemClock },
    address: { host, port: 0 },
  })

  expect(api.url).toMatch(`https://${called}:`)
})

test('when half of their life is over certificates are replaced, and whoever uses them is told', async () => {
  const clock = new FakeClock()
  const renewed: string[] = []
  await using api = await startApi({
    backend: memoryBackend(),
    keyFiles: filesInMemory(),
    address: { host: '127.0.0.1', port: 0 },
    clock,
    log,
    onRenewed: async ({ admin }) => void renewed.push(admin.certificate),
  })
  const halfOfLife = api.keys.renewAt.getTime() - clock.now().getTime()

  await clock.advance(DAY_MS)
  clock.jump(halfOfLife - 3 * DAY_MS)
  await clock.advance(DAY_MS)
  expect(renewed).toEqual([])
  await clock.advance(2 * DAY_MS)

  await until('new certificates', async () => renewed.length, Boolean)
  expect(renewed).not.toContain(api.keys.admin.certificate)
})
