import { messageOf } from '#base/operator-error.ts'
import { CallError } from './call-error.ts'
import { MachineError, type Outcome, outcomeOfStatus, saidBy } from './outcome.ts'
import { statusName } from './status.ts'

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

/** The error that a failed call is told by. */
export function callFailure(told: Told, error: unknown, sent: Sent): MachineError {
  if (!(error instanceof CallError)) {
    return lostOrUnreachable(told, messageOf(error), { sent, cause: error })
  }
  const { end } = error
  switch (end.is) {
    case 'said':
      return answered(told, end.code, end.details)
    case 'too-large':
      return failed(told, 'refused', `it is asked more than the 32 MiB that it takes`)
    case 'unreadable':
      return failed(told, 'lost', `its answer cannot be read: ${end.why}`)
    case 'unsent':
      return lostOrUnreachable(told, end.why, { sent: false })
    case 'broken':
      return lostOrUnreachable(told, end.why, { sent })
  }
}

function answered(told: Told, code: number, details: string): MachineError {
  const outcome = told.alreadyDone?.includes(code) ? 'already-done' : outcomeOfStatus(code, details)
  const words = saidBy(told.redact ? told.redact(details) : details)
  return new MachineError({
    message: `could not ${told.what} ${told.where}: ${words} (${statusName(code)})`,
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
