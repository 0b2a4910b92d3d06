import { once } from 'node:events'
import {
  create,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf'
import { forwardAbort } from '#base/deadline.ts'
import { onAbort } from '#base/on-abort.ts'
import { untilAborted } from '#base/share-runs.ts'
import type { Lease } from './connections.ts'
import { grpcMethod, type TypedMethod } from './grpc-definition.ts'

/** What there is of a call, from the moment that there is something. */
export interface Running {
  lease?: Lease
  call?: { cancel(): void }
}

interface Over {
  lease: Lease
  running: Running
  signal: AbortSignal
}

/** Asks, and resolves to the answer. Rejects with what grpc-js says; the signal cancels. */
export const answerTo = <I extends DescMessage, O extends DescMessage>(
  method: TypedMethod<I, O>,
  message: MessageShape<I>,
  { lease, running, signal }: Over,
): Promise<MessageShape<O>> =>
  new Promise((resolve, reject) => {
    const { path, requestSerialize, responseDeserialize } = grpcMethod(method)
    const call = lease.line.calls.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      message,
      (error, answer) => {
        leave()
        if (answer === undefined) reject(error)
        else resolve(answer)
      },
    )
    running.call = call
    lease.onEnd = () => call.cancel()
    const leave = onAbort(signal, () => call.cancel())
  })

/** Asks for a stream. */
export function openStream<I extends DescMessage, O extends DescMessage>(
  method: TypedMethod<I, O>,
  message: MessageShape<I>,
  lease: Lease,
): AsyncIterable<MessageShape<O>> & { cancel(): void } {
  const { path, requestSerialize, responseDeserialize } = grpcMethod(method)
  const stream = lease.line.calls.makeServerStreamRequest(
    path,
    requestSerialize,
    responseDeserialize,
    message,
  )
  // Whoever reads it is told; but one that is cancelled fails when nobody reads it any more.
  stream.on('error', () => {})
  lease.onEnd = () => stream.cancel()
  return stream
}

/** The next message of a stream. The signal cancels the stream. */
export async function nextOf<Message>(
  messages: AsyncIterator<Message>,
  stream: { cancel(): void },
  signal: AbortSignal,
): Promise<IteratorResult<Message>> {
  const leave = onAbort(signal, () => stream.cancel())
  try {
    return await messages.next()
  } finally {
    leave()
  }
}

/** A stream to a machine, which answers at its end, or before when it will not have it. */
interface Upload<I extends DescMessage, O extends DescMessage> {
  call: { cancel(): void }
  /** What the promise yields, or undefined when the answer comes first. */
  orAnswer<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result | undefined>
  /** Resolves when there is room for more. */
  send(message: MessageInitShape<I>, signal: AbortSignal): Promise<void>
  end(signal: AbortSignal): Promise<MessageShape<O>>
}

/** Begins to send. */
export function openUpload<I extends DescMessage, O extends DescMessage>(
  method: TypedMethod<I, O>,
  lease: Lease,
): Upload<I, O> {
  const { path, requestSerialize, responseDeserialize } = grpcMethod(method)
  const { promise: answer, resolve, reject } = settled<MessageShape<O>>()
  // A race with the answer itself would keep all that was sent until the answer comes.
  const answered = new AbortController()
  const orAnswer = <Result>(promise: Promise<Result>, signal: AbortSignal) =>
    unlessAborted(promise, answered.signal, signal)
  const call = lease.line.calls.makeClientStreamRequest<MessageShape<I>, MessageShape<O>>(
    path,
    requestSerialize,
    responseDeserialize,
    (error, message) => {
      if (message === undefined) reject(error)
      else resolve(message)
      answered.abort()
    },
  )
  // It is told by the answer.
  call.on('error', () => {})
  lease.onEnd = () => call.cancel()
  return {
    call,
    orAnswer,
    async send(message, signal) {
      if (call.write(create(method.input, message))) return
      await orAnswer(once(call, 'drain', { signal }), signal)
    },
    end(signal) {
      call.end()
      return untilAborted(answer, signal)
    },
  }
}

/** What the promise yields, or undefined when the first signal aborts; throws when the second one does. */
async function unlessAborted<Result>(
  promise: Promise<Result>,
  ...[quietly, signal]: [quietly: AbortSignal, signal: AbortSignal]
): Promise<Result | undefined> {
  const either = new AbortController()
  const unlink = [quietly, signal].map((from) => forwardAbort(from, either))
  try {
    return await untilAborted(promise, either.signal)
  } catch (error) {
    if (quietly.aborted && !signal.aborted) return undefined
    throw error
  } finally {
    for (const cancel of unlink) cancel()
  }
}

function settled<Result>() {
  let resolve: (result: Result) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<Result>((yes, no) => {
    resolve = yes
    reject = no
  })
  // Whoever waits is told; nobody may wait any more.
  promise.catch(() => {})
  return { promise, resolve, reject }
}
