import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { Secret } from '#base/secret.ts'
import { issueCertificate } from '#base/x509.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import { AClient, AMachine, aCluster, serveOne, serverCertificate } from './a-machine.cases.ts'
import { MachineService } from './generated/machine/machine_pb.ts'
import type { TalosMachine } from './machine.ts'
import { outcomeOf } from './outcome.ts'
import { pinOf } from './trust.ts'

const cluster = aCluster()
const other = aCluster()
const maintenance = { kind: 'maintenance' } as const

const answering = serveOne(MachineService.method.version, {
  messages: [{ messages: [{ version: { tag: 'v1.13.0' } }] }],
})

const pinned = (certificate: string) => ({
  kind: 'maintenance' as const,
  pin: pinOf(new X509Certificate(certificate)),
})

test('a machine of the cluster answers', async () => {
  await using machine = await AMachine.start({ of: cluster, serve: answering })
  using client = new AClient()

  const { version } = await client.machine(machine.target(cluster.access)).version()

  expect(version).toBe('v1.13.0')
})

test('a key under the label that Talos gives it is taken', async () => {
  await using machine = await AMachine.start({ of: cluster, serve: answering })
  using client = new AClient()
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const validity = { notBefore: new Date(), notAfter: new Date(Date.now() + 3_600_000) }
  const { certificate } = issueCertificate(cluster.authority, {
    usage: 'client',
    validity,
    key: new Secret(pem),
  })
  const key = new Secret(pem.replaceAll('PRIVATE KEY', 'ED25519 PRIVATE KEY'))

  const access = { ...cluster.access, certificate, key }

  await expect(client.machine(machine.target(access)).version()).resolves.toBeDefined()
})

test('a machine in maintenance mode answers, with its pin too', async () => {
  const certificate = serverCertificate(other)
  await using machine = await AMachine.start({ certificate, serve: answering })
  using client = new AClient()

  const anyone = client.machine(machine.target(maintenance)).version()
  const known = client.machine(machine.target(pinned(certificate.certificate))).version()

  await expect(anyone).resolves.toMatchObject({ version: 'v1.13.0' })
  await expect(known).resolves.toMatchObject({ version: 'v1.13.0' })
})

test('a machine in maintenance mode whose clock is ahead answers, unless it is pinned', async () => {
  const tomorrow = new Date(Date.now() + 1_800_000)
  const certificate = serverCertificate(other, { from: tomorrow })
  await using machine = await AMachine.start({ certificate, serve: answering })
  using client = new AClient()

  const anyone = client.machine(machine.target(maintenance)).version()
  const known = client.machine(machine.target(pinned(certificate.certificate))).version()

  await expect(known).rejects.toMatchObject({
    outcome: 'unreachable',
    message: expect.stringContaining('not yet valid'),
  })
  await expect(anyone).resolves.toMatchObject({ version: 'v1.13.0' })
})

test('a pinned machine that has another key after a reboot is not spoken to', async () => {
  const before = serverCertificate(other)
  const access = pinned(before.certificate)
  using client = new AClient()
  const first = await AMachine.start({ certificate: before, serve: answering })
  const { port } = first
  await client.machine(first.target(access)).version()
  first.kill()

  await using rebooted = await AMachine.start({ serve: answering, port })

  const machine = client.machine(rebooted.target(access))
  expect(await afterTheDrop(machine)).toMatchObject({
    outcome: 'wrong-identity',
    mismatch: 'another-key',
  })
})

test('a machine in maintenance mode without a pin is spoken to after a reboot', async () => {
  using client = new AClient()
  const first = await AMachine.start({ serve: answering })
  const machine = client.machine(first.target(maintenance))
  await machine.version()
  first.kill()

  await using _rebooted = await AMachine.start({ serve: answering, port: first.port })

  expect(await afterTheDrop(machine)).toMatchObject({ version: 'v1.13.0' })
})

test('a configured machine is not in maintenance mode', async () => {
  await using machine = await AMachine.start({ of: cluster, serve: answering })
  using client = new AClient()

  await expect(client.machine(machine.target(maintenance)).version()).rejects.toMatchObject({
    code: 'MachineIdentityMismatch',
    outcome: 'wrong-identity',
    mismatch: 'not-in-maintenance',
  })
})

test('a machine in maintenance mode is none of the cluster', async () => {
  await using machine = await AMachine.start({ serve: answering })
  using client = new AClient()

  await expect(client.machine(machine.target(cluster.access)).version()).rejects.toMatchObject({
    outcome: 'wrong-identity',
    mismatch: 'in-maintenance',
    message: expect.stringContaining(`127.0.0.1:${machine.port} is not the machine that we mean`),
  })
})

test('a machine of another cluster is told from one in maintenance mode', async () => {
  await using machine = await AMachine.start({ of: other, serve: answering })
  using client = new AClient()

  await expect(client.machine(machine.target(cluster.access)).version()).rejects.toMatchObject({
    outcome: 'wrong-identity',
    mismatch: 'another-cluster',
  })
})

test('a machine whose certificate is for another address is not the one that we mean', async () => {
  const certificate = serverCertificate(cluster, { hosts: ['10.9.9.9'] })
  await using machine = await AMachine.start({ of: cluster, certificate, serve: answering })
  using client = new AClient()

  await expect(client.machine(machine.target(cluster.access)).version()).rejects.toMatchObject({
    outcome: 'wrong-identity',
    mismatch: 'another-address',
  })
})

test('a machine that does not take our certificate cannot be reached', async () => {
  await using machine = await AMachine.start({ of: cluster, serve: answering })
  using client = new AClient()
  const access = { ...other.access, authority: cluster.access.authority }

  await expect(client.machine(machine.target(access)).version()).rejects.toMatchObject({
    outcome: 'unreachable',
    message: expect.stringContaining('it ended the connection during the TLS handshake'),
  })
})

test.each([
  ['nobody listens', '127.0.0.1', 'ECONNREFUSED'],
  ['there is no such name', 'no-such-machine.invalid', 'ENOTFOUND'],
])('a machine cannot be reached where %s', async (_where, address, why) => {
  using client = new AClient()
  const machine = client.machine({ address, port: 1, access: cluster.access })

  await expect(machine.version()).rejects.toMatchObject({
    code: 'MachineUnreachable',
    outcome: 'unreachable',
    message: expect.stringContaining(why),
  })
})

test.each([
  '',
  '10.0.0',
  '10.0.0.1:50000',
  '[::1]',
  'fe80::1%eth0',
  'a b',
  'ipv4:1.2.3.4',
  '../x',
  'dns://8.8.8.8/x',
])('what is no address is refused before anything is dialled: %j', async (address) => {
  using client = new AClient()
  const machine = client.machine({ address, access: cluster.access })

  await expect(machine.version()).rejects.toMatchObject({ code: 'ValidationError' })
})

test.each([
  ['authority', { authority: '' }],
  ['authority', { authority: 'none' }],
  ['certificate', { certificate: '' }],
  ['key', { key: new Secret('') }],
])(
  'credentials without %s are refused, so that nobody else vouches for machines',
  async (_of, lacking) => {
    using client = new AClient()
    const access = { ...cluster.access, ...lacking }

    await expect(
      client.machine({ address: '127.0.0.1', port: 1, access }).version(),
    ).rejects.toMatchObject({ code: 'ValidationError' })
  },
)

test('credentials that are none are refused without being shown', async () => {
  using client = new AClient()
  const access = { ...cluster.access, key: new Secret('-----BEGIN PRIVATE KEY-----\nhidden\n') }
  const failure = client.machine({ address: '127.0.0.1', port: 1, access }).version()

  await expect(failure).rejects.toMatchObject({
    code: 'ValidationError',
    message: expect.not.stringContaining('hidden'),
  })
})

test('a machine that takes the connection and says nothing is given up', async () => {
  const clock = new FakeClock()
  using client = new AClient({ clock, limits: { dialMs: 5_000 } })
  await using silent = await aSilentServer()
  const dialled = client
    .machine({ address: '127.0.0.1', port: silent.port, access: cluster.access })
    .version()
    .catch((error: unknown) => error)
  await silent.connected

  await clock.advance(5_000)

  expect(await dialled).toMatchObject({
    outcome: 'unreachable',
    message: expect.stringContaining('no answer within 5 s'),
  })
})

test('a dial that is given up leaves no connection behind', async () => {
  const clock = new FakeClock()
  using client = new AClient({ clock, limits: { dialMs: 5_000 } })
  await using silent = await aSilentServer()
  const dialled = client
    .machine({ address: '127.0.0.1', port: silent.port, access: cluster.access })
    .version()
    .catch((error: unknown) => error)
  await silent.greeted

  await clock.advance(5_000)

  await dialled
  await silent.left
})

test('machines are not looked for behind the proxy of the environment', async () => {
  await using machine = await AMachine.start({ of: cluster, serve: answering })
  using client = new AClient()
  for (const name of ['grpc_proxy', 'https_proxy', 'http_proxy']) {
    vi.stubEnv(name, 'http://127.0.0.1:1')
  }

  const asked = client.machine(machine.target(cluster.access)).version()

  await expect(asked.finally(() => vi.unstubAllEnvs())).resolves.toMatchObject({
    version: 'v1.13.0',
  })
})

/** What the machine answers once the client has noticed that the old connection is gone. */
const afterTheDrop = (machine: TalosMachine): Promise<unknown> =>
  until(
    'the old connection to be forgotten',
    () => machine.version().catch((error: unknown) => error),
    (seen) => outcomeOf(seen) !== 'lost' && outcomeOf(seen) !== 'unreachable',
  )

async function aSilentServer() {
  const server = createServer()
  const connected = new Promise<void>((resolve) => server.once('connection', () => resolve()))
  const first = once(server, 'connection').then(([socket]) => socket as Socket) // Of this event.
  const greeted = first.then((socket) => once(socket, 'data'))
  const left = first.then((socket) => once(socket, 'close'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    connected,
    /** The client began its handshake. */
    greeted,
    /** The client hung up. */
    left,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}
