import { atOnce, type Steps } from '#apiserver/steps.ts'
import type { Reading } from './reading.ts'

/**
 * Reads a JSON value into a Go type and writes it again, in one. Null never comes here: whoever holds the
 * value knows what Go has in place of it.
 */
export interface Decoder {
  /** What would be written. Throws `Unreadable`; may return the very value that it was given. */
  read(value: unknown, reading: Reading): unknown
  /** The same, with pauses: of types that may hold much. */
  readInSteps?(value: unknown, reading: Reading): Steps<unknown>
  /** What is written for nothing at all. */
  zero(): unknown
  /** Whether Go takes what was read for empty, and leaves it out where it may. Never true of a struct. */
  isEmpty(value: unknown): boolean
}

/** A decoder of a type that may hold much. */
export const inSteps = (
  readInSteps: (value: unknown, reading: Reading) => Steps<unknown>,
  others: Pick<Decoder, 'zero' | 'isEmpty'>,
): Decoder => ({
  read: (value, reading) => atOnce(readInSteps(value, reading)),
  readInSteps,
  ...others,
})
