// What grpc-js rejects a call with, and what it means. It makes statuses of its own for what happens to
// the connection, and nothing but their texts tells those from the machine's: they are known here only.

import { type ServiceError, status } from '@grpc/grpc-js'
import { messageOf } from '#base/operator-error.ts'
import { MachineError, type Outcome, outcomeOfStatus, saidBy } from './outcome.ts'

/** A call as far as its failure is told. */
export interface Told {
  /** What was tried, as a verb: `bootstrap`, `list the members of etcd of`. */
  what: string
  /** Which machine. */
  where: string
  /** Statuses by which the machine says that it is so already. */
  alreadyDone?: readonly number[]
  /** Takes out of the machine's words what must not be seen. */
  redact?: (words: string) => string
}

/** Whether the request had left us when it failed. */
export type Sent = boolean

const NEVER_TAKEN_UP = /^Stream refused by server/
const BROKEN =
  /^(Connection dropped|Received RST_STREAM|Call cancelled|Cancelled on client|Bandwidth exhausted|Protocol not secure|Write error: |Write failed with error |No status information received|Received HTTP status code )|\b(ECONNRESET|ETIMEDOUT)\b/
const UNREADABLE =
  /^(Response message parsing error|Received message (larger|that decompresses)|Received compressed message|Failed to decompress|No message received|Too many responses received)/
const TOO_LARGE_TO_SEND = /^Attempted to send message/
const NO_CALL =
  /^(No connection established|Name resolution failed|Channel closed|The channel has been closed|Failed to start HTTP\/2 stream)/

/** The error that a failed call is told by. */
export function callFailure(told: Told, error: unknown, sent: Sent): MachineError {
  if (!isStatus(error)) return lostOrUnreachable(told, messageOf(error), { sent, cause: error })
  const { code, details } = error
  if (TOO_LARGE_TO_SEND.test(details)) {
    return failed(told, 'refused', `it is asked more than the 32 MiB that it takes`)
  }
  if (UNREADABLE.test(details)) {
    return failed(told, 'lost', `its answer cannot be read: ${readable(details)}`)
  }
  if (NEVER_TAKEN_UP.test(details) || NO_CALL.test(details)) {
    return lostOrUnreachable(told, details, { sent: false })
  }
  if (BROKEN.test(details)) return lostOrUnreachable(told, details, { sent })
  return answered(told, code, details)
}

function answered(told: Told, code: number, details: string): MachineError {
  const outcome = told.alreadyDone?.includes(code) ? 'already-done' : outcomeOfStatus(code, details)
  const words = saidBy(told.redact ? told.redact(details) : details)
  return new MachineError({
    message: `could not ${told.what} ${told.where}: ${words} (${status[code] ?? code})`,
    outcome,
    status: code,
  })
}

/** The same for what broke on the way, or took too long. */
export const lostOrUnreachable = (
  told: Told,
  why: string,
  { sent, cause }: { sent: Sent; cause?: unknown },
): MachineError =>
  sent
    ? failed(told, 'lost', `its answer did not arrive: ${why}`, cause)
    : failed(told, 'unreachable', why, cause)

const failed = (
  { what, where }: Told,
  outcome: Outcome,
  ...[why, cause]: [why: string, cause?: unknown]
): MachineError =>
  new MachineError({ message: `could not ${what} ${where}: ${why}`, outcome, cause })

/** The library quotes what it could not parse; sizes and kinds are all that is worth telling. */
const readable = (details: string): string => details.slice(0, 200)

const isStatus = (error: unknown): error is ServiceError =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && 'details' in error
