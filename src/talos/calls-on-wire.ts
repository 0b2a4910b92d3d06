import { once } from 'node:events'
import type { Readable } from 'node:stream'
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import { DeadlineExceeded, forwardAbort, type Limit } from '#base/deadline.ts'
import { onAbort } from '#base/on-abort.ts'
import { messageOf } from '#base/operator-error.ts'
import { untilAborted } from '#base/share-runs.ts'
import { CallError } from './call-error.ts'
import type { Lease } from './connections.ts'
import { pathOf, type TypedMethod } from './typed-method.ts'

// The library quotes what it could not parse; sizes and kinds are all that is worth telling.
const LONGEST_REASON = 200

/** What there is of a call, from the moment that there is something. */
export interface Running {
  lease?: Lease
  call?: { cancel(): void }
}

interface Over {
  lease: Lease
  running: Running
  limit: Limit
}

/**
 * Asks, and resolves to the answer. Rejects with a CallError, with DeadlineExceeded, or with the signal's reason. Ten
 * of these are a look at a machine, so none makes a signal of its own: that takes as long as the question.
 */
export const answerTo = <I extends DescMessage, O extends DescMessage>(
  method: TypedMethod<I, O>,
  message: Uint8Array,
  { lease, running, limit: { clock, deadlineMs, signal } }: Over,
): Promise<MessageShape<O>> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const call = lease.line.ask(pathOf(method), message, (error, bytes) => {
      leave()
      if (bytes === undefined) reject(error)
      else settle(() => read(method, bytes), resolve, reject)
    })
    running.call = call
    lease.onEnd = () => call.cancel()
    const stop = (why: unknown) => {
      reject(why)
      call.cancel()
    }
    const cancel = clock.after(deadlineMs, () => stop(new DeadlineExceeded(deadlineMs)))
    const unlink = signal && onAbort(signal, () => stop(signal.reason))
    const leave = () => {
      cancel()
      unlink?.()
    }
  })

/** The bytes of a message. */
export const written = <I extends DescMessage>(of: I, message: MessageInitShape<I>): Uint8Array =>
  toBinary(of, create(of, message))

/** A stream of messages. */
interface Followed<Message> {
  /** The next one, if it is there already. */
  ready(): Message | undefined
  /** The next one; undefined after the last one. Rejects with a CallError; the signal cancels. */
  next(signal: AbortSignal): Promise<Message | undefined>
  cancel(): void
}

/** Asks for a stream. */
export function openStream<I extends DescMessage, O extends DescMessage>(
  method: TypedMethod<I, O>,
  message: MessageShape<I>,
  lease: Lease,
): Followed<MessageShape<O>> {
  const stream = lease.line.follow(pathOf(method), toBinary(method.input, message))
  // Whoever reads it is told; but one that is cancelled fails when nobody reads it any more.
  stream.on('error', () => {})
  const cancel = () => stream.cancel()
  lease.onEnd = cancel
  const ready = () => {
    const bytes: Buffer | null = stream.read()
    return bytes === null ? undefined : read(method, bytes)
  }
  return {
    ...{ cancel, ready },
    async next(signal) {
      for (;;) {
        const found = ready()
        if (found !== undefined || isOver(stream)) return found
        const leave = onAbort(signal, cancel)
        await moreOf(stream)
        leave()
      }
    },
  }
}

/** Whether all of it has been read. Throws when there is more, and it will not come. */
function isOver(stream: Readable): boolean {
  if (stream.errored) throw stream.errored
  if (stream.readableEnded) return true
  if (stream.destroyed) throw new CallError({ is: 'broken', why: 'it was given up' })
  return false
}

/** Resolves when there is more to read, or never will be. */
const moreOf = (stream: Readable): Promise<void> =>
  new Promise((resolve) => {
    const events = ['readable', 'end', 'error', 'close']
    const done = () => {
      for (const event of events) stream.off(event, done)
      resolve()
    }
    for (const event of events) stream.on(event, done)
  })

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
  const { promise: answer, resolve, reject } = settled<MessageShape<O>>()
  // A race with the answer itself would keep all that was sent until the answer comes.
  const answered = new AbortController()
  const orAnswer = <Result>(promise: Promise<Result>, signal: AbortSignal) =>
    unlessAborted(promise, answered.signal, signal)
  const call = lease.line.upload(pathOf(method), (error, bytes) => {
    if (bytes === undefined) reject(error)
    else settle(() => read(method, bytes), resolve, reject)
    answered.abort()
  })
  // It is told by the answer.
  call.on('error', () => {})
  lease.onEnd = () => call.cancel()
  return {
    call,
    orAnswer,
    async send(message, signal) {
      if (call.write(toBinary(method.input, create(method.input, message)))) return
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

/** The message that an answer is. */
function read<O extends DescMessage>(
  { output }: TypedMethod<DescMessage, O>,
  bytes: Buffer,
): MessageShape<O> {
  try {
    return fromBinary(output, bytes)
  } catch (cause) {
    throw new CallError({ is: 'unreadable', why: messageOf(cause).slice(0, LONGEST_REASON) })
  }
}

function settle<Result>(
  make: () => Result,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): void {
  try {
    resolve(make())
  } catch (error) {
    reject(error)
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
