import type { CharacterTest } from './character-test.ts'

/** A regular expression of RE2, taken apart. */
export type RegexNode =
  | { is: 'empty' }
  | { is: 'characters'; matches: CharacterTest }
  | { is: 'assertion'; of: Assertion }
  | { is: 'sequence' | 'choice'; parts: readonly RegexNode[] }
  | Repetition

export interface Repetition extends Repeat {
  is: 'repetition'
  part: RegexNode
  greedy: boolean
}

export type Assertion = 'start' | 'end' | 'lineStart' | 'lineEnd' | 'boundary' | 'noBoundary'

/** How often something is there; the most may be infinite. */
export interface Repeat {
  min: number
  max: number
}
