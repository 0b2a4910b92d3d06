import { expect, onTestFinished, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { systemClock } from '#base/clock.ts'
import { startAnsweringServer } from '#test/answering-server.ts'
import { until } from '#test/until.ts'
import { KubeClient } from './client.ts'
import { Informer } from './informer.ts'
import type { ReflectorState } from './reflector.ts'

const anObject = (name: string) => ({
  metadata: { namespace: 'default', name, uid: name, resourceVersion: '1' },
})

/** An informer of what a server answers to lists; watches stay open and say nothing, or end at once with a status. */
async function anInformer(
  list: (query: URLSearchParams) => { status?: number; body: object },
  options: { mayBeMissing?: boolean } = {},
  watched: () => number = () => 200,
) {
  const server = await startAnsweringServer(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'https://localhost')
    if (searchParams.has('watch')) {
      const status = watched()
      if (status === 200) return response.flushHeaders()
      return response.writeHead(status).end('{}')
    }
    const { status = 200, body } = list(searchParams)
    response.writeHead(status).end(JSON.stringify(body))
  })
  const client = new KubeClient({ access: server.access, clock: systemClock, userAgent: 'test' })
  const states: ReflectorState[] = []
  const informer = new Informer({
    client,
    clock: systemClock,
    kind: ConfigMap,
    labelSelector: 'a=b',
    timing: { backoff: { firstMs: 1, mostMs: 1 }, missingMs: 1 },
    ...options,
    onState: (state) => states.push(state),
  })
  const stop = new AbortController()
  const running = informer.run(stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await running
    client.close()
    await server[Symbol.asyncDispose]()
  })
  return { informer, states, asked: server.asked }
}

const inTime = () => AbortSignal.timeout(4_000)

test('objects of a built-in kind, which come without it, are told their kind', async () => {
  const { informer } = await anInformer(() => ({
    body: { metadata: { resourceVersion: '1' }, items: [anObject('a')] },
  }))

  await informer.whenSynced(inTime())

  expect(informer.cache.get('default/a')).toEqual({
    ...anObject('a'),
    apiVersion: 'v1',
    kind: 'ConfigMap',
  })
})

test('a list that expires between its pages again and again is read in one', async () => {
  const { informer, states, asked } = await anInformer((query) => {
    if (query.has('continue')) return { status: 410, body: { kind: 'Status', reason: 'Expired' } }
    const next = query.has('limit') ? { continue: 'more' } : {}
    const items = query.has('limit') ? [anObject('a')] : [anObject('a'), anObject('b')]
    return { body: { metadata: { resourceVersion: '1', ...next }, items } }
  })

  await informer.whenSynced(inTime())

  expect(informer.cache.values().map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
  expect(asked.filter((request) => !request.includes('watch='))).toHaveLength(5)
  expect(states[0]).toEqual({ state: 'listed', objects: 2, why: 'start' })
})

test('the first list is the start, however often it was tried', async () => {
  let tries = 0
  const { informer, states } = await anInformer(() => {
    tries += 1
    const body = { metadata: { resourceVersion: '1' }, items: [] }
    return { body: tries <= 2 ? { what: 'no list' } : body }
  })

  await informer.whenSynced(inTime())

  expect(states.map(({ state }) => state).slice(0, 3)).toEqual(['failed', 'failed', 'listed'])
  expect(states[2]).toMatchObject({ why: 'start' })
})

test('whoever waits for it may give up, and leaves the others waiting', async () => {
  const { informer } = await anInformer(() => ({ status: 500, body: {} }))
  const stop = new AbortController()
  const reason = new Error('enough')

  const waiting = informer.whenSynced(stop.signal)
  stop.abort(reason)

  await expect(waiting).rejects.toBe(reason)
  await expect(informer.whenSynced(stop.signal)).rejects.toBe(reason)
  expect(informer.hasSynced).toBe(false)
})

test('it tells how far the cache is: by the object, or by the list that it was in', async () => {
  const { informer, states } = await anInformer(() => ({
    body: { metadata: { resourceVersion: '10' }, items: [anObject('a')] },
  }))
  expect(informer.hasSeen('default/a', '1')).toBe(false)

  await informer.whenSynced(inTime())
  await until(
    'the watch',
    async () => states.map(({ state }) => state),
    (told) => told.includes('watching'),
  )

  const asked = ['1', '9', '10', '11', 'x'] as const
  expect(asked.filter((version) => informer.hasSeen('default/a', version))).toEqual([
    '1',
    '9',
    '10',
  ])
  expect(informer.hasSeen('default/gone', '9')).toBe(true)
  expect(states.map(({ state }) => state)).toEqual(['listed', 'watching'])
})

test('a kind that need not be served has no objects while it is not, and those that come once it is', async () => {
  let tries = 0
  const { informer, states } = await anInformer(
    () => {
      tries += 1
      const body = { metadata: { resourceVersion: '1' }, items: [anObject('a')] }
      return tries <= 3 ? { status: 404, body: {} } : { body }
    },
    { mayBeMissing: true },
  )

  await informer.whenSynced(inTime())
  expect(informer.cache.values()).toEqual([])
  await until(
    'the kind to be served',
    async () => informer.cache.size,
    (size) => size === 1,
  )

  expect(states.slice(0, 2)).toEqual([
    { state: 'missing' },
    { state: 'listed', objects: 1, why: 'start' },
  ])
})

test('what there is of a kind stays when it is said once not to be served, and goes when that is said again', async () => {
  const body = { metadata: { resourceVersion: '1' }, items: [anObject('a')] }
  const statuses = [404, 200]
  const { informer, states } = await anInformer(
    () => ({ body }),
    { mayBeMissing: true },
    () => statuses.shift() ?? 200,
  )
  await until(
    'the watch',
    async () => states.at(-1)?.state,
    (state) => state === 'watching',
  )
  expect(states.map(({ state }) => state)).toEqual(['listed', 'watching'])
  expect(informer.cache.size).toBe(1)

  const gone = [404, 404]
  const { informer: other, states: told } = await anInformer(
    () => ({ body }),
    { mayBeMissing: true },
    () => gone.shift() ?? 200,
  )
  await until(
    'the watch',
    async () => told.at(-1)?.state,
    (state) => state === 'watching',
  )
  expect(told.map(({ state }) => state)).toEqual(['listed', 'missing', 'listed', 'watching'])
  expect(other.cache.size).toBe(1)
})

test('a kind that has to be served is waited for', async () => {
  const { informer, states } = await anInformer(() => ({ status: 404, body: {} }))

  await until(
    'it was tried',
    async () => states.length,
    (tries) => tries > 1,
  )

  expect(informer.hasSynced).toBe(false)
  expect(states[0]).toMatchObject({ state: 'failed' })
})
