import { createHash } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { AClient, AMachine, aCluster, serveOne } from './a-machine.cases.ts'
import { textsOf } from './call-case.cases.ts'
import { type CallEnd, CallError } from './call-error.ts'
import { callFailure } from './call-failure.ts'
import { withoutValues } from './calls/configuration.ts'
import { DataSchema } from './generated/common/common_pb.ts'
import { MachineService } from './generated/machine/machine_pb.ts'
import { implement } from './grpc-definition.cases.ts'
import { type Outcome, outcomeOfStatus } from './outcome.ts'
import { status, statusName } from './status.ts'

const cluster = aCluster()
const M = MachineService.method

const failing = (code: number, details: string) =>
  serveOne(M.bootstrap, { error: { code, details } })

test.each<[number, string, Outcome]>([
  [status.ALREADY_EXISTS, 'etcd data directory is not empty', 'already-done'],
  [status.FAILED_PRECONDITION, 'bootstrap is not available yet', 'not-ready'],
  [status.FAILED_PRECONDITION, 'time is not in sync yet', 'not-ready'],
  [status.FAILED_PRECONDITION, 'another apply configuration is already in progress', 'not-ready'],
  [
    status.FAILED_PRECONDITION,
    'bootstrap can only be performed on a control plane node',
    'refused',
  ],
  [status.UNAVAILABLE, 'starting', 'not-ready'],
  [status.UNIMPLEMENTED, 'API is not implemented in maintenance mode', 'not-supported'],
  [status.PERMISSION_DENIED, 'not authorized', 'refused'],
  [status.INTERNAL, 'no luck', 'refused'],
  [status.NOT_FOUND, 'nothing there', 'absent'],
  [status.DEADLINE_EXCEEDED, 'etcd did not answer', 'lost'],
  [status.UNAVAILABLE, 'error reading from server: EOF', 'lost'],
  [status.UNAVAILABLE, 'connection error: desc = "transport: Error while dialing"', 'not-ready'],
  [status.UNKNOWN, 'failed to remove member: etcdserver: request timed out', 'lost'],
  [status.UNKNOWN, 'failed to remove member: etcdserver: leader changed', 'lost'],
  [status.UNKNOWN, 'failed to remove member: etcdserver: unhealthy cluster', 'refused'],
  [status.UNKNOWN, 'read /system/state/config.yaml: input/output error', 'refused'],
])('status %i with "%s" is %s', async (code, details, outcome) => {
  await using server = await AMachine.start({ of: cluster, serve: failing(code, details) })
  using client = new AClient()

  await expect(client.machine(server.target(cluster.access)).bootstrap()).rejects.toMatchObject({
    outcome,
    status: code,
    message: `could not bootstrap 127.0.0.1:${server.port}: ${details} (${statusName(code)})`,
  })
})

test.each<[CallEnd, Outcome]>([
  [{ is: 'broken', why: 'read ECONNRESET' }, 'lost'],
  [{ is: 'unsent', why: 'the connection is gone' }, 'unreachable'],
  [{ is: 'unreadable', why: 'it breaks off' }, 'lost'],
  [{ is: 'too-large' }, 'refused'],
])('a call that ended thus: %j, is %s', (end, outcome) => {
  const error = new CallError(end)

  expect(callFailure({ what: 'ask', where: 'it' }, error, true)).toMatchObject({ outcome })
})

test('what is not known to be a call that ended is lost', () => {
  const error = new Error('who knows')

  expect(callFailure({ what: 'ask', where: 'it' }, error, true)).toMatchObject({ outcome: 'lost' })
})

test('a kind of resource that the machine does not know is not supported', () => {
  const words = 'resource type "BootIDs.runtime.talos.dev" is not supported'

  expect(outcomeOfStatus(status.PERMISSION_DENIED, words)).toBe('not-supported')
})

test.each([
  ['etcd.removeMember', M.etcdRemoveMemberByID],
  ['meta.delete', M.metaDelete],
] as const)('%s of what is not there is done already', async (name, method) => {
  const serve = serveOne(method, { error: { code: status.NOT_FOUND, details: 'no such' } })
  await using server = await AMachine.start({ of: cluster, serve })
  using client = new AClient()
  const machine = client.machine(server.target(cluster.access))

  const removed = name === 'meta.delete' ? machine.meta.delete(1) : machine.etcd.removeMember(1n)

  await expect(removed).rejects.toMatchObject({ outcome: 'already-done' })
})

test('a machine that dies with the question leaves its outcome unknown', async () => {
  let server: AMachine | undefined
  server = await AMachine.start({
    of: cluster,
    serve: (on) => implement(on, MachineService, { bootstrap: () => server?.kill() }),
  })
  using client = new AClient()
  const machine = client.machine(server.target(cluster.access))

  await expect(machine.bootstrap()).rejects.toMatchObject({
    code: 'MachineAnswerLost',
    outcome: 'lost',
  })
  // The next one never gets there.
  await expect(machine.bootstrap()).rejects.toMatchObject({ outcome: 'unreachable' })
})

test('a question that takes longer than its deadline is lost, and told to the machine', async () => {
  const clock = new FakeClock()
  const { promise: asked, resolve: isAsked } = signalled()
  const { promise: cancelled, resolve: isCancelled } = signalled()
  await using server = await AMachine.start({
    of: cluster,
    serve: (on) =>
      implement(on, MachineService, {
        bootstrap: (call) => {
          call.on('cancelled', isCancelled)
          isAsked()
        },
      }),
  })
  using client = new AClient({ clock })
  const outcome = client
    .machine(server.target(cluster.access))
    .bootstrap({}, { deadlineMs: 2_000 })
    .catch((error: unknown) => error)
  await asked

  await clock.advance(2_000)

  expect(await outcome).toMatchObject({
    outcome: 'lost',
    message: expect.stringContaining('no answer within 2 s'),
  })
  await cancelled
})

test('whoever stops asking gets the reason back', async () => {
  const { promise: asked, resolve: isAsked } = signalled()
  await using server = await AMachine.start({
    of: cluster,
    serve: (on) => implement(on, MachineService, { bootstrap: () => isAsked() }),
  })
  using client = new AClient()
  const stop = new AbortController()
  const asking = client
    .machine(server.target(cluster.access))
    .bootstrap({}, { signal: stop.signal })
  const failure = expect(asking).rejects.toThrow('enough')
  await asked

  stop.abort(new Error('enough'))

  await failure
})

test('closing the client ends what goes on, and lets nothing begin', async () => {
  const { promise: asked, resolve: isAsked } = signalled()
  await using server = await AMachine.start({
    of: cluster,
    serve: (on) => implement(on, MachineService, { bootstrap: () => isAsked() }),
  })
  using client = new AClient()
  const machine = client.machine(server.target(cluster.access))
  const failure = expect(machine.bootstrap()).rejects.toMatchObject({ outcome: 'lost' })
  await asked

  client.close()

  await failure
  await expect(machine.bootstrap()).rejects.toMatchObject({ outcome: 'unreachable' })
})

const MEBIBYTE = 1024 * 1024

test('an answer that is larger than 32 MiB is lost, and the next one arrives', async () => {
  const large = [{ bytes: Buffer.alloc(33 * MEBIBYTE) }]
  await using server = await AMachine.start({
    of: cluster,
    serve: serveOne(M.read, { messages: large }),
  })
  using client = new AClient()
  const machine = client.machine(server.target(cluster.access))

  await expect(machine.readFile('/x')).rejects.toMatchObject({
    outcome: 'lost',
    message: expect.stringContaining('it is larger than the 32 MiB that are read'),
  })
  await expect(machine.version()).rejects.toMatchObject({ outcome: 'not-supported' })
})

test('a question that is larger than 32 MiB is refused before it is sent', async () => {
  const asked: unknown[] = []
  await using server = await AMachine.start({
    of: cluster,
    serve: serveOne(M.applyConfiguration, { messages: [{ messages: [{}] }] }, asked),
  })
  using client = new AClient()
  const configuration = new Secret('x'.repeat(33 * MEBIBYTE))

  await expect(
    client
      .machine(server.target(cluster.access))
      .configuration.apply({ configuration, mode: 'auto' }),
  ).rejects.toMatchObject({ outcome: 'refused', message: expect.stringContaining('32 MiB') })
  expect(asked).toEqual([])
})

test('an answer that is no message is lost', async () => {
  await using server = await AMachine.start({
    of: cluster,
    serve: (on) =>
      on.addService(
        {
          version: {
            path: '/machine.MachineService/Version',
            requestStream: false,
            responseStream: false,
            requestSerialize: (bytes: Buffer) => bytes,
            requestDeserialize: (bytes: Buffer) => bytes,
            responseSerialize: (bytes: Buffer) => bytes,
            responseDeserialize: (bytes: Buffer) => bytes,
          },
        },
        {
          version: (_call: unknown, done: (error: null, answer: Buffer) => void) =>
            done(null, Buffer.from('ffffff', 'hex')),
        },
      ),
  })
  using client = new AClient()

  await expect(client.machine(server.target(cluster.access)).version()).rejects.toMatchObject({
    outcome: 'lost',
    message: expect.stringContaining('cannot be read'),
  })
})

test('an answer without a message is lost', async () => {
  const serve = serveOne(M.version, { messages: [{ messages: [] }] })
  await using server = await AMachine.start({ of: cluster, serve })
  using client = new AClient()

  await expect(client.machine(server.target(cluster.access)).version()).rejects.toMatchObject({
    outcome: 'lost',
  })
})

test('an error inside an answer counts', async () => {
  const serve = serveOne(M.version, {
    messages: [{ messages: [{ metadata: { error: 'broken' } }] }],
  })
  await using server = await AMachine.start({ of: cluster, serve })
  using client = new AClient()

  await expect(client.machine(server.target(cluster.access)).version()).rejects.toMatchObject({
    outcome: 'refused',
    message: expect.stringContaining('broken'),
  })
})

test('a stream that stops half-way is lost, after what has arrived', async () => {
  let server: AMachine | undefined
  server = await AMachine.start({
    of: cluster,
    serve: (on) =>
      implement(on, MachineService, {
        etcdSnapshot: (call) => {
          call.write(create(DataSchema, { bytes: Buffer.from('half') }))
        },
      }),
  })
  using client = new AClient()
  const chunks: string[] = []

  const reading = (async () => {
    for await (const chunk of client.machine(server.target(cluster.access)).etcd.snapshot()) {
      chunks.push(Buffer.from(chunk).toString())
      server.kill()
    }
  })()

  await expect(reading).rejects.toMatchObject({ outcome: 'lost' })
  expect(chunks).toEqual(['half'])
})

test('a snapshot that breaks off is lost, though the machine ends it as if it were whole', async () => {
  const file = Buffer.alloc(2_048, 'x')
  const whole = Buffer.concat([file, createHash('sha256').update(file).digest()])
  const snapshot = async (bytes: Buffer) => {
    await using server = await AMachine.start({
      of: cluster,
      serve: serveOne(M.etcdSnapshot, { messages: [{ bytes }] }),
    })
    using client = new AClient()
    return await textsOf(client.machine(server.target(cluster.access)).etcd.snapshot())
  }

  await expect(snapshot(whole)).resolves.toBe(whole.toString())
  for (const length of [0, 10, 1_056, 2_079]) {
    await expect(snapshot(whole.subarray(0, length))).rejects.toMatchObject({ outcome: 'lost' })
  }
})

test('a stream that is silent for too long is lost', async () => {
  const clock = new FakeClock()
  await using server = await AMachine.start({
    of: cluster,
    serve: (on) =>
      implement(on, MachineService, {
        etcdSnapshot: (call) => {
          call.write(create(DataSchema, { bytes: Buffer.from('half') }))
        },
      }),
  })
  using client = new AClient({ clock })
  const stream = client.machine(server.target(cluster.access)).etcd.snapshot()
  const chunks = stream[Symbol.asyncIterator]()
  await chunks.next()
  const failure = expect(chunks.next()).rejects.toMatchObject({ outcome: 'lost' })

  await clock.advance(60_000)

  await failure
})

test('an upload that the machine refuses in the middle ends with its words', async () => {
  await using server = await AMachine.start({
    of: cluster,
    serve: (on) =>
      implement(on, MachineService, {
        etcdRecover: (call, done) => {
          call.once('data', () =>
            done({
              code: status.FAILED_PRECONDITION,
              details: 'etcd service is not ready for recovery yet',
            }),
          )
        },
      }),
  })
  using client = new AClient()
  const machine = client.machine(server.target(cluster.access))

  await expect(machine.sendSnapshot(endless())).rejects.toMatchObject({ outcome: 'not-ready' })
})

test('an upload whose source says nothing ends with the words of the machine', async () => {
  await using server = await AMachine.start({
    of: cluster,
    serve: (on) =>
      implement(on, MachineService, {
        etcdRecover: (call, done) => {
          call.once('data', () => done({ code: status.PERMISSION_DENIED, details: 'no' }))
        },
      }),
  })
  using client = new AClient()
  const machine = client.machine(server.target(cluster.access))

  await expect(machine.sendSnapshot(stuck())).rejects.toMatchObject({ outcome: 'refused' })
})

test('an upload whose source says nothing can be stopped, and is given up in the end', async () => {
  const clock = new FakeClock()
  const { promise: begun, resolve: isBegun } = signalled()
  await using server = await AMachine.start({
    of: cluster,
    serve: (on) =>
      implement(on, MachineService, { etcdRecover: (call) => call.on('data', isBegun) }),
  })
  using client = new AClient({ clock })
  const machine = client.machine(server.target(cluster.access))
  const stop = new AbortController()
  const stopped = machine.sendSnapshot(stuck(), { signal: stop.signal })
  const failure = expect(stopped).rejects.toThrow('enough')
  const silent = expect(machine.sendSnapshot(stuck())).rejects.toMatchObject({ outcome: 'lost' })
  await begun

  stop.abort(new Error('enough'))

  await failure
  await clock.advance(60_000)
  await silent
})

test('an upload whose source fails throws what the source threw', async () => {
  await using server = await AMachine.start({
    of: cluster,
    serve: serveOne(M.etcdRecover, { messages: [{ messages: [{}] }] }),
  })
  using client = new AClient()
  const machine = client.machine(server.target(cluster.access))

  await expect(machine.sendSnapshot(broken())).rejects.toThrow(/^the disk is gone$/)
})

test('what a machine says of a configuration is told without its values', () => {
  const words = [
    "this config change can't be applied in immediate mode\ndiff:\n-  token: hidden",
    'unknown keys found during decoding:\nmachine:\n    tokn: hidden\n    list:\n        - hidden\n',
    'line 5: cannot unmarshal !!str `hidden` into bool',
    'unknown keys found during decoding:\nfils:\n    - content: |\n        hidden\n        two hidden\n',
    'unknown keys found during decoding:\nlist:\n    - very hidden\n    - "a: hidden"\n"a b": hidden\n',
  ]

  expect(words.slice(1).map(withoutValues).join()).not.toContain('hidden')
  expect(withoutValues(words[1] ?? '')).toContain('tokn: ***')
})

test('a refused configuration does not show the diff that the machine made', async () => {
  const details = "this config change can't be applied in immediate mode\ndiff:\n- token: hidden"
  const serve = serveOne(M.applyConfiguration, {
    error: { code: status.INVALID_ARGUMENT, details },
  })
  await using server = await AMachine.start({ of: cluster, serve })
  using client = new AClient()
  const configuration = new Secret('version: v1alpha1')

  await expect(
    client
      .machine(server.target(cluster.access))
      .configuration.apply({ configuration, mode: 'auto' }),
  ).rejects.toMatchObject({
    message: expect.stringMatching(/immediate mode \(INVALID_ARGUMENT\)$/),
  })
})

function signalled() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

async function* endless() {
  for (;;) yield Buffer.alloc(64 * 1024)
}

async function* stuck() {
  yield Buffer.from('x')
  await new Promise(() => {})
}

async function* broken() {
  yield Buffer.from('x')
  throw new Error('the disk is gone')
}
