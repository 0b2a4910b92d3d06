import type { Value } from '#machineconfig/document.ts'

/** What is there and what a patch brings; undefined is what Go holds for something never set. */
export interface Sides {
  readonly left: Value | undefined
  readonly right: Value | undefined
}

/** Whether a value is a list. */
export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value)

/** Whether there is anything: a pointer in a list or a map may be null. */
export const isSet = (value: Value | undefined): value is Exclude<Value, null> =>
  value !== undefined && value !== null
