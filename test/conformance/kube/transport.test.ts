import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import type { ApiAccess, Credentials } from '#kube/access.ts'
import { Transport } from '#kube/transport.ts'
import { type Authority, createAuthority } from '#test/conformance/kubernetes/certificates.ts'

/** What a request looked like from the other side. */
interface Seen {
  path: string
  headers: IncomingMessage['headers']
  client: string | string[] | undefined
}

let authority: Authority
let server: Server
let seen: Seen[]
let connections: number
let goodToken: string | undefined
beforeEach(async () => {
  authority = createAuthority()
  seen = []
  connections = 0
  goodToken = undefined
  const { certificate: cert, key } = authority.issueServer('localhost')
  const tls = { cert, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false }
  server = createServer(tls, (request, response) => {
    const { socket, url: path = '', headers } = request
    const peer = socket instanceof TLSSocket ? socket.getPeerCertificate() : undefined
    seen.push({ path, headers, client: peer?.subject?.CN })
    const isGood = !goodToken || request.headers.authorization === `Bearer ${goodToken}`
    response.writeHead(isGood ? 200 : 401).end('{}')
  })
  server.on('secureConnection', () => {
    connections += 1
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const portOf = (one: Server): number => (one.address() as AddressInfo).port // it listens on TCP

const anAccess = (changes: Partial<ApiAccess> = {}): ApiAccess => ({
  origin: 'a test',
  server: new URL(`https://127.0.0.1:${portOf(server)}`),
  authority: async () => authority.certificate,
  skipVerify: false,
  namespace: 'default',
  credentials: async () => ({}),
  ...changes,
})

/** Sends requests with one transport, and reads the answers. */
async function send(access: ApiAccess, ...paths: string[]): Promise<number[]> {
  const transport = new Transport(access)
  const statuses: number[] = []
  try {
    for (const path of paths) {
      const signal = AbortSignal.timeout(5_000)
      const { status, body } = await transport.send({ method: 'GET', path, signal })
      for await (const _ of body.resume());
      statuses.push(status)
    }
    return statuses
  } finally {
    transport.close()
  }
}

test('many requests share one connection', async () => {
  await send(anAccess(), '/a', '/b', '/c')

  expect(seen.map(({ path }) => path)).toEqual(['/a', '/b', '/c'])
  expect(connections).toBe(1)
})

test('the path of the server stays in front', async () => {
  const { href } = anAccess().server

  await send(anAccess({ server: new URL('k8s/clusters/c-1/', href) }), '/version?x=1')

  expect(seen[0]?.path).toBe('/k8s/clusters/c-1/version?x=1')
})

describe('the server’s certificate', () => {
  test('of an unknown CA is refused', async () => {
    const { certificate: ca } = createAuthority()

    await expect(send(anAccess({ authority: async () => ca }), '/')).rejects.toThrow(
      /certificate|signature/,
    )
    expect(seen).toEqual([])
  })

  test('for another name is refused', async () => {
    await expect(send(anAccess({ serverName: 'prod.example' }), '/')).rejects.toThrow(
      'prod.example',
    )
    expect(seen).toEqual([])
  })

  test('is believed for the name that was said', async () => {
    expect(await send(anAccess({ serverName: 'localhost' }), '/')).toEqual([200])
  })

  test('is believed without a look only when that was asked for', async () => {
    const { certificate: ca } = createAuthority()

    expect(await send(anAccess({ authority: async () => ca, skipVerify: true }), '/')).toEqual([
      200,
    ])
  })
})

describe('credentials', () => {
  test('a token is sent, and impersonation with it', async () => {
    const impersonate = { user: 'jane', groups: ['dev', 'ops'] }
    const credentials = async () => ({ token: new Secret('t1') })

    await send(anAccess({ credentials, impersonate }), '/')

    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer t1',
      'impersonate-user': 'jane',
      'impersonate-group': 'dev, ops',
    })
  })

  test('that are refused are read anew, once', async () => {
    goodToken = 'new'
    const asked: boolean[] = []
    const credentials: ApiAccess['credentials'] = async ({ renew }) => {
      asked.push(renew)
      return { token: new Secret(renew ? 'new' : 'old') }
    }

    expect(await send(anAccess({ credentials }), '/')).toEqual([200])
    expect(asked).toEqual([false, true])
  })

  test('that are still refused are a 401, and not tried for ever', async () => {
    goodToken = 'another'

    expect(await send(anAccess(), '/')).toEqual([401])
    expect(seen).toHaveLength(2)
  })

  test('a new client certificate is shown on a new connection', async () => {
    const issued = ['one', 'two'].map((name) => authority.issueClient(name, 'test'))
    let turn = 0
    const credentials = async (): Promise<Credentials> => {
      const { certificate = '', key = '' } = issued[turn++] ?? {}
      return { certificate: { certificate, key: new Secret(key) } }
    }

    await send(anAccess({ credentials }), '/', '/')

    expect(seen.map(({ client }) => client)).toEqual(['one', 'two'])
  })
})

describe('through a proxy', () => {
  let proxy: Server
  let asked: { target: string | undefined; user: string | undefined }[]
  let refusal: number | undefined
  beforeEach(async () => {
    asked = []
    refusal = undefined
    proxy = createHttpServer().on('connect', (request: IncomingMessage, socket: Socket) => {
      asked.push({ target: request.url, user: request.headers['proxy-authorization'] })
      if (refusal) return socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`)
      const onward = connect(portOf(server), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
      return onward.on('error', () => socket.destroy())
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
  })
  afterEach(() => new Promise((resolve) => proxy.close(resolve)))

  const viaProxy = (user = '') => new URL(`http://${user}127.0.0.1:${portOf(proxy)}`)

  test('requests arrive, the certificate verified as ever', async () => {
    expect(await send(anAccess({ proxy: viaProxy() }), '/a', '/b')).toEqual([200, 200])
    expect(asked).toEqual([{ target: `127.0.0.1:${portOf(server)}`, user: undefined }])

    const { certificate: ca } = createAuthority()
    await expect(
      send(anAccess({ proxy: viaProxy(), authority: async () => ca }), '/'),
    ).rejects.toThrow(/certificate|signature/)
  })

  test('that wants a user gets one', async () => {
    await send(anAccess({ proxy: viaProxy('jane:se%20cret@') }), '/')

    expect(asked[0]?.user).toBe(`Basic ${Buffer.from('jane:se cret').toString('base64')}`)
  })

  test('that refuses is named in the error, without its password', async () => {
    refusal = 407
    const sending = send(anAccess({ proxy: viaProxy('jane:hunter2@') }), '/')

    await expect(sending).rejects.toThrow(`the proxy 127.0.0.1:${portOf(proxy)} did not connect`)
    await expect(sending).rejects.not.toThrow('hunter2')
  })

  test('that is not there is named in the error', async () => {
    const gone = viaProxy()
    await new Promise((resolve) => proxy.close(resolve))

    await expect(send(anAccess({ proxy: gone }), '/')).rejects.toThrow('did not connect')
  })
})
