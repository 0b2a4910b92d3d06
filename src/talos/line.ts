import type { Readable, Writable } from 'node:stream'
import type { CallError } from './call-error.ts'
import type { MachineTarget } from './machine-target.ts'

/** Told once: the answer, or why there is none. */
export type Done = (error: CallError | undefined, answer?: Buffer) => void

/** What can be stopped; whoever waits for it is told that it broke off. */
export interface Cancellable {
  cancel(): void
}

/**
 * One connection to one machine, from when it is up until it breaks or is closed. It never comes up
 * again: a call on one that is not up fails unsent. Messages are bytes here, and whatever fails does so with a CallError.
 */
export interface Line {
  /** One message, one answer. `path` is that of the method. */
  ask(path: string, message: Uint8Array, done: Done): Cancellable
  /** One message, any number of answers. */
  follow(path: string, message: Uint8Array): Readable & Cancellable
  /** Any number of messages, one answer. */
  upload(path: string, done: Done): Writable & Cancellable
  isUp(): boolean
  close(): void
}

/**
 * Connects to a machine that is who it should be. Throws a MachineError otherwise, and the signal's
 * reason when that aborts.
 */
export type Dial = (target: MachineTarget, signal: AbortSignal) => Promise<Line>
