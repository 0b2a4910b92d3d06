import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createProxy } from 'node:http'
import { createServer } from 'node:https'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Duplex, PassThrough, Readable } from 'node:stream'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { type Authority, createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import type { ApiAccess, CarriedRequest, Carry } from './access.ts'
import { followAuthority } from './authority-file.ts'
import { Transport } from './transport.ts'

let first: Authority
let second: Authority
let other: string
beforeAll(async () => {
  first = await createAuthority()
  second = await createAuthority()
  // Of another name than those two: without key ids, OpenSSL knows CAs by their names.
  other = (await second.issueClient('other', 'test')).certificate
})

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** A server with a certificate of one CA, which can change, and how it is reached. */
async function aServer(issuer: Authority) {
  const { certificate, key } = await issuer.issueServer('localhost')
  const server = createServer({ cert: certificate, key }, (_, response) => response.end('{}'))
  let connections = 0
  server.on('secureConnection', () => {
    connections += 1
  })
  const port = await listening(server)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const access = (changes: Partial<ApiAccess>): ApiAccess => ({
    origin: 'a test',
    server: new URL(`https://127.0.0.1:${port}`),
    skipVerify: false,
    namespace: 'default',
    credentials: async () => ({}),
    ...changes,
  })
  return {
    access,
    connections: () => connections,
    /** Breaks all connections, and comes back with a certificate of another CA. */
    async turnTo(other: Authority) {
      const issued = await other.issueServer('localhost')
      server.setSecureContext({ cert: issued.certificate, key: issued.key })
      server.closeAllConnections()
    },
  }
}

/** A file with a CA that is followed. */
async function aFile(pem: string) {
  const folder = await mkdtemp(join(tmpdir(), 'authority-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'ca.crt')
  const write = (text: string) => writeFile(path, text)
  await write(pem)
  const clock = new FakeClock()
  return { write, clock, authority: followAuthority(path, 'the CA', clock) }
}

function aTransport(access: ApiAccess) {
  const transport = new Transport(access)
  onTestFinished(() => transport.close())
  return async (method = 'GET') => {
    const signal = AbortSignal.timeout(5_000)
    const { status, body } = await transport.send({ method, path: '/', signal })
    for await (const _ of body.resume());
    return status
  }
}

describe('the CA', () => {
  test('may be one of several in its file', async () => {
    const { authority } = await aFile(`# ours\n${other}${first.certificate}`)
    const { access } = await aServer(first)

    expect(await aTransport(access({ authority }))()).toBe(200)
  })

  test('that is replaced is trusted from then on, over a new connection', async () => {
    const { authority, write, clock } = await aFile(first.certificate)
    const { access, connections } = await aServer(first)
    const send = aTransport(access({ authority }))
    await send()
    await send()
    expect(connections()).toBe(1)

    await write(`${first.certificate}${other}`)
    await clock.advance(5_000)
    await send()

    expect(connections()).toBe(2)
  })

  test('is read anew at once when it does not vouch for the server, even for a write', async () => {
    const { authority, write } = await aFile(first.certificate)
    const { access, turnTo } = await aServer(first)
    const send = aTransport(access({ authority }))
    await send()

    await turnTo(second)
    await write(second.certificate)

    expect(await send('POST')).toBe(200)
    expect(await send()).toBe(200)
  })

  test('that does not vouch for the server, and is the newest there is, lets nothing through', async () => {
    const { authority, write } = await aFile(first.certificate)
    const { access } = await aServer(second)
    const send = aTransport(access({ authority }))

    await expect(send()).rejects.toThrow(/certificate|signature/)
    await write('half a certif')
    await expect(send()).rejects.toThrow(/certificate|signature/)
  })
})

test('what is closed while a proxy is still asked is over at once', async () => {
  let isAsked = false
  const proxy = createProxy().on('connect', () => {
    isAsked = true
  })
  const proxyPort = await listening(proxy)
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  const { access } = await aServer(first)
  const transport = new Transport(access({ proxy: new URL(`http://127.0.0.1:${proxyPort}`) }))
  const { signal } = new AbortController()
  const sending = transport.send({ method: 'GET', path: '/', signal })
  const outcome = expect(sending).rejects.toThrow('it is no longer needed')
  await until(
    'the proxy to be asked',
    async () => isAsked,
    (asked) => asked,
  )

  transport.close()

  await outcome
})

test('a key that cannot be used fails a request through a proxy, and leaves no connection', async () => {
  const { access } = await aServer(first)
  const open = new Set<Duplex>()
  const proxy = createProxy().on('connect', (_, socket: Duplex) => {
    open.add(socket)
    socket.on('error', () => {}).once('end', () => socket.end())
    socket.once('close', () => open.delete(socket))
    socket.resume().write('HTTP/1.1 200 OK\r\n\r\n')
  })
  const proxyPort = await listening(proxy)
  onTestFinished(() => {
    proxy.close()
  })
  const { certificate } = await first.issueClient('me', 'test')
  const send = aTransport(
    access({
      proxy: new URL(`http://127.0.0.1:${proxyPort}`),
      credentials: async () => ({ certificate: { certificate, key: new Secret('no key') } }),
    }),
  )

  await expect(send()).rejects.toThrow(/PEM|no start line|DECODER|unsupported/i)
  await until(
    'the connection to be gone',
    async () => open.size,
    (count) => count === 0,
  )
})

describe('a request that is carried', () => {
  const asked: CarriedRequest[] = []
  const carriedBy = (carry: Carry) =>
    new Transport({
      ...{ origin: 'a test', server: new URL('https://far/below'), skipVerify: false },
      ...{ namespace: 'default', authority: async () => 'the CA' },
      credentials: async () => ({ token: new Secret('a token') }),
      carry: (request) => {
        asked.push(request)
        return carry(request)
      },
    })
  const { signal } = new AbortController()

  test('says where it goes, who asks and whom to trust, and its answer is as any other', async () => {
    const body = Readable.from(['{}'])
    const transport = carriedBy(async () => ({ status: 201, headers: {}, body }))

    const answer = await transport.send({ method: 'POST', path: '/a?b=c', body: '{}', signal })

    expect(answer).toEqual({ status: 201, headers: {}, body })
    expect(asked.at(-1)).toMatchObject({
      ...{ method: 'POST', body: '{}', authority: 'the CA' },
      url: new URL('https://far/below/a?b=c'),
      headers: { authorization: 'Bearer a token', 'content-length': '2' },
    })
  })

  test('ends with its transport, also while its answer is read', async () => {
    const body = new PassThrough()
    const transport = carriedBy(async () => ({ status: 200, headers: {}, body }))
    await transport.send({ method: 'GET', path: '/', signal })

    transport.close()

    expect(asked.at(-1)?.signal.aborted).toBe(true)
    await expect(transport.send({ method: 'GET', path: '/', signal })).rejects.toThrow('is closed')
  })

  test('is let go of by its caller once its answer is read', async () => {
    const stopping = new AbortController()
    const body = Readable.from([])
    const transport = carriedBy(async () => ({ status: 200, headers: {}, body }))
    await transport.send({ method: 'GET', path: '/', signal: stopping.signal })
    await once(body.resume(), 'close')

    stopping.abort()

    expect(asked.at(-1)?.signal.aborted).toBe(false)
  })
})
