import { type FieldError, invalidField, wholeObject } from '#apiserver/field-error.ts'
import type { Steps } from '#apiserver/steps.ts'
import type { Spend } from '#base/regex/spend.ts'
import type { SchemaNode } from './node.ts'
import { isUnchanged, type Pair, pairAt } from './ratchet.ts'

/** One validation of one value: where it is, and what it found. */
export interface Run {
  errors: FieldError[]
  /** How many checks were made: of alternatives that all fail, the one with the most is told about. */
  matches: number
  readonly path: (string | number)[]
  /** What the path begins with in the names of fields, but not in messages: `status`, or nothing. */
  readonly base: string
  /** Where the value is now, and what it was; undefined where that has no meaning. */
  pair: Pair | undefined
  /** For patterns, of what the whole may take. */
  readonly spend: Spend
  readonly check: (node: SchemaNode, value: unknown, run: Run) => Steps<void>
}

/** Checks a value with all that is below it; forgives what is wrong with it if it is unchanged. */
export function* visit(node: SchemaNode, value: unknown, run: Run): Steps<void> {
  const before = run.errors.length
  yield* run.check(node, value, run)
  if (run.pair && run.errors.length > before && (yield* isUnchanged(run.pair))) {
    run.errors.length = before
  }
}

/** Steps into a field or an item. Hand what it returns to `leave`. */
export function enter(run: Run, key: string | number): Pair | undefined {
  const outer = run.pair
  if (outer) {
    // Old and new are converted to the same version, so a change of these would not be seen.
    const isTypeMeta = run.path.length === 0 && (key === 'kind' || key === 'apiVersion')
    run.pair = isTypeMeta ? undefined : pairAt(outer, key)
  }
  run.path.push(key)
  return outer
}

export function leave(run: Run, outer: Pair | undefined): void {
  run.path.pop()
  run.pair = outer
}

/** The path as it stands in messages: `spec.list[0].name`; nothing for the root. */
export function pathText({ path }: Run): string {
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else text += text === '' ? key : `.${key}`
  }
  return text
}

/** The name of the field that a run is at, or of one below it. */
export function fieldName(run: Run, below = ''): string {
  const path = pathText(run)
  const name = below && path ? `${path}.${below}` : below || path
  if (run.base === '') return name || wholeObject
  return name ? `${run.base}.${name}` : run.base
}

/** Adds an error about a value at the field that a run is at. */
export function report(run: Run, value: unknown, detail: string): void {
  run.errors.push(invalidField(fieldName(run), value, `${pathText(run)} in body ${detail}`))
}

/** Adds an error that Kubernetes pins to no field. */
export function reportLoose(run: Run, detail: string): void {
  run.errors.push(invalidField(run.base || wholeObject, '', detail))
}
