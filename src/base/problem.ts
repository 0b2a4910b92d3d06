/** What a person is told: what happened, why it matters here, what to do about it. */
export interface Problem {
  what: string
  why: string
  remedy: string
}

/** An error that is complete without its stack, told apart from a bug by its name. */
export function problem({ what, why, remedy }: Problem): Error {
  const error = new Error(`${what}\n  why: ${why}\n  what to do: ${remedy}`)
  error.name = 'Problem'
  return error
}
