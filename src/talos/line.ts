import type { Readable, Writable } from 'node:stream'
import type { ServiceError } from '@grpc/grpc-js'
import type { MachineTarget } from './machine-target.ts'

/** One method on the wire: where it is called, and how its messages become bytes and back. */
type Method<Request, Answer> = readonly [
  path: string,
  serialize: (request: Request) => Buffer,
  deserialize: (bytes: Buffer) => Answer,
]

/** Told once: the answer, or the error with the status that the machine or the wire gave it. */
type Done<Answer> = (error: ServiceError | null, answer?: Answer) => void

/** What can be stopped; whoever waits for it is told that it was cancelled. */
interface Cancellable {
  cancel(): void
}

/** How calls are made on a line. A grpc-js Client is one of these. */
export interface LineCalls {
  makeUnaryRequest<Request, Answer>(
    ...call: [...Method<Request, Answer>, request: Request, done: Done<Answer>]
  ): Cancellable
  makeServerStreamRequest<Request, Answer>(
    ...call: [...Method<Request, Answer>, request: Request]
  ): Readable & Cancellable
  makeClientStreamRequest<Request, Answer>(
    ...call: [...Method<Request, Answer>, done: Done<Answer>]
  ): Writable & Cancellable
}

/**
 * One connection to one machine, from when it is up until it breaks or is closed. It never comes up
 * again: a call on one that is not up fails with Unavailable and `No connection established`, unsent.
 */
export interface Line {
  readonly calls: LineCalls
  isUp(): boolean
  close(): void
}

/**
 * Connects to a machine that is who it should be. Throws a MachineError otherwise, and the signal's
 * reason when that aborts.
 */
export type Dial = (target: MachineTarget, signal: AbortSignal) => Promise<Line>
