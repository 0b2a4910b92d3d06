import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createLog } from '#runtime/log.ts'
import { until } from '#test/until.ts'
import { Health } from './health.ts'
import { type Answer, type Site, serveSites } from './http-server.ts'

const LOOPBACK = { host: '127.0.0.1', port: 0 }

const aSite = (some: Partial<Site> = {}): Site => ({
  what: 'probes',
  setting: '--health-probe-bind-address',
  address: LOOPBACK,
  routes: { '/healthz': () => ({ status: 200, body: 'ok' }) },
  ...some,
})

const aLog = () => {
  const lines: string[] = []
  return { lines, log: createLog({ level: 'debug', write: (line) => lines.push(line) }) }
}

const serve = (...sites: Site[]) => serveSites(sites, aLog().log)

const portOf = (url: string | undefined): number => Number(new URL(url ?? '').port)

test('a route answers with its status, type and body', async () => {
  const routes = { '/metrics': () => ({ status: 418, contentType: 'text/x', body: 'ä' }) }
  await using servers = await serve(aSite({ routes }))

  const response = await fetch(`${servers.urlOf('probes')}/metrics?x`)

  expect(response.status).toBe(418)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/x',
    'content-length': '2',
    'cache-control': 'no-store',
  })
  expect(await response.text()).toBe('ä')
})

test('HEAD is answered like GET, without the body', async () => {
  await using servers = await serve(aSite())

  const response = await fetch(`${servers.urlOf('probes')}/healthz`, { method: 'HEAD' })

  expect(response.status).toBe(200)
  expect(response.headers.get('content-length')).toBe('2')
  expect(await response.text()).toBe('')
})

test('a route sees the query', async () => {
  const health = new Health()
  health.addReadiness('caches', () => undefined)
  await using servers = await serve(aSite({ routes: health.routes }))

  const response = await fetch(`${servers.urlOf('probes')}/readyz?verbose`)

  expect(await response.text()).toBe('caches: ok\n')
})

test.each(['/', '/healthz/', '/toString', '//', '/__proto__', '/%'])(
  'there is nothing at %s, and the answer says where there is something',
  async (path) => {
    await using servers = await serve(aSite())
    const outgoing = request({ ...LOOPBACK, port: portOf(servers.urlOf('probes')), path }).end()

    const [incoming] = await once(outgoing, 'response')

    expect(incoming.statusCode).toBe(404)
    expect(await text(incoming)).toBe('There is nothing here. Try /healthz.\n')
  },
)

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is not allowed', async (method) => {
  await using servers = await serve(aSite())

  const response = await fetch(`${servers.urlOf('probes')}/healthz`, { method })

  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('GET, HEAD')
  expect(await response.text()).toBe('This can be read, and nothing else: GET or HEAD.\n')
})

test('a route that throws is a 500 without its words, which are in the log', async () => {
  const { log, lines } = aLog()
  const routes = {
    '/x': (): Answer => {
      throw new Error('for the log only')
    },
  }
  await using servers = await serveSites([aSite({ routes })], log)

  const response = await fetch(`${servers.urlOf('probes')}/x`)

  expect(response.status).toBe(500)
  expect(await response.text()).toBe('This did not work. The log says why.\n')
  expect(lines.join('')).toContain('for the log only')
})

test('probes and metrics have a server each', async () => {
  const metrics = aSite({
    what: 'metrics',
    routes: { '/metrics': () => ({ status: 200, body: 'm' }) },
  })
  await using servers = await serve(aSite(), metrics)
  const statusOf = async (what: string, path: string) =>
    (await fetch(`${servers.urlOf(what)}${path}`)).status

  expect(servers.urlOf('probes')).not.toBe(servers.urlOf('metrics'))
  expect(await statusOf('probes', '/healthz')).toBe(200)
  expect(await statusOf('probes', '/metrics')).toBe(404)
  expect(await statusOf('metrics', '/metrics')).toBe(200)
  expect(await statusOf('metrics', '/healthz')).toBe(404)
})

test('probes and metrics at the same address share a server', async () => {
  const port = await aFreePort()
  const metrics = aSite({
    ...{ what: 'metrics', address: { port, host: '127.0.0.1' } },
    routes: { '/metrics': () => ({ status: 200, body: 'm' }) },
  })
  await using servers = await serve(aSite({ address: { port, host: '127.0.0.1' } }), metrics)

  const answers = [
    await fetch(`${servers.urlOf('probes')}/healthz`),
    await fetch(`${servers.urlOf('metrics')}/metrics`),
  ]

  expect(servers.urlOf('probes')).toBe(servers.urlOf('metrics'))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

test('a site that is off is not served', async () => {
  await using servers = await serve(aSite(), aSite({ what: 'metrics', address: 'off' }))

  expect(servers.urlOf('metrics')).toBeUndefined()
  expect(servers.urlOf('probes')).toBeDefined()
})

test('an address that is taken stops everything, with a sentence that says what to do', async () => {
  await using taken = await serve(aSite())
  const port = portOf(taken.urlOf('probes'))
  const free = await aFreePort()
  const first = aSite({ address: { host: '127.0.0.1', port: free } })
  const second = aSite({
    ...{ what: 'metrics', setting: '--metrics-bind-address' },
    address: { host: '127.0.0.1', port },
  })

  await expect(serve(first, second)).rejects.toThrow(
    `cannot serve metrics on 127.0.0.1:${port}: another program listens there; ` +
      'stop it, or choose another address (--metrics-bind-address)',
  )
  await using again = await serve(first)
  expect(portOf(again.urlOf('probes'))).toBe(free)
})

test('an address that this machine does not have is told apart', async () => {
  const elsewhere = aSite({ address: { host: '192.0.2.1', port: 0 } })

  await expect(serve(elsewhere)).rejects.toThrow(
    'cannot serve probes on 192.0.2.1:0: this machine has no such address',
  )
})

test('headers that are too large are refused', async () => {
  await using servers = await serve(aSite())

  const response = await fetch(`${servers.urlOf('probes')}/healthz`, {
    headers: { 'x-large': 'y'.repeat(9_000) },
  })

  expect(response.status).toBe(431)
})

test('no more than a hundred connections are kept, and one that ends makes room', async () => {
  await using servers = await serve(aSite())
  const port = portOf(servers.urlOf('probes'))
  const open = new Set<Socket>()
  const knock = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  }

  for (let at = 0; at < 120; at++) knock()

  await until(
    'some to be refused',
    async () => open.size,
    (size) => size === 100,
  )
  for (const socket of [...open].slice(0, 10)) socket.destroy()
  await until(
    'room',
    () => fetch(`${servers.urlOf('probes')}/healthz`).then(isOk, () => false),
    Boolean,
  )
})

test('the end is at once, whoever is still connected or still waits for an answer', async () => {
  let asked = () => {}
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const never = () => {
    asked()
    return new Promise<Answer>(() => {})
  }
  const servers = await serve(aSite({ routes: { '/never': never } }))
  const port = portOf(servers.urlOf('probes'))
  const idle = connect(port, '127.0.0.1').on('error', () => {})
  await once(idle, 'connect')
  const waiting = fetch(`${servers.urlOf('probes')}/never`)
  await wasAsked

  await Promise.all([
    servers[Symbol.asyncDispose](),
    once(idle, 'close'),
    expect(waiting).rejects.toThrow('fetch failed'),
  ])

  await servers[Symbol.asyncDispose]()
  const late = connect(port, '127.0.0.1')
  expect(await once(late, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }])
})

const isOk = ({ ok }: Response): boolean => ok

async function aFreePort(): Promise<number> {
  await using servers = await serve(aSite())
  return portOf(servers.urlOf('probes'))
}
