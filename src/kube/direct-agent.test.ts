import { once } from 'node:events'
import { createServer, get } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Authority, createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { until } from '#test/until.ts'
import { DirectAgent } from './direct-agent.ts'
import { SharedTls } from './shared-tls.ts'

let authority: Authority
beforeAll(async () => {
  authority = await createAuthority()
})

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
  })
  return (server.address() as AddressInfo).port // it listens on a port
}

/** Counts how often TLS is begun. */
class CountedTls extends SharedTls {
  begun = 0

  override over(...to: Parameters<SharedTls['over']>) {
    this.begun += 1
    return super.over(...to)
  }
}

function anAgent(tls: SharedTls) {
  const agent = new DirectAgent(tls, { keepAlive: true, keepAliveMsecs: 1_000 })
  onTestFinished(() => agent.destroy())
  return agent
}

/** The status of an answer, or what the request failed with. */
const asked = (port: number, agent: DirectAgent): Promise<number | undefined | string> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    }).once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
  })

async function aServer() {
  const { certificate, key } = await authority.issueServer('localhost')
  const server = createServer({ cert: certificate, key }, (_, response) => response.end('{}'))
  onTestFinished(() => server.closeAllConnections())
  return listening(server)
}

describe.each([false, true])('where connections are small: %s,', (isSmall) => {
  test('a server that is verified is reached over one connection, however often it is asked', async () => {
    const port = await aServer()
    const tls = new CountedTls({ ca: authority.certificate, isSmall })
    const agent = anAgent(tls)

    expect(await asked(port, agent)).toBe(200)
    expect(await asked(port, agent)).toBe(200)
    expect(tls.begun).toBe(1)
  })

  test('what is large arrives whole, and is not taken faster than it is read', async () => {
    const { certificate, key } = await authority.issueServer('localhost')
    const large = 'x'.repeat(8 * 1024 * 1024)
    let connection: Socket | undefined
    const server = createServer({ cert: certificate, key }, (_, response) => response.end(large))
    server.on('secureConnection', (socket) => {
      connection = socket
    })
    onTestFinished(() => server.closeAllConnections())
    const port = await listening(server)
    const agent = anAgent(new SharedTls({ ca: authority.certificate, isSmall }))
    const [answer] = await once(get({ host: '127.0.0.1', port, agent }), 'response')

    // Nobody reads: most of it waits at the other end.
    await until(
      'the server to be held up',
      async () => connection?.writableNeedDrain,
      (isHeldUp) => isHeldUp === true,
    )

    expect(await text(answer)).toBe(large)
  })

  test('what is large arrives whole, also when the server has long gone before all is read', async () => {
    const { certificate, key } = await authority.issueServer('localhost')
    const large = 'x'.repeat(1024 * 1024)
    const server = createServer({ cert: certificate, key }, (_, response) => {
      response.setHeader('connection', 'close').end(large)
    })
    onTestFinished(() => server.closeAllConnections())
    const port = await listening(server)
    const agent = anAgent(new SharedTls({ ca: authority.certificate, isSmall }))
    const [answer] = await once(get({ host: '127.0.0.1', port, agent }), 'response')

    let bytes = 0
    for await (const chunk of answer) {
      bytes += chunk.length
      await new Promise((resolve) => setImmediate(resolve))
    }

    expect(bytes).toBe(large.length)
  })

  test('a connection that breaks in the middle of an answer fails it, and one that ends cuts it off', async () => {
    const { certificate, key } = await authority.issueServer('localhost')
    const sockets = new Set<Duplex>()
    const server = createServer({ cert: certificate, key }, (_, response) => {
      response.write('a beginning')
    })
    server.on('connection', (socket) => sockets.add(socket))
    const port = await listening(server)
    const agent = anAgent(new SharedTls({ ca: authority.certificate, isSmall }))
    for (const isReset of [true, false]) {
      const asking = get({ host: '127.0.0.1', port, agent }).on('error', () => {})
      const [answer] = await once(asking, 'response')
      const reading = text(answer)
      for (const socket of sockets) {
        if (isReset && socket instanceof Socket) socket.resetAndDestroy()
        else socket.destroy()
      }

      await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' })
    }
  })

  test('a server of another authority, or of another name, is not believed', async () => {
    const port = await aServer()
    const stranger = await createAuthority()

    expect(
      await asked(port, anAgent(new SharedTls({ ca: stranger.certificate, isSmall }))),
    ).toMatch(/CERT|VERIFY/)
    const named = new SharedTls({
      ca: authority.certificate,
      servername: 'elsewhere.example',
      isSmall,
    })
    expect(await asked(port, anAgent(named))).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
  })

  test('where nobody listens, TLS is not thought of', async () => {
    const server = createTcpServer()
    const port = await listening(server)
    server.close()
    const tls = new CountedTls({ ca: authority.certificate, isSmall })

    expect(await asked(port, anAgent(tls))).toBe('ECONNREFUSED')
    expect(tls.begun).toBe(0)
  })

  test('a key that cannot be used fails the request and leaves no connection', async () => {
    const sockets = new Set<Socket>()
    const server = createTcpServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    })
    const port = await listening(server)

    const { certificate } = await authority.issueClient('me', 'test')
    const failed = await asked(
      port,
      anAgent(new SharedTls({ cert: certificate, key: 'no key', isSmall })),
    )
    expect(failed).toMatch(/PEM|no start line|DECODER|unsupported/i)
    await until(
      'the connection to be gone',
      async () => sockets.size,
      (count) => count === 0,
    )
  })

  test('what is still connecting ends with the agent', async () => {
    const agent = anAgent(new SharedTls({ ca: authority.certificate, isSmall }))
    // Documentation addresses lead nowhere: nothing comes back, or that there is no way.
    const failing = new Promise((resolve) => {
      get({ host: '192.0.2.1', port: 6443, agent }).once('error', resolve)
    })
    agent.destroy()

    await expect(failing).resolves.toBeInstanceOf(Error)
  })

  test('a connection that nobody uses goes after a while, and one that is silent does not', async () => {
    const { certificate, key } = await authority.issueServer('localhost')
    const server = createServer({ cert: certificate, key }, ({ url }, response) => {
      if (url === '/watch') {
        // It has begun, and nothing is said.
        response.flushHeaders()
        server.once('speak', () => response.end('late'))
      } else response.end('{}')
    })
    // The server never ends what is idle, so that only we can.
    server.keepAliveTimeout = 0
    onTestFinished(() => server.closeAllConnections())
    const port = await listening(server)
    const tls = new SharedTls({ ca: authority.certificate, servername: 'localhost', isSmall })
    const agent = new DirectAgent(tls, { keepAlive: true, timeout: 30 })
    onTestFinished(() => agent.destroy())
    const watch = get({ host: '127.0.0.1', port, agent, path: '/watch' })
    const [answer] = await once(watch, 'response')

    await asked(port, agent)
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1)
    await until(
      'the idle one to go',
      async () => Object.values(agent.freeSockets).flat().length,
      (count) => count === 0,
    )

    // It has been silent for longer than the idle one was kept.
    server.emit('speak')
    expect(await text(answer)).toBe('late')
  })
})
