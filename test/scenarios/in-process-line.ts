import { EventEmitter } from 'node:events'
import { PassThrough, Readable, type Writable } from 'node:stream'
import { Metadata } from '@grpc/grpc-js'
import type { Cancel, Clock } from '#base/clock.ts'
import type { Roles } from '#simulator/services/roles.ts'
import { type Arrived, failure, replies, type Surroundings } from '#simulator/wire/serve-call.ts'
import { type CallEnd, CallError } from '#talos/call-error.ts'
import type { Cancellable, Done, Line } from '#talos/line.ts'

// As on the real wire: long enough for an answer to reach its caller.
const GRACE_MS = 200

const NOT_UP: CallEnd = { is: 'unsent', why: 'the connection is gone' }
const DROPPED: CallEnd = { is: 'broken', why: 'the connection broke' }
const CANCELLED: CallEnd = { is: 'broken', why: 'it was cancelled' }

interface Options extends Pick<Surroundings, 'endpoint' | 'directory'> {
  /** What whoever has the connection may do. */
  roles: Roles
  clock: Clock
  /** Told when it takes no more calls. */
  onEnd: (line: InProcessLine) => void
}

/**
 * A connection to a simulated machine within this process: bytes in, bytes out, no wire. It ends, and what is under
 * way breaks off, when it would on one.
 */
export class InProcessLine implements Line {
  readonly #around: Surroundings
  readonly #options: Options
  readonly #open = new Set<OpenCall>()
  readonly #leave: readonly Cancel[]
  #isUp = true

  constructor(options: Options) {
    const { endpoint, directory, roles, clock } = options
    const { machine, faults } = endpoint
    this.#options = options
    this.#around = { endpoint, directory, rolesOf: () => roles, disconnect: () => this.cut() }
    this.#leave = [
      machine.onDoor(() => {
        this.#end()
        clock.after(GRACE_MS, () => this.cut())
      }),
      faults.onChange(() => {
        if (faults.isUnreachable) this.cut()
      }),
    ]
  }

  isUp(): boolean {
    return this.#isUp
  }

  /** What is under way gets no answer. */
  cut(): void {
    this.#end()
    for (const call of [...this.#open]) call.end(DROPPED)
  }

  close(): void {
    this.#end()
    for (const call of [...this.#open]) call.end(CANCELLED)
  }

  #end(): void {
    if (!this.#isUp) return
    this.#isUp = false
    for (const cancel of this.#leave) cancel()
    this.#options.onEnd(this)
  }

  ask(path: string, message: Uint8Array, done: Done): Cancellable {
    const call = this.#begin(path, done)
    this.#answered(call, () => replies(this.#around, call, once(message)), done)
    return call
  }

  follow(path: string, message: Uint8Array): Readable & Cancellable {
    const stream = new Readable({ objectMode: true, read: () => {} })
    const call = this.#begin(path, (error) => stream.destroy(error))
    const answers = () => replies(this.#around, call, once(message))
    void this.#streamed(call, answers, (bytes) => stream.push(bytes ?? null))
    return Object.assign(stream, { cancel: () => call.cancel() })
  }

  upload(path: string, done: Done): Writable & Cancellable {
    const sent = new PassThrough({ objectMode: true })
    const call = this.#begin(path, (error) => {
      sent.destroy()
      done(error)
    })
    this.#answered(call, () => replies(this.#around, call, sent), done)
    return Object.assign<Writable, Cancellable>(sent, { cancel: () => call.cancel() })
  }

  #begin(path: string, failed: (error: CallError) => void): OpenCall {
    const call: OpenCall = new OpenCall(path, (end) => {
      this.#open.delete(call)
      if (end) failed(new CallError(end))
    })
    this.#open.add(call)
    return call
  }

  #answered(call: OpenCall, answers: Answers, done: Done): void {
    void this.#streamed(call, answers, (bytes) => {
      if (bytes && call.end()) done(undefined, bytes)
    })
  }

  /** Undefined is the end. Where nothing comes, it is never told. */
  async #streamed(
    call: OpenCall,
    answers: Answers,
    take: (bytes: Buffer | undefined) => void,
  ): Promise<void> {
    // Whoever asks has the call in hand before it can be over.
    await undefined
    if (!this.#isUp) return void call.end(NOT_UP)
    try {
      for await (const bytes of answers()) {
        if (call.cancelled) return
        take(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      }
      take(undefined)
    } catch (error) {
      call.end({ is: 'said', ...failure(error) })
    }
  }
}

type Answers = () => AsyncIterable<Uint8Array>

/** One call, as both ends see it. */
class OpenCall extends EventEmitter implements Arrived {
  readonly metadata = new Metadata()
  readonly #path: string
  readonly #over: (end: CallEnd | undefined) => void
  cancelled = false
  #isOver = false

  constructor(path: string, over: (end: CallEnd | undefined) => void) {
    super()
    this.#path = path
    this.#over = over
  }

  getPath(): string {
    return this.#path
  }

  getPeer(): string {
    return 'this process'
  }

  getAuthContext() {
    return {}
  }

  cancel(): void {
    this.end(CANCELLED)
  }

  /** It is over, without an answer if one is told why. Says whether it was not before. */
  end(why?: CallEnd): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    if (why) this.cancelled = true
    this.#over(why)
    if (why) this.emit('cancelled')
    return true
  }
}

async function* once<T>(item: T): AsyncIterable<T> {
  yield item
}
