import { createServer, type Server as TcpServer } from 'node:net'
import { create } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import { AClient, AMachine, aCluster, serveOne } from './a-machine.cases.ts'
import type { CallReport } from './caller.ts'
import { DataSchema } from './generated/common/common_pb.ts'
import { MachineService } from './generated/machine/machine_pb.ts'
import { implement } from './grpc-definition.cases.ts'

const cluster = aCluster()

const answering = serveOne(MachineService.method.version, {
  messages: [{ messages: [{ version: { tag: 'v1.13.0' } }] }],
})

const aMachine = () => AMachine.start({ of: cluster, serve: answering })

test('calls to one machine share a connection', async () => {
  await using machine = await aMachine()
  using client = new AClient()
  const target = machine.target(cluster.access)

  await Promise.all([client.machine(target).version(), client.machine(target).version()])
  // The same credentials, read anew.
  await client.machine({ ...target, access: { ...cluster.access } }).version()

  expect(client.openConnections).toBe(1)
})

test('a connection that nobody uses is closed after a while', async () => {
  const clock = new FakeClock()
  await using machine = await aMachine()
  using client = new AClient({ clock, limits: { idleMs: 30_000 } })
  await client.machine(machine.target(cluster.access)).version()
  await clock.advance(29_999)
  const before = client.openConnections

  await clock.advance(1)

  expect([before, client.openConnections]).toEqual([1, 0])
  expect(clock.waiting).toBe(0)
})

test('a connection in use is not closed', async () => {
  const clock = new FakeClock()
  await using machine = await AMachine.start({
    of: cluster,
    serve: (on) =>
      implement(on, MachineService, {
        etcdSnapshot: (call) => {
          call.write(create(DataSchema, { bytes: Buffer.from('x') }))
        },
      }),
  })
  using client = new AClient({ clock, limits: { idleMs: 1_000 } })
  const chunks = client
    .machine(machine.target(cluster.access))
    .etcd.snapshot()
    [Symbol.asyncIterator]()
  await chunks.next()

  await clock.advance(30_000)
  const whileUsed = client.openConnections
  await chunks.return?.()
  await clock.advance(1_000)

  expect([whileUsed, client.openConnections]).toEqual([1, 0])
})

test('the connection that was idle longest makes room for a new one', async () => {
  await using first = await aMachine()
  await using second = await aMachine()
  await using third = await aMachine()
  using client = new AClient({ limits: { mostOpen: 2 } })

  for (const machine of [first, second, third]) {
    await client.machine(machine.target(cluster.access)).version()
  }

  expect(client.openConnections).toBe(2)
})

test('with all connections in use, whoever needs one more waits for it', async () => {
  await using busy = await AMachine.start({
    of: cluster,
    serve: (on) =>
      implement(on, MachineService, {
        etcdSnapshot: (call) => {
          call.write(create(DataSchema, { bytes: Buffer.from('x') }))
        },
      }),
  })
  await using other = await aMachine()
  using client = new AClient({ limits: { mostOpen: 1 } })
  const chunks = client.machine(busy.target(cluster.access)).etcd.snapshot()[Symbol.asyncIterator]()
  await chunks.next()
  const waiting = client.machine(other.target(cluster.access)).version()

  await chunks.return?.()

  await expect(waiting).resolves.toMatchObject({ version: 'v1.13.0' })
})

test('what takes minutes keeps nobody else waiting', async () => {
  let ask: (() => void) | undefined
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  await using busy = await AMachine.start({
    of: cluster,
    // It never answers.
    serve: (on) => implement(on, MachineService, { imagePull: () => ask?.() }),
  })
  await using other = await aMachine()
  using client = new AClient({ limits: { mostOpen: 1 } })
  const end = new AbortController()
  const pull = client
    .machine(busy.target(cluster.access))
    .images.pullLegacy('an-image', { signal: end.signal })
    .catch((error: unknown) => error)
  await asked

  const { version } = await client.machine(other.target(cluster.access)).version()

  expect(version).toBe('v1.13.0')
  end.abort(new Error('enough'))
  expect(await pull).toEqual(new Error('enough'))
})

test('dials are bounded, and those of a dead cluster do not stop the others', async () => {
  const clock = new FakeClock()
  const dead = aCluster()
  await using silent = await SilentServer.start()
  await using alive = await aMachine()
  const limits = { dialsAtOnce: 3, dialsPerCluster: 2, dialMs: 5_000 }
  using client = new AClient({ clock, limits })
  const dying = Array.from({ length: 5 }, (_, index) =>
    client
      .machine({ address: `127.0.1.${index + 1}`, port: silent.port, access: dead.access })
      .version()
      .catch((error: unknown) => error),
  )
  await until(
    'two dials',
    async () => silent.connections,
    (seen) => seen === 2,
  )

  const { version } = await client.machine(alive.target(cluster.access)).version()
  const atOnce = silent.connections
  await clock.advance(5_000)
  await until(
    'two more',
    async () => silent.connections,
    (seen) => seen === 4,
  )
  await clock.advance(5_000)
  await until(
    'the last',
    async () => silent.connections,
    (seen) => seen === 5,
  )
  await clock.advance(5_000)

  expect(version).toBe('v1.13.0')
  expect(atOnce).toBe(2)
  expect(await Promise.all(dying)).toMatchObject(
    Array.from({ length: 5 }, () => ({ outcome: 'unreachable' })),
  )
})

test('machines that have no cluster yet do not wait for each other', async () => {
  await using silent = await SilentServer.start()
  // Whose clock stands still: nobody is given up.
  using client = new AClient({ clock: new FakeClock(), limits: { dialsPerCluster: 1 } })
  const asked = silent.addresses(3).map((target) =>
    client
      .machine(target)
      .version()
      .catch(() => {}),
  )

  await untilDialled(silent, 3)

  client.close()
  await Promise.all(asked)
})

test('a machine that does not answer at once gives its turn to the next, and is waited for', async () => {
  const clock = new FakeClock()
  await using silent = await SilentServer.start()
  using client = new AClient({
    ...{
      clock,
      limits: { handshakesAtOnce: 1, handshakeMs: { least: 250, most: 250 }, dialMs: 4_000 },
    },
  })
  const asked = silent.addresses(2).map((target) =>
    client
      .machine(target)
      .version()
      .catch((error: unknown) => error),
  )
  await untilDialled(silent, 1)

  await clock.advance(250)
  await untilDialled(silent, 2)
  await clock.advance(3_750)
  const first = await asked[0]
  await clock.advance(250)

  expect(first).toMatchObject({ outcome: 'unreachable' })
  expect(await asked[1]).toMatchObject({ outcome: 'unreachable' })
  expect(clock.waiting).toBe(0)
})

test('while we are late ourselves, nobody has to give up its turn', async () => {
  const clock = new LateClock()
  await using silent = await SilentServer.start()
  await using alive = await aMachine()
  using other = new AClient()
  using client = new AClient({
    clock,
    limits: { handshakesAtOnce: 2, handshakeMs: { least: 250, most: 250 } },
  })
  const asked = silent.addresses(3).map((target) =>
    client
      .machine(target)
      .version()
      .catch(() => {}),
  )
  await untilDialled(silent, 2)

  clock.lateMs = 100
  await clock.advance(250)
  // By then there was time for a dial.
  await other.machine(alive.target(cluster.access)).version()
  const whileLate = silent.connections
  await clock.advance(250)
  await untilDialled(silent, 3)

  expect(whileLate).toBe(2)
  client.close()
  await Promise.all(asked)
})

test('the wait for a turn is not held against a machine: what is said of it is always the same', async () => {
  const clock = new FakeClock()
  await using silent = await SilentServer.start()
  using client = new AClient({
    ...{ clock, limits: { dialsAtOnce: 1, dialsPerCluster: 1, dialMs: 4_000 } },
  })
  const targets = silent.addresses(5)
  const asked = targets.map((target) =>
    client
      .machine(target)
      .version()
      .catch((error: unknown) => error),
  )
  for (let dialled = 1; dialled <= targets.length; dialled++) {
    await untilDialled(silent, dialled)
    await clock.advance(4_000)
  }

  expect(await Promise.all(asked)).toMatchObject(
    targets.map(({ address, port }) => ({
      message: `${address}:${port} cannot be reached: no answer within 4 s`,
    })),
  )
})

test('one who stops waiting for a dial does not stop those who wait with him', async () => {
  await using machine = await aMachine()
  using client = new AClient()
  const target = machine.target(cluster.access)
  const stop = new AbortController()
  const stopped = client.machine(target).version({ signal: stop.signal })
  const failure = expect(stopped).rejects.toThrow('enough')
  const waiting = client.machine(target).version()

  stop.abort(new Error('enough'))

  await failure
  await expect(waiting).resolves.toMatchObject({ version: 'v1.13.0' })
})

test('a dial that is begun anew while one that was given up ends is shared', async () => {
  await using silent = await SilentServer.start()
  await using alive = await aMachine()
  using client = new AClient()
  const access = { kind: 'maintenance' } as const
  const machine = client.machine({ address: '127.0.0.1', port: silent.port, access })
  const stop = new AbortController()
  const stopped = machine.version({ signal: stop.signal }).catch(() => {})
  await until(
    'a dial',
    async () => silent.connections,
    (seen) => seen === 1,
  )

  stop.abort(new Error('enough'))
  await stopped
  const anew = machine.version().catch(() => {})
  await until(
    'another dial',
    async () => silent.connections,
    (seen) => seen === 2,
  )
  const joining = machine.version().catch(() => {})
  await client.machine(alive.target(cluster.access)).version()

  expect(silent.connections).toBe(2)
  client.close()
  await Promise.all([anew, joining])
})

test('a connection on which a call was not answered in time is not used again, but by those on it', async () => {
  const clock = new FakeClock()
  let asked = 0
  await using machine = await AMachine.start({
    of: cluster,
    serve: (on) =>
      implement(on, MachineService, {
        bootstrap: () => {
          asked += 1
        },
        etcdSnapshot: (call) => {
          call.write(create(DataSchema, { bytes: Buffer.from('x') }))
          call.once('cancelled', () => {})
          more = () => call.write(create(DataSchema, { bytes: Buffer.from('y') }))
        },
      }),
  })
  let more = () => false
  using client = new AClient({ clock, limits: { mostOpen: 2 } })
  const target = client.machine(machine.target(cluster.access))
  const chunks = target.etcd.snapshot()[Symbol.asyncIterator]()
  await chunks.next()
  const ask = async (times: number) => {
    const call = target.bootstrap({}, { deadlineMs: 1_000 }).catch((error: unknown) => error)
    await until(
      'the question',
      async () => asked,
      (seen) => seen === times,
    )
    return { call }
  }

  const first = await ask(1)
  await clock.advance(1_000)
  const outcome = await first.call
  const kept = client.openConnections
  const second = await ask(2)
  more()
  const { value } = await chunks.next()
  await chunks.return?.()

  expect(outcome).toMatchObject({ outcome: 'lost' })
  expect(kept).toBe(0)
  expect(Buffer.from(value ?? []).toString()).toBe('y')
  await clock.advance(1_000)
  await second.call
})

test('each call is reported once, with what it came to', async () => {
  await using machine = await aMachine()
  const reports: CallReport[] = []
  using client = new AClient({ onCall: (report) => reports.push(report) })
  const target = machine.target(cluster.access)

  await client.machine(target).version()
  await client
    .machine(target)
    .hostname()
    .catch(() => {})
  await client
    .machine({ ...target, port: 1 })
    .version()
    .catch(() => {})

  expect(reports.map(({ method, outcome }) => [method, outcome])).toEqual([
    ['machine.MachineService/Version', 'done'],
    ['machine.MachineService/Hostname', 'not-supported'],
    ['machine.MachineService/Version', 'unreachable'],
  ])
})

/** One whose timers ring late from a moment on. */
class LateClock extends FakeClock {
  lateMs = 0

  override monotonicMs(): number {
    return super.monotonicMs() + this.lateMs
  }
}

const untilDialled = (silent: SilentServer, times: number) =>
  until(
    `${times} dials`,
    async () => silent.connections,
    (seen) => seen === times,
  )

/** Takes connections on all loopback addresses and never says a word. */
class SilentServer implements AsyncDisposable {
  readonly #server: TcpServer
  readonly port: number
  connections = 0

  constructor(server: TcpServer, port: number) {
    this.#server = server
    this.port = port
    server.on('connection', (socket) => {
      this.connections += 1
      socket.on('error', () => {})
    })
  }

  /** So many of its addresses, each as a machine in maintenance mode. */
  addresses(count: number) {
    const access = { kind: 'maintenance' } as const
    return Array.from({ length: count }, (_, at) => ({
      ...{ address: `127.0.2.${at + 1}`, port: this.port, access },
    }))
  }

  static async start(): Promise<SilentServer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
    const address = server.address()
    return new SilentServer(server, typeof address === 'object' && address ? address.port : 0)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close()
  }
}
