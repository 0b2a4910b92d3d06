import type { Kind } from '#api/meta.ts'
import { messageOf } from '#base/operator-error.ts'
import { ApiError } from '#kube/api-error.ts'
import type { Definition, Told } from './definition.ts'

/** A step in the words of its controller, or in its own. */
export function wordsFor<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
  step: Step,
): Told {
  const tell: Readonly<Record<string, Words<Step> | undefined>> = definition.tell ?? {}
  return tell[step.do]?.(step) ?? toldOf(step)
}

// A method, because the compiler lets a method take less than all steps.
type Words<Step> = { of(step: Step): Told }['of']

/** That a step could not be done, and why. */
export const failureOf = ({ deed }: Told, failure: unknown): string =>
  `could not ${deed}: ${reasonOf(failure)}`

/** An API error begins with what could not be done, which the step says in words that users know. */
const reasonOf = (failure: unknown): string =>
  failure instanceof ApiError
    ? failure.message.replace(/^could not [^:]*: /, '')
    : messageOf(failure)

/** A step in words, where its controller has none: the reasons from what it does, and all it says. */
export function toldOf(step: { do: string }): Told {
  const { do: what, ...rest } = step
  const parts = Object.entries(rest).map(([key, value]) => `${key} ${textOf(value)}`)
  const reason = what.charAt(0).toUpperCase() + what.slice(1)
  const deed = [wordsOf(what), parts.join(', ')].filter(Boolean).join(': ')
  return { reason, failure: `Failed${reason}`, deed, done: `done: ${deed}` }
}

/** `startBackup` → `start backup`. */
const wordsOf = (what: string): string =>
  what.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
