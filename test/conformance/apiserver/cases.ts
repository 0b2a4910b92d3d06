import type { Stage } from './stage.ts'

/** Requests of which every answer must be the same from the real and from the embedded API. */
export interface Case {
  /** A sentence, unique in its subject. */
  name: string
  /** Plays it on one API. It has a namespace of its own, called as its `id`, unless it says `alone`. */
  play(stage: Stage): Promise<unknown>
  /** Needs no namespace. */
  alone?: true
  /** Why the embedded API answers otherwise. A case that says so must really differ. */
  differs?: string
}

export interface Subject {
  subject: string
  cases: readonly Case[]
}

/** A case of one call. */
export const asking = (
  name: string,
  play: Case['play'],
  rest: Partial<Pick<Case, 'alone' | 'differs'>> = {},
): Case => ({ name, play, ...rest })
