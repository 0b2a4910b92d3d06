import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiFailure } from '#apiserver/failure.ts'
import type { User } from '#apiserver/request.ts'
import { Secret } from '#base/secret.ts'
import {
  type CertificateRequest,
  type Credentials,
  createAuthority,
  createKey,
  issueCertificate,
} from '#base/x509.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { Authenticator } from './authenticate.ts'
import { CertificateUsers } from './certificate-user.ts'

const HOUR_MS = 3_600_000
const START = '2026-01-01T00:00:00Z'
const between = (from: string, to: string) => ({
  notBefore: new Date(from),
  notAfter: new Date(to),
})
const always = between('2020-01-01T00:00:00Z', '2090-01-01T00:00:00Z')

const robot: User = { name: 'robot', groups: ['system:authenticated'] }

const anAuthority = () => createAuthority('talos-operator', createKey(), always)

const aClient = (authority: Credentials, request: Partial<CertificateRequest> = {}) =>
  issueCertificate(authority, {
    commonName: 'jane',
    organizations: ['devs', 'ops, eu'],
    usage: 'client',
    validity: always,
    ...request,
  })

/** The server's end of a connection, as the API gets it. */
async function connectionOf(authority: Credentials, client?: Credentials): Promise<TLSSocket> {
  const own = issueCertificate(authority, {
    commonName: 'server',
    usage: 'server',
    hosts: ['localhost'],
    validity: always,
  })
  const server = createServer({
    cert: own.certificate,
    key: own.key.open(),
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: false,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a server that listens on a port
  const caller = connect({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: authority.certificate,
    ...(client && { cert: client.certificate, key: client.key.open() }),
  })
  caller.on('error', () => {})
  const [socket] = await once(server, 'secureConnection')
  onTestFinished(() => {
    caller.destroy()
    server.close()
  })
  return socket
}

function anAuthenticator({ clock = new FakeClock(START), allowsAnonymous = true } = {}) {
  return new Authenticator({
    certificates: new CertificateUsers(clock),
    accounts: {
      verify: (token) =>
        token === 'robots-token' ? { user: robot, audiences: ['api'] } : { problem: 'no' },
    },
    staticTokens: [
      { token: new Secret('first'), user: { name: 'one', groups: ['system:masters'] } },
      { token: new Secret('second'), user: { name: 'two', groups: ['system:unauthenticated'] } },
    ],
    audiences: ['api'],
    allowsAnonymous,
  })
}

function failureOf(attempt: () => unknown): unknown {
  try {
    return attempt()
  } catch (error) {
    return error instanceof ApiFailure ? error.status : error
  }
}

const UNAUTHORIZED = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Unauthorized',
  reason: 'Unauthorized',
  code: 401,
}

describe('a client certificate', () => {
  test('of our authority names a user and their groups', async () => {
    const authority = anAuthority()
    const socket = await connectionOf(authority, aClient(authority))
    const authenticator = anAuthenticator()

    const user = authenticator.authenticate(socket, undefined)
    expect(user).toEqual({
      name: 'jane',
      groups: ['devs', 'ops, eu', 'system:authenticated'],
      extra: {
        'authentication.kubernetes.io/credential-id': [
          expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/),
        ],
      },
    })
    expect(authenticator.authenticate(socket, undefined)).toBe(user)
  })

  test('of another authority with the same name is refused', async () => {
    const authority = anAuthority()
    const socket = await connectionOf(authority, aClient(anAuthority()))

    const authenticator = anAuthenticator()
    expect(failureOf(() => authenticator.authenticate(socket, undefined))).toEqual(UNAUTHORIZED)
  })

  test('that has expired, or is not valid yet, is refused', async () => {
    const authority = anAuthority()
    const expired = aClient(authority, {
      validity: between('2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'),
    })
    const future = aClient(authority, {
      validity: between('2080-01-01T00:00:00Z', '2081-01-01T00:00:00Z'),
    })

    for (const client of [expired, future]) {
      const socket = await connectionOf(authority, client)
      expect(failureOf(() => anAuthenticator().authenticate(socket, undefined))).toEqual(
        UNAUTHORIZED,
      )
    }
  })

  test('that expires while its connection lives is refused from then on', async () => {
    const authority = anAuthority()
    const end = new Date(Date.parse(always.notAfter.toISOString()) - HOUR_MS)
    const client = aClient(authority, { validity: { ...always, notAfter: end } })
    const socket = await connectionOf(authority, client)
    const clock = new FakeClock(START)
    const authenticator = anAuthenticator({ clock })

    expect(authenticator.authenticate(socket, undefined).name).toBe('jane')
    clock.jump(end.getTime() - clock.now().getTime())
    expect(failureOf(() => authenticator.authenticate(socket, undefined))).toEqual(UNAUTHORIZED)
  })

  test('that is meant for servers is refused', async () => {
    const authority = anAuthority()
    const socket = await connectionOf(authority, aClient(authority, { usage: 'server' }))

    expect(failureOf(() => anAuthenticator().authenticate(socket, undefined))).toEqual(UNAUTHORIZED)
  })

  test('that says nothing about its use is refused, though OpenSSL has no objection', async () => {
    const certificate = new X509Certificate(anAuthority().certificate)
    const half = { authorized: true, getPeerCertificate: () => certificate }
    const socket = half as unknown as TLSSocket // what is read of a connection, and nothing else

    expect(failureOf(() => anAuthenticator().authenticate(socket, undefined))).toEqual(UNAUTHORIZED)
  })

  test('comes before a token, and a token that is no good does not spoil it', async () => {
    const authority = anAuthority()
    const socket = await connectionOf(authority, aClient(authority))

    expect(anAuthenticator().authenticate(socket, 'Bearer first').name).toBe('jane')
    expect(anAuthenticator().authenticate(socket, 'Bearer wrong').name).toBe('jane')
  })

  test('that is refused does not spoil a good token', async () => {
    const authority = anAuthority()
    const socket = await connectionOf(authority, aClient(anAuthority()))

    expect(anAuthenticator().authenticate(socket, 'Bearer first').name).toBe('one')
  })
})

describe('a connection without a certificate', () => {
  const aConnection = async () => connectionOf(anAuthority())

  test('is known by its bearer token', async () => {
    const socket = await aConnection()
    const authenticator = anAuthenticator()

    expect(authenticator.authenticate(socket, 'Bearer robots-token')).toBe(robot)
    expect(authenticator.authenticate(socket, ' bEaReR  x').name).toBe('system:anonymous')
    expect(authenticator.authenticate(socket, 'bearer first')).toEqual({
      name: 'one',
      groups: ['system:masters', 'system:authenticated'],
    })
    expect(authenticator.authenticate(socket, 'Bearer second').groups).toEqual([
      'system:unauthenticated',
    ])
  })

  test.each([
    'Bearer wrong',
    'Bearer firs',
    'Bearer first2',
    'Bearer FIRST',
    'bearer first,second',
  ])('is not let in with %s', async (header) => {
    const socket = await aConnection()

    expect(failureOf(() => anAuthenticator().authenticate(socket, header))).toEqual(UNAUTHORIZED)
  })

  test('is anonymous where nothing is said, if that is allowed', async () => {
    const socket = await aConnection()
    const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

    for (const header of [undefined, '', 'Basic YTpi', 'Bearer', 'Bearer ']) {
      expect(anAuthenticator().authenticate(socket, header)).toEqual(anonymous)
    }
    const strict = anAuthenticator({ allowsAnonymous: false })
    expect(failureOf(() => strict.authenticate(socket, undefined))).toEqual(UNAUTHORIZED)
    expect(strict.authenticate(socket, 'Bearer first').name).toBe('one')
  })
})

test('a token that was agreed on is good for this API and no other', () => {
  const authenticator = anAuthenticator()

  expect(authenticator.verifyToken('first')).toMatchObject({ audiences: ['api'] })
  expect(authenticator.verifyToken('first', ['vault', 'api'])).toMatchObject({ audiences: ['api'] })
  expect(authenticator.verifyToken('first', ['vault'])).toEqual({ problem: undefined })
})
