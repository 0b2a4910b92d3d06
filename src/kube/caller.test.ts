import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { systemClock } from '#base/clock.ts'
import { OperatorError } from '#base/operator-error.ts'
import { Secret } from '#base/secret.ts'
import { type AnsweringServer, startAnsweringServer } from '#test/answering-server.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import type { CallerOptions, CallOptions } from './caller.ts'
import { KubeClient } from './client.ts'

const namespace = 'default'
const A = { namespace, name: 'a' }
const OBJECT = JSON.stringify({ metadata: A })
const LIST = JSON.stringify({ metadata: { resourceVersion: '1' }, items: [] })

/** A client of the server, with what it told of answers: `get 200`. */
function aClient({ access }: AnsweringServer, options: Partial<CallerOptions> = {}) {
  const told: string[] = []
  const client = new KubeClient({
    access,
    clock: systemClock,
    userAgent: 'test',
    onAnswer: (verb, status) => told.push(`${verb} ${status}`),
    ...options,
  })
  onTestFinished(() => client.close())
  return { client, told }
}

const get = (client: KubeClient, options: CallOptions = {}) => client.get(ConfigMap, A, options)

test('every answer is told by verb and status', async () => {
  await using server = await startAnsweringServer(({ url }, response) => {
    response.end(/[?&]limit=/.test(url ?? '') ? LIST : OBJECT)
  })
  const { client, told } = aClient(server)

  await client.get(ConfigMap, A)
  await client.list(ConfigMap)
  const from = { resourceVersion: '1', timeoutSeconds: 1 }
  const watch = await client.openWatch(ConfigMap, from, { signal: AbortSignal.timeout(9_000) })
  watch.body.resume()
  await client.create(ConfigMap, { metadata: A })
  await client.update(ConfigMap, { metadata: A })
  await client.patch(ConfigMap, A, { type: 'merge', body: {} })
  await client.apply(ConfigMap, { metadata: A }, { fieldManager: 'test' })
  await client.remove(ConfigMap, A)
  await client.read('/version')

  const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'apply', 'delete', 'other']
  expect(told).toEqual(verbs.map((verb) => `${verb} 200`))
})

test('a call that its caller breaks off is not told as one without an answer', async () => {
  const stop = new AbortController()
  await using server = await startAnsweringServer(() => stop.abort(new Error('enough')))
  const { client, told } = aClient(server)

  await expect(get(client, { signal: stop.signal })).rejects.toThrow('enough')

  expect(told).toEqual([])
})

test('what is to be sent along is asked for anew with each request', async () => {
  const traces: unknown[] = []
  await using server = await startAnsweringServer(({ headers }, response) => {
    traces.push(headers.traceparent)
    response.end(OBJECT)
  })
  let calls = 0
  const { client } = aClient(server, { headers: () => ({ traceparent: `trace-${++calls}` }) })

  await get(client)
  await get(client)

  expect(traces).toEqual(['trace-1', 'trace-2'])
})

test('whoever may no longer make a call is asked right before it is sent, each time', async () => {
  await using server = await startAnsweringServer((_, response) => {
    response.writeHead(429, { 'retry-after': '0' }).end()
  })
  const { client } = aClient(server)
  let asked = 0
  const beforeSend = () => {
    if (++asked === 2) throw new OperatorError('LeadershipLost', { message: 'another one leads' })
  }

  await expect(get(client, { beforeSend })).rejects.toMatchObject({ code: 'LeadershipLost' })

  expect(server.asked).toHaveLength(1)
})

test('a refusal is told with its code and its duration, and no answer as 0', async () => {
  const clock = new FakeClock()
  await using server = await startAnsweringServer(({ url }, response) => {
    if (url?.includes('broken')) return response.destroy()
    return void clock.advance(2_000).then(() => response.writeHead(403).end())
  })
  const told: unknown[] = []
  const onAnswer = (...answer: unknown[]) => told.push(answer)
  const { client } = aClient(server, { clock, onAnswer })

  await expect(get(client)).rejects.toMatchObject({ status: 403 })
  await expect(client.read('/broken')).rejects.toMatchObject({ reason: 'Unreachable' })

  expect(told).toEqual([
    ['get', 403, 2],
    ['other', 0, 0],
  ])
})

test('credentials that were refused are told, though the next ones are good', async () => {
  await using server = await startAnsweringServer(({ headers }, response) => {
    response.writeHead(headers.authorization === 'Bearer new' ? 200 : 401).end(OBJECT)
  })
  const access: AnsweringServer['access'] = {
    ...server.access,
    credentials: async ({ renew }) => ({ token: new Secret(renew ? 'new' : 'old') }),
  }
  const { client, told } = aClient(server, { access })

  await get(client)

  expect(told).toEqual(['get 401', 'get 200'])
})

/** A server that breaks each connection at its second request, before it has answered. */
async function aForgetfulServer(): Promise<AnsweringServer> {
  const known = new WeakSet<object>()
  return startAnsweringServer(({ socket }, response) => {
    if (known.has(socket)) return void socket.destroy()
    known.add(socket)
    response.end(OBJECT)
  })
}

test('a read over a kept connection that is gone is made again over a new one', async () => {
  await using server = await aForgetfulServer()
  const { client, told } = aClient(server)
  await get(client)

  await get(client)

  expect(server.asked).toHaveLength(3)
  expect(server.connections).toBe(2)
  expect(told).toEqual(['get 200', 'get 200'])
})

test('a write over a kept connection that is gone is not made again: it may have been done', async () => {
  await using server = await aForgetfulServer()
  const { client } = aClient(server)
  await get(client)

  const writing = client.update(ConfigMap, { metadata: A })

  await expect(writing).rejects.toMatchObject({ status: 0, reason: 'Unreachable' })
  expect(server.asked.filter((request) => request.startsWith('PUT'))).toHaveLength(1)
})

test('a read over a new connection that breaks is not made again', async () => {
  await using server = await startAnsweringServer(({ socket }) => socket.destroy())
  const { client, told } = aClient(server)

  await expect(get(client)).rejects.toMatchObject({ reason: 'Unreachable' })

  expect(server.asked).toHaveLength(1)
  expect(told).toEqual(['get 0'])
})

/** A server that puts off the first calls with 429, and then answers. */
const aBusyServer = (refusals: number): Promise<AnsweringServer> => {
  let left = refusals
  return startAnsweringServer((_, response) => {
    if (left-- > 0) response.writeHead(429, { 'retry-after': '5' }).end()
    else response.end(OBJECT)
  })
}

test('a call that is put off holds back its like, and not what is more important', async () => {
  const clock = new FakeClock()
  await using server = await aBusyServer(1)
  const { client, told } = aClient(server, { clock })
  const putOff = get(client, { priority: 'normal' })
  await until(
    'the refusal',
    async () => told,
    ({ length }) => length === 1,
  )

  await get(client, { priority: 'user' })
  await get(client, { priority: 'lease' })
  expect(told).toEqual(['get 429', 'get 200', 'get 200'])
  await clock.advance(5_000)
  await putOff

  expect(told).toHaveLength(4)
})

test('a lease that is put off fails at once, and comes again when its holder wants', async () => {
  await using server = await aBusyServer(1)
  const { client } = aClient(server, { clock: new FakeClock() })

  await expect(get(client, { priority: 'lease' })).rejects.toMatchObject({ status: 429 })
  await get(client, { priority: 'lease' })

  expect(server.asked).toHaveLength(2)
})

test('the answer to a read may be bounded', async () => {
  await using server = await startAnsweringServer((_, response) => void response.end('12345'))
  const { client } = aClient(server)

  expect(await client.read('/five', { mostBytes: 5 })).toBe('12345')
  await expect(client.read('/five', { mostBytes: 4 })).rejects.toMatchObject({ reason: 'Garbled' })
})

test('any number of calls may share one signal', async () => {
  const warnings: string[] = []
  const onWarning = ({ message }: Error) => warnings.push(message)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  const held: ServerResponse[] = []
  await using server = await startAnsweringServer((_, response) => {
    if (held.length < 30) held.push(response)
    else response.end(OBJECT)
  })
  const { client } = aClient(server, { limit: { perSecond: 1e3, burst: 1e3, atOnce: 30 } })
  const { signal } = new AbortController()

  const from = { resourceVersion: '1', timeoutSeconds: 1 }
  const calls = Array.from({ length: 50 }, (_, index) =>
    index % 2 ? get(client, { signal }) : client.openWatch(ConfigMap, from, { signal }),
  )
  await until(
    'the calls to be under way',
    async () => held.length,
    (count) => count === 30,
  )
  for (const response of held) response.end(OBJECT)
  await Promise.all(calls)

  expect(warnings.filter((warning) => warning.includes('listeners'))).toEqual([])
})
