// What a machine can do to a call that no gRPC server does, and what becomes of the call then.

import { once } from 'node:events'
import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { Credentials } from '#base/x509.ts'
import { aCluster, serverCertificate } from './a-machine.cases.ts'
import type { CallEnd, CallError } from './call-error.ts'
import { networkDial } from './dial.ts'
import { framed } from './framing.ts'
import type { Line } from './line.ts'
import { status } from './status.ts'

const PATH = '/machine.MachineService/Version'
const HEADERS = { ':status': 200, 'content-type': 'application/grpc' }
const cluster = aCluster()
const message = (text: string) => framed(Buffer.from(text))

test.each<[string, (stream: ServerHttp2Stream) => void, Partial<CallEnd>]>([
  [
    'refuses the stream',
    (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
    { is: 'unsent' },
  ],
  [
    'resets the stream',
    (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
    { is: 'broken' },
  ],
  ['ends the session', (stream) => stream.session?.destroy(), { is: 'broken' }],
  [
    'is a proxy that has no machine',
    (stream) => stream.respond({ ':status': 502 }, { endStream: true }),
    { is: 'broken', why: 'it answered with the HTTP status 502' },
  ],
  [
    'ends without a status',
    (stream) => {
      stream.respond(HEADERS)
      stream.end(message('answer'))
    },
    { is: 'broken' },
  ],
  [
    'says no at once, in words that are not ASCII',
    (stream) =>
      stream.respond(
        { ...HEADERS, 'grpc-status': '7', 'grpc-message': 'd%C3%BCrfen Sie nicht' },
        { endStream: true },
      ),
    { is: 'said', code: status.PERMISSION_DENIED, details: 'dürfen Sie nicht' },
  ],
  [
    'says no in words that are spelled wrong',
    (stream) =>
      stream.respond(
        { ...HEADERS, 'grpc-status': '2', 'grpc-message': '100 %' },
        { endStream: true },
      ),
    { is: 'said', code: status.UNKNOWN, details: '100 %' },
  ],
  [
    'ends with what is no status',
    (stream) => stream.respond({ ...HEADERS, 'grpc-status': 'fine' }, { endStream: true }),
    { is: 'broken' },
  ],
  ['answers nothing, well', (stream) => answer(stream, []), { is: 'unreadable' }],
  [
    'answers twice',
    (stream) => answer(stream, [message('one'), message('two')]),
    { is: 'unreadable' },
  ],
  [
    'answers half a message, well',
    (stream) => answer(stream, [message('answer').subarray(0, 8)]),
    { is: 'unreadable' },
  ],
])('when the machine %s, the call is told so', async (_what, serve, end) => {
  await using machine = await aMachine(serve)

  const failure = await asked(machine.line).catch((error: CallError) => error.end)

  expect(failure).toMatchObject(end)
})

test('when the machine drops the connection, the call is told so', async () => {
  let arrived = () => {}
  const hasArrived = new Promise<void>((resolve) => {
    arrived = resolve
  })
  await using machine = await aMachine(() => arrived())
  const under = asked(machine.line).catch((error: CallError) => error.end)
  await hasArrived

  machine.drop()

  expect(await under).toMatchObject({ is: 'broken' })
  expect(machine.line.isUp()).toBe(false)
})

test('a machine that is about to go takes no more calls, and ends the one that it has', async () => {
  let go = () => {}
  await using machine = await aMachine((stream) => {
    stream.session?.goaway(constants.NGHTTP2_NO_ERROR, stream.id)
    go = () => answer(stream, [message('answer')])
  })
  const under = asked(machine.line)
  await until(() => !machine.line.isUp())

  await expect(asked(machine.line)).rejects.toMatchObject({ end: { is: 'unsent' } })
  go()
  await expect(under).resolves.toBe('answer')
})

test('a stream waits for its reader, and nothing of it is lost', async () => {
  const pieces = Array.from({ length: 2_000 }, (_, at) => `${at}:${'x'.repeat(1_000)}`)
  let sent = 0
  const sendAll = async (stream: ServerHttp2Stream) => {
    respond(stream)
    for (const piece of pieces) {
      if (!stream.write(message(piece))) await once(stream, 'drain')
      sent += 1
    }
    stream.end()
  }
  await using machine = await aMachine((stream) => void sendAll(stream))
  const stream = machine.line.follow(PATH, Buffer.alloc(0))
  const found: string[] = []

  await once(stream, 'readable')
  for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve))
  const before = sent
  for await (const bytes of stream) found.push(String(bytes))

  expect(before).toBeLessThan(pieces.length)
  expect(found).toEqual(pieces)
})

test('an upload that is answered before its end is answered', async () => {
  await using machine = await aMachine((stream) =>
    stream.once('data', () => answer(stream, [message('enough')])),
  )
  const said = new Promise((resolve, reject) => {
    const upload = machine.line.upload(PATH, (error, bytes) =>
      error ? reject(error) : resolve(String(bytes)),
    )
    upload.write(Buffer.from('begin'))
  })

  await expect(said).resolves.toBe('enough')
})

test('who does not speak HTTP/2 is no machine', async () => {
  const { certificate, key } = serverCertificate(cluster)
  const server = createServer({ cert: certificate, key: key.open() })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const at = server.address() as AddressInfo // Of a server that listens on a port.
  await expect(dialled(at)).rejects.toMatchObject({
    outcome: 'unreachable',
    message: expect.stringContaining('it does not speak HTTP/2'),
  })
  server.close()
})

test.each([
  [['localhost'], undefined],
  [['elsewhere'], 'another-address'],
  // Nobody looks at the name of the subject.
  [['127.0.0.1'], 'another-address'],
])('a machine that is dialled by name is known by it: %j', async (hosts, mismatch) => {
  await using server = await aServer(() => {}, serverCertificate(cluster, { hosts }))

  const dial = dialled({ ...server.at, address: 'localhost' })

  if (mismatch) await expect(dial).rejects.toMatchObject({ mismatch })
  else (await dial).close()
})

async function aServer(
  serve: (stream: ServerHttp2Stream) => void,
  { certificate, key }: Credentials,
) {
  const server = createSecureServer({ cert: certificate, key: key.open() })
  server.on('stream', (stream) => {
    stream.on('error', () => {})
    serve(stream)
  })
  server.on('sessionError', () => {})
  const sockets: TLSSocket[] = []
  server.on('secureConnection', (socket) => sockets.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address() as AddressInfo // Of a server that listens on a port.
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { at, drop, [Symbol.asyncDispose]: async () => void server.close() }
}

/** One that lets everybody in who trusts it, and a line to it. */
async function aMachine(serve: (stream: ServerHttp2Stream) => void) {
  const server = await aServer(serve, serverCertificate(cluster))
  const line = await dialled(server.at)
  return {
    line,
    drop: server.drop,
    [Symbol.asyncDispose]: async () => {
      line.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

const dialled = ({ address, port }: Pick<AddressInfo, 'address' | 'port'>): Promise<Line> =>
  networkDial({ clock: systemClock, dialMs: 5_000 })(
    { address, port, access: cluster.access },
    new AbortController().signal,
  )

const asked = (line: Line): Promise<string> =>
  new Promise((resolve, reject) => {
    line.ask(PATH, Buffer.from('question'), (error, bytes) =>
      error ? reject(error) : resolve(String(bytes)),
    )
  })

function respond(stream: ServerHttp2Stream): void {
  stream.respond(HEADERS, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
}

function answer(stream: ServerHttp2Stream, messages: Buffer[]): void {
  respond(stream)
  for (const one of messages) stream.write(one)
  stream.end()
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}
