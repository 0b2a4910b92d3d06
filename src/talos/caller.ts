import {
  create,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf'
import type { Clock } from '#base/clock.ts'
import { DeadlineExceeded, type Limit, withDeadline } from '#base/deadline.ts'
import { messageOf, OperatorError } from '#base/operator-error.ts'
import { callFailure, lostOrUnreachable, type Told } from './call-failure.ts'
import { answerTo, openStream, openUpload, type Running, written } from './calls-on-wire.ts'
import type { Lease, Leases } from './connections.ts'
import { DEADLINES, type Pace } from './deadlines.ts'
import { type MachineTarget, wordsFor } from './machine-target.ts'
import { OneConnection } from './one-connection.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { TypedMethod } from './typed-method.ts'

/** What whoever makes a call can say about it. */
export interface CallOptions {
  /** Ends the call; it then rejects with the signal's reason. */
  signal?: AbortSignal
  /** How long it may take to connect, and then to answer. For a stream: how long it may be silent. */
  deadlineMs?: number
}

/** A call as its wrapper knows it. */
export interface Call<I extends DescMessage, O extends DescMessage> extends Omit<Told, 'where'> {
  method: TypedMethod<I, O>
  pace: Pace
  options?: CallOptions | undefined
}

/** What a call came to, for whoever counts them. */
export interface CallReport {
  /** `machine.MachineService/Version` */
  method: string
  outcome: Outcome | 'done' | 'stopped' | 'failed'
  seconds: number
}

/** What callers share. */
export interface Surroundings {
  clock: Clock
  connections: Leases
  onCall?: ((report: CallReport) => void) | undefined
}

/** What becomes of a connection that was lent. Left out: whoever comes next has it, for a while. */
export interface Binding<Result> {
  /** After a result of which this is so it is closed; who uses it as well keeps it. */
  isLast?: (result: Result) => boolean
  /** Nobody uses it afterwards: who asks next dials, and so finds out whether that can still be done. */
  isNone?: boolean
}

/**
 * Makes calls to one machine. Each has a deadline, and throws a MachineError that says what became of
 * it; what is wrong before any machine is asked, such as an address that is none, is an OperatorError.
 */
export class Caller {
  readonly #target: MachineTarget
  readonly #around: Surroundings
  readonly where: string

  constructor(target: MachineTarget, around: Surroundings) {
    this.#target = target
    this.#around = around
    this.where = wordsFor(target)
  }

  /** Lends a caller, for as long as the work takes, all of whose calls go over one connection. */
  async bound<Result>(
    work: (same: Caller) => Promise<Result>,
    { isLast = () => false, isNone = false }: Binding<Result> = {},
  ): Promise<Result> {
    const connections = new OneConnection(this.#around.connections)
    let forGood = false
    try {
      const result = await work(new Caller(this.#target, { ...this.#around, connections }))
      forGood = isLast(result)
      return result
    } finally {
      connections.end({ forGood, isNone })
    }
  }

  /** One question, one answer. Whoever asks the same often can write it once, and give its bytes. */
  async ask<I extends DescMessage, O extends DescMessage>(
    call: Call<I, O>,
    request: MessageInitShape<I> | Uint8Array,
  ): Promise<MessageShape<O>> {
    const running = this.#begin(call)
    try {
      const message = request instanceof Uint8Array ? request : written(call.method.input, request)
      const lease = this.#ready(call) ?? (await this.#lease(call))
      running.lease = lease
      if (call.pace === 'slow') lease.leavePlace()
      const limit = this.#limit(call)
      const answer = await answerTo(call.method, message, { running, lease, limit })
      running.report('done')
      return answer
    } catch (error) {
      throw this.#failure(call, error, running)
    } finally {
      running.lease?.release()
    }
  }

  /** One question, many messages, until the machine ends it or the caller has enough. */
  async *follow<I extends DescMessage, O extends DescMessage>(
    call: Call<I, O>,
    request: MessageInitShape<I>,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const running = this.#begin(call)
    try {
      const lease = this.#ready(call) ?? (await this.#lease(call))
      running.lease = lease
      if (call.pace === 'slow') lease.leavePlace()
      const stream = openStream(call.method, create(call.method.input, request), lease)
      running.call = stream
      for (;;) {
        const next = stream.ready() ?? (await this.#inTime(call, (signal) => stream.next(signal)))
        if (next === undefined) break
        yield next
      }
      running.report('done')
    } catch (error) {
      throw this.#failure(call, error, running)
    } finally {
      running.call?.cancel()
      running.lease?.release()
      running.report('stopped')
    }
  }

  /** Many messages up, one answer. Whatever the messages throw ends the call, and is thrown. */
  async upload<I extends DescMessage, O extends DescMessage>(
    call: Call<I, O>,
    requests: AsyncIterable<MessageInitShape<I>>,
  ): Promise<MessageShape<O>> {
    const running = this.#begin(call)
    try {
      const lease = this.#ready(call) ?? (await this.#lease(call))
      running.lease = lease
      if (call.pace === 'slow') lease.leavePlace()
      const up = openUpload(call.method, lease)
      running.call = up.call
      const messages = noting(requests, running)
      running.source = messages
      for (;;) {
        const next = await this.#inTime(call, (signal) => up.orAnswer(messages.next(), signal))
        if (!next || next.done) break
        await this.#inTime(call, (signal) => up.send(next.value, signal))
      }
      const answer = await this.#inTime(call, (signal) => up.end(signal))
      running.report('done')
      return answer
    } catch (error) {
      throw this.#failure(call, error, running)
    } finally {
      running.call?.cancel()
      running.lease?.release()
      // Not waited for: it may be what took too long.
      running.source?.return().catch(() => {})
    }
  }

  /** Most calls find a connection, and need not wait for one. */
  #ready({ options }: Pick<Call<DescMessage, DescMessage>, 'options'>): Lease | undefined {
    options?.signal?.throwIfAborted()
    return this.#around.connections.ready(this.#target)
  }

  /** The wait for a turn to dial is not the machine's: how long that may take is for who dials to say. */
  #lease({ options }: Pick<Call<DescMessage, DescMessage>, 'options'>): Promise<Lease> {
    return this.#inTime({ pace: 'connect', options }, (signal) =>
      this.#around.connections.lease(this.#target, signal),
    )
  }

  #inTime<Result>(paced: Paced, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return withDeadline(this.#limit(paced), work)
  }

  #limit({ pace, options }: Paced): Limit {
    const deadlineMs = options?.deadlineMs ?? DEADLINES[pace]
    const { clock } = this.#around
    const { signal } = options ?? {}
    return { clock, deadlineMs, ...(signal && { signal }) }
  }

  #begin({ method }: { method: TypedMethod<DescMessage, DescMessage> }): Reporting {
    const { clock, onCall } = this.#around
    const start = clock.monotonicMs()
    let isTold = false
    return {
      report: (outcome) => {
        if (isTold) return
        isTold = true
        const seconds = (clock.monotonicMs() - start) / 1_000
        onCall?.({ method: `${method.parent.typeName}/${method.name}`, outcome, seconds })
      },
    }
  }

  /** What is thrown for it. The reason of the caller's own signal is what the caller knows it by. */
  #failure(
    call: Omit<Told, 'where'> & { options?: CallOptions | undefined },
    error: unknown,
    running: Reporting,
  ): unknown {
    const { signal } = call.options ?? {}
    if (signal?.aborted && error === signal.reason) {
      running.report('stopped')
      return error
    }
    const failure = this.#failureOf({ ...call, where: this.where }, error, running)
    running.report(outcomeOf(failure) ?? 'failed')
    return failure
  }

  #failureOf(told: Told, error: unknown, { call, lease, ofSource }: Reporting): unknown {
    if (error instanceof OperatorError || error === ofSource?.error) return error
    // It was given to a connection that was up.
    const sent = call !== undefined
    if (error instanceof DeadlineExceeded) {
      // A machine without power answers nothing, and nothing says that the connection is gone.
      lease?.distrust()
      return lostOrUnreachable(told, messageOf(error), { sent, cause: error })
    }
    return callFailure(told, error, sent)
  }
}

interface Paced {
  pace: keyof typeof DEADLINES
  options?: CallOptions | undefined
}

/** A call under way. */
interface Reporting extends Running {
  /** Tells what it came to; only the first time. */
  report: (outcome: CallReport['outcome']) => void
  /** What the messages to be sent failed with. */
  ofSource?: { error: unknown }
  /** Where the messages to be sent come from. */
  source?: { return(): Promise<unknown> }
}

/** The messages, with a note of what their source throws: that is not the machine's doing. */
async function* noting<Message>(
  messages: AsyncIterable<Message>,
  running: Reporting,
): AsyncGenerator<Message, void, void> {
  try {
    yield* messages
  } catch (error) {
    running.ofSource = { error }
    throw error
  }
}
