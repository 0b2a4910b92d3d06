import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { OperatorError } from '#base/operator-error.ts'
import { Secret } from '#base/secret.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import { createLog } from './log.ts'
import type { TracingOptions } from './tracing.ts'
import { createTracing } from './tracing-create.ts'

interface Span {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: object }[]
  status: object
}

interface Received {
  method: string | undefined
  url: string | undefined
  headers: IncomingHttpHeaders
  resource: { attributes: { key: string; value: object }[] }
  spans: Span[]
}

/** A collector that keeps what it is sent. With a status above 299 it takes nothing. */
async function aCollector(answer: { status: number } = { status: 200 }) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    const [{ resource, scopeSpans }] = Object(await json(request)).resourceSpans
    received.push({ method, url, headers, resource, spans: scopeSpans[0].spans })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    endpoint: `127.0.0.1:${port}`,
    received,
    spans: () => received.flatMap(({ spans }) => spans),
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function tracingTo(endpoint: string, some: Partial<TracingOptions> = {}) {
  const lines: string[] = []
  const log = createLog({ level: 'debug', write: (line) => lines.push(line) })
  const tracing = createTracing({
    ...{ enabled: true, endpoint, serviceName: 'talos-operator', version: '1.2.3' },
    ...{ clock: systemClock, log, ...some },
  })
  return { lines, tracing }
}

test('spans reach the collector as parts of each other, under our name', async () => {
  await using collector = await aCollector()
  const headers = new Secret({ authorization: 'Bearer t' })
  const tracing = await tracingTo(collector.endpoint, { headers }).tracing

  const result = await tracing.span('pass', { controller: 'A', generation: 2 }, () =>
    tracing.span('step', {}, async () => 42),
  )
  await tracing.shutdown()

  expect(result).toBe(42)
  expect(collector.received).toMatchObject([
    { method: 'POST', url: '/v1/traces', headers: { authorization: 'Bearer t' } },
  ])
  expect(collector.received[0]?.resource.attributes).toEqual([
    { key: 'service.name', value: { stringValue: 'talos-operator' } },
    { key: 'service.version', value: { stringValue: '1.2.3' } },
  ])
  const [step, pass] = collector.spans()
  expect([step?.name, pass?.name]).toEqual(['step', 'pass'])
  expect(step).toMatchObject({ traceId: pass?.traceId, parentSpanId: pass?.spanId })
  expect(pass?.parentSpanId).toBeUndefined()
  expect(pass?.attributes).toEqual([
    { key: 'controller', value: { stringValue: 'A' } },
    { key: 'generation', value: { intValue: 2 } },
  ])
})

test('an error goes through as it is, and its span has its code and its words', async () => {
  await using collector = await aCollector()
  const tracing = await tracingTo(`http://${collector.endpoint}`).tracing
  const error = new OperatorError('ValidationError', { message: 'sent Bearer hunter2' })

  const work = tracing.span('pass', {}, () => Promise.reject(error))

  await expect(work).rejects.toBe(error)
  await tracing.shutdown()
  expect(collector.spans()).toMatchObject([
    {
      attributes: [{ key: 'error.type', value: { stringValue: 'ValidationError' } }],
      status: { code: 2, message: 'sent Bearer ***' },
    },
  ])
})

test('whoever is called within a span can go on with its trace, and outside of one there is none', async () => {
  await using collector = await aCollector()
  const tracing = await tracingTo(collector.endpoint).tracing

  const inside = await tracing.span('call', {}, async () => tracing.headers())
  const outside = tracing.headers()
  await tracing.shutdown()

  const [call] = collector.spans()
  expect(inside).toEqual({ traceparent: `00-${call?.traceId}-${call?.spanId}-01` })
  expect(outside).toEqual({})
})

test('a collector that takes nothing is told of once, and again when it takes something', async () => {
  const answer = { status: 400 }
  await using collector = await aCollector(answer)
  const { lines, tracing: starting } = tracingTo(collector.endpoint)
  const tracing = await starting
  const messages = async () => lines.map((line) => JSON.parse(line).message)
  const work = async () => {
    for (let at = 0; at < 1_100; at++) await tracing.span(`pass ${at}`, {}, async () => at)
  }

  await work()
  await until('the first failure', messages, (seen) => seen.length > 0)
  await until(
    'the next batch',
    async () => collector.received.length,
    (seen) => seen > 1,
  )
  expect(await messages()).toEqual(['traces not sent'])
  expect(lines.join('')).toContain(`http://${collector.endpoint}/v1/traces`)
  answer.status = 200
  await work()
  await tracing.shutdown()

  expect(await messages()).toEqual(['traces not sent', 'traces sent again'])
})

test.each(['silent', 'not there'])(
  'a collector that is %s does not hold up the end',
  async (how) => {
    const silent = createServer(() => {})
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    if (how === 'not there') silent.close()
    const clock = new FakeClock()
    const { lines, tracing: starting } = tracingTo(`127.0.0.1:${port}`, { clock })
    const tracing = await starting
    await tracing.span('pass', {}, async () => {})

    const end = tracing.shutdown()
    await clock.advance(3_000)
    await end

    expect(lines.map((line) => JSON.parse(line).message)).toEqual(['traces lost'])
    silent.close().closeAllConnections()
  },
)

test('what is off does the work, sends nothing and says nothing', async () => {
  await using collector = await aCollector()
  const { lines, tracing: starting } = tracingTo(collector.endpoint, { enabled: false })
  const tracing = await starting

  expect(await tracing.span('pass', {}, async () => 42)).toBe(42)
  expect(tracing.headers()).toEqual({})
  await tracing.shutdown()
  expect(collector.received).toEqual([])
  expect(lines).toEqual([])
})

test('OpenTelemetry is loaded when tracing is on, and only then', () => {
  const script = (enabled: boolean) => `
    import { createRequire } from 'node:module'
    import { systemClock } from './src/base/clock.ts'
    import { createTracing } from './src/runtime/tracing-create.ts'
    const tracing = await createTracing({ enabled: ${enabled}, endpoint: 'localhost:1', clock: systemClock })
    await tracing.shutdown()
    const loaded = Object.keys(createRequire(import.meta.url).cache)
    process.stdout.write(String(loaded.some((path) => path.includes('@opentelemetry'))))`
  const isLoaded = (enabled: boolean) =>
    spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', script(enabled)],
      { encoding: 'utf8' },
    ).stdout

  expect([isLoaded(false), isLoaded(true)]).toEqual(['false', 'true'])
})
