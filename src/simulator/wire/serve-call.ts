import {
  type handleBidiStreamingCall,
  type handleUnaryCall,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { onAbort } from '#base/on-abort.ts'
import { Refusal } from '#simulator/refusal.ts'
import type { Roles } from '#simulator/services/roles.ts'
import { callRoles } from './caller.ts'
import type { Directory, Endpoint } from './endpoint.ts'
import { answerOrForward } from './forwarding.ts'
import { statusOf } from './merge-replies.ts'
import type { WireFaults } from './wire-faults.ts'

/** A call as grpc-js hands it over. */
export interface Arrived
  extends Pick<
    ServerUnaryCall<Uint8Array, Uint8Array>,
    'metadata' | 'cancelled' | 'getPath' | 'getPeer' | 'getAuthContext'
  > {
  once(event: 'cancelled', listener: () => void): unknown
}

/** What serving a call needs to know of its machine and its connection. */
export interface Surroundings {
  readonly endpoint: Endpoint
  readonly directory: Directory
  /** Of the connection; undefined when the call is to stay without an answer. */
  readonly rolesOf: (call: Arrived) => Roles | undefined
  readonly disconnect: (call: Arrived) => void
}

/** Serves the calls that have one request and one reply. */
export const answerUnary =
  (surroundings: Surroundings): handleUnaryCall<Uint8Array, Uint8Array> =>
  (call, reply) => {
    first(replies(surroundings, call, one(call.request))).then(
      (answer) => answer && reply(null, answer),
      (error: unknown) => reply(failure(error)),
    )
  }

/** Serves all others. */
export const answerStream =
  (surroundings: Surroundings): handleBidiStreamingCall<Uint8Array, Uint8Array> =>
  (call) => {
    // A caller that breaks off has said all that there is to say.
    call.on('error', () => {})
    pump(replies(surroundings, call, received(call)), call).catch((error: unknown) => {
      if (!call.cancelled) call.emit('error', failure(error))
    })
  }

async function pump(
  answers: AsyncIterable<Uint8Array>,
  call: ServerDuplexStream<Uint8Array, Uint8Array>,
): Promise<void> {
  for await (const answer of answers) {
    if (call.cancelled) return
    if (!call.write(answer)) await drained(call)
  }
  call.end()
}

const drained = (call: ServerDuplexStream<Uint8Array, Uint8Array>): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      call.off('drain', done)
      call.off('cancelled', done)
      resolve()
    }
    call.on('drain', done)
    call.on('cancelled', done)
    if (call.cancelled) done()
  })

/** What goes back to the caller, if the wire lets it. Nothing at all: the caller is left without an answer. */
export async function* replies(
  surroundings: Surroundings,
  call: Arrived,
  requests: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const { endpoint, directory, disconnect } = surroundings
  const own = surroundings.rolesOf(call)
  if (!own) return
  const path = call.getPath()
  const passing = { path, requests, roles: callRoles(call.metadata, own), signal: signalOf(call) }
  let isFirst = true
  const isLost = () => isFirst && endpoint.faults.losesReply(path)
  try {
    const answers = answerOrForward(endpoint, { ...passing, metadata: call.metadata }, directory)
    for await (const answer of answers) {
      await untilHeard(endpoint.faults, passing.signal)
      if (isLost()) return disconnect(call)
      isFirst = false
      yield answer
    }
  } catch (error) {
    await untilHeard(endpoint.faults, passing.signal)
    if (isLost() || isFromNobody(error, endpoint)) return disconnect(call)
    throw error
  }
}

/** Whether the machine lost its power over the call: one that is off says nothing, not even that. */
const isFromNobody = (error: unknown, { machine }: Endpoint): boolean =>
  error instanceof Refusal && error.code === 'Unavailable' && machine.door === 'shut'

/** Waits while nothing comes through. */
async function untilHeard(faults: WireFaults, signal: AbortSignal): Promise<void> {
  while (faults.isBlackHole && !signal.aborted) await nextChange(faults, signal)
}

const nextChange = (faults: WireFaults, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      for (const cancel of leave) cancel()
      resolve()
    }
    const leave = [faults.onChange(() => done()), onAbort(signal, () => queueMicrotask(done))]
  })

function signalOf(call: Arrived): AbortSignal {
  const stop = new AbortController()
  call.once('cancelled', () => stop.abort())
  return stop.signal
}

async function* one<T>(item: T): AsyncIterable<T> {
  yield item
}

async function* received(
  call: ServerDuplexStream<Uint8Array, Uint8Array>,
): AsyncIterable<Uint8Array> {
  // Who wants one request reads no further; the stream must outlive that, for the replies go over it too.
  yield* call.iterator({ destroyOnReturn: false })
  // A stream that stops half-way has no end, and what came of it is not used.
  if (call.cancelled) throw new Refusal('Unknown', 'context canceled')
}

async function first<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item
  return undefined
}

/** How a call is told that it failed. */
export function failure(error: unknown): Pick<ServiceError, 'code' | 'details'> {
  if (error instanceof Refusal) return { code: statusOf(error), details: error.message }
  const details = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown failure'
  return { code: status.INTERNAL, details: `the simulator failed: ${details}` }
}
