import { afterEach, beforeEach, expect, test } from 'vitest'
import { anApi } from '#test/an-api.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { callRaw, type RawAnswer } from '#test/raw-client.ts'
import { until } from '#test/until.ts'
import { type MisbehavingApi, startMisbehaving } from './front.ts'

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/default/leases'

let clock: FakeClock
let api: MisbehavingApi
beforeEach(async () => {
  clock = new FakeClock()
  api = await startMisbehaving(() => anApi({ clock }))
})
afterEach(() => api[Symbol.asyncDispose]())

const get = (path: string) => api.send({ method: 'GET', path })
const create = (name: string) =>
  api.send({ method: 'POST', path: LEASES, body: { metadata: { name } } })
const versionOf = async (path: string): Promise<string> =>
  Object((await get(path)).body).metadata.resourceVersion
const watch = (query = '') =>
  callRaw(api.kubeconfig, { path: `${LEASES}?watch=true&allowWatchBookmarks=true&${query}` })
const seenIn = ({ lines }: RawAnswer): unknown[] =>
  lines.map((line) => {
    const { type, object } = Object(line)
    const { metadata = {}, reason } = Object(object)
    return type ? [type, metadata.name ?? reason].filter(Boolean).join(' ') : line
  })
const untilSeen = (stream: RawAnswer, ...seen: string[]) =>
  until(
    `${seen}`,
    async () => seenIn(stream),
    (now) => `${now}` === `${seen}`,
  )

test('a request is refused as often as asked, with the words of Kubernetes', async () => {
  const match = (method: string, path: string) => method === 'GET' && path.startsWith(LEASES)
  api.faults.answer({ match, status: 429, retryAfter: 7, times: 2 })

  const refused = await callRaw(api.kubeconfig, { path: LEASES })
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
  expect((await get(LEASES)).body).toMatchObject({
    kind: 'Status',
    reason: 'TooManyRequests',
    details: { retryAfterSeconds: 7 },
  })
  expect((await get(LEASES)).status).toBe(200)
})

test.each([
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [409, 'Conflict'],
  [410, 'Expired'],
  [500, 'InternalError'],
  [503, 'ServiceUnavailable'],
])('an answer of %i is called %s, until the fault is switched off', async (status, reason) => {
  const off = api.faults.answer({ status })

  expect(await create('one')).toMatchObject({ status, body: { code: status, reason } })
  off()
  expect((await create('one')).status).toBe(201)
})

test('an answer can be called something else', async () => {
  api.faults.answer({ status: 409, reason: 'AlreadyExists' })

  expect((await create('one')).body).toMatchObject({ reason: 'AlreadyExists' })
})

test('a slow server answers late, and an infinitely slow one never', async () => {
  const off = api.faults.delay((method) => method === 'GET', 200)
  const start = Date.now()
  expect((await get(LEASES)).status).toBe(200)
  expect(Date.now() - start).toBeGreaterThanOrEqual(190)
  off()

  api.faults.delay((_, path) => path.endsWith('/never'), Number.POSITIVE_INFINITY)
  const never = get(`${LEASES}/never`)
  expect((await get(`${LEASES}/other`)).status).toBe(404)
  await api.faults.refuseConnections(true)
  await expect(never).rejects.toThrow()
})

test('a dropped watch breaks, and an ended one ends', async () => {
  const [dropped, other] = [await watch(), await watch()]
  expect(api.watchers).toBe(2)
  api.faults.dropWatches()
  expect(await Promise.all([dropped.ended, other.ended])).toEqual(['broken', 'broken'])

  const ended = await watch()
  api.faults.endWatches()
  expect(await ended.ended).toBe('complete')
  await until(
    'no watch',
    async () => api.watchers,
    (count) => count === 0,
  )
})

test('a frozen watch stays open and is told nothing, while a new one is told all', async () => {
  const frozen = await watch('timeoutSeconds=90')
  api.faults.freezeWatches()
  await create('one')
  await api.faults.sendOnWatches('{}\n')
  const fresh = await watch('timeoutSeconds=90')

  await untilSeen(fresh, 'ADDED one')
  await clock.advance(60_000)
  await untilSeen(fresh, 'ADDED one', 'BOOKMARK')
  await clock.advance(30_000)
  expect(await fresh.ended).toBe('complete')
  await until(
    'one watch',
    async () => api.watchers,
    (count) => count === 1,
  )
  expect(frozen.text).toBe('')
  frozen.close()
})

test('a lost event is lost for the watches, and for nobody else', async () => {
  const stream = await watch()
  api.faults.loseNextWatchEvent()
  await create('lost')
  await create('seen')

  await untilSeen(stream, 'ADDED seen')
  expect((await get(`${LEASES}/lost`)).status).toBe(200)
  await untilSeen(await watch(), 'ADDED lost', 'ADDED seen')
})

test('anything can be said on the watches: garbage, errors, half an event', async () => {
  const stream = await watch()
  await api.faults.sendOnWatches('garbage\n{"type":"ERROR","object":{"reason":"Expired"}}\n')
  await api.faults.sendOnWatches('{"type":"ADD')
  api.faults.dropWatches()

  expect(await stream.ended).toBe('broken')
  expect(seenIn(stream)).toEqual(['garbage', 'ERROR Expired', '{"type":"ADD'])
})

test('a list whose pages expired can be started anew, or continued as it is now', async () => {
  for (const name of ['a', 'b', 'd']) await create(name)
  const off = api.faults.betweenPages(async () => {
    off()
    await create('c')
    await api.faults.compact()
  })
  const pageAfter = async (token: string) => {
    const { status, body } = await get(`${LEASES}?limit=2&continue=${token}`)
    return { status, body: Object(body), token: String(Object(body).metadata.continue) }
  }

  const first = await pageAfter('')
  const second = await pageAfter(first.token)
  expect(second).toMatchObject({ status: 410, body: { reason: 'Expired', code: 410 } })
  const rest = await pageAfter(second.token)
  expect(rest.body).toMatchObject({
    items: [{ metadata: { name: 'c' } }, { metadata: { name: 'd' } }],
  })
})

test('after a compaction every version so far is gone, and those to come are not', async () => {
  const from = `resourceVersion=${await versionOf(LEASES)}`
  const open = await watch(from)
  await api.faults.compact()

  await untilSeen(await watch(from), 'ERROR Expired')
  const fresh = await watch(`resourceVersion=${await versionOf(LEASES)}`)
  await create('one')
  await untilSeen(fresh, 'ADDED one')
  // Who watches already is not disturbed.
  await until(
    'the event',
    async () => seenIn(open),
    (seen) => seen.includes('ADDED one'),
  )
})

test('a body can stall, break off, or come in bits', async () => {
  await create('one')
  const path = `${LEASES}/one`
  const spoilt = async (fault: 'stalls' | 'breaks' | 'trickles') => {
    const off = api.faults.spoilBodies((method) => method === 'GET', fault)
    const answer = await callRaw(api.kubeconfig, { path })
    off()
    return answer
  }

  const whole = await callRaw(api.kubeconfig, { path })
  const stalled = await spoilt('stalls')
  const broken = await spoilt('breaks')
  const late = await spoilt('trickles')

  expect(await Promise.all([whole.ended, broken.ended, late.ended])).toEqual([
    'complete',
    'broken',
    'complete',
  ])
  expect(late.text).toBe(whole.text)
  const half = whole.text.slice(0, Math.ceil(whole.text.length / 2))
  expect(broken.text).toBe(half)
  await until(
    'the first half',
    async () => stalled.text,
    (text) => text === half,
  )
  stalled.close()
  expect(await stalled.ended).toBe('broken')
})

test('an API that is gone refuses connections, and comes back as it was', async () => {
  await create('one')
  const stream = await watch()
  await untilSeen(stream, 'ADDED one')

  await api.faults.refuseConnections(true)
  expect(await stream.ended).toBe('broken')
  await expect(callRaw(api.kubeconfig, { path: LEASES })).rejects.toThrow('ECONNREFUSED')
  expect(api.watchers).toBe(0)

  await api.faults.refuseConnections(false)
  expect((await callRaw(api.kubeconfig, { path: `${LEASES}/one` })).status).toBe(200)
})

test('a write whose answer is lost was done all the same', async () => {
  api.faults.hangUpAfterWrite(1)

  await expect(create('one')).rejects.toThrow(/hang up|ECONNRESET/)
  expect((await create('one')).body).toMatchObject({ reason: 'AlreadyExists' })
})
