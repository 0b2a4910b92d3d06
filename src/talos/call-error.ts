import { statusName } from './status.ts'

/**
 * How a call ended that has no answer. `said`: the machine itself ended it, with a status. `unsent`: it
 * never took it up. `broken`: nobody knows. `unreadable`: it answered, with what is no answer. `too-large`: what it would
 * have been asked is more than it takes.
 */
export type CallEnd =
  | { is: 'said'; code: number; details: string }
  | { is: 'unsent' | 'broken' | 'unreadable'; why: string }
  | { is: 'too-large' }

/** A call on a line that has no answer. */
export class CallError extends Error {
  readonly end: CallEnd

  constructor(end: CallEnd) {
    super(wordsOf(end))
    this.end = end
  }
}

function wordsOf(end: CallEnd): string {
  if (end.is === 'said') return `${end.details} (${statusName(end.code)})`
  return end.is === 'too-large' ? 'it is too large' : end.why
}
