import { parseBytes } from '#machineconfig/read/leaves/byte-size.ts'
import { type Section, sectionAt, textAt, valueAt } from '#machineconfig/validate/checks/fields.ts'
import { expressionProblem } from '#machineconfig/validate/expressions/expression.ts'

interface Demands {
  /** Whether a disk and a size must be named. */
  readonly required: boolean
  /** Whether sizes have a meaning. */
  readonly sized: boolean
}

/** Whether nothing is said of where and how large a volume is. */
export const isUnprovisioned = (provisioning: Section): boolean =>
  valueAt(provisioning, 'grow') === undefined &&
  textAt(provisioning, 'minSize') === '' &&
  textAt(provisioning, 'maxSize') === '' &&
  matchOf(provisioning) === ''

/** What is wrong with where and how large a volume is to be. */
export function* provisioningErrors(provisioning: Section, demands: Demands): Iterable<string> {
  const match = matchOf(provisioning)
  const problem = match === '' ? undefined : expressionProblem(match, 'disk')
  if (problem !== undefined) yield `disk selector is invalid: ${problem}`
  if (match === '' && demands.required) yield 'disk selector is required'
  yield* demands.sized ? sizeErrors(provisioning, demands.required) : noSizeErrors(provisioning)
}

const matchOf = (provisioning: Section): string =>
  textAt(sectionAt(provisioning, 'diskSelector'), 'match')

function* sizeErrors(provisioning: Section, required: boolean): Iterable<string> {
  const min = textAt(provisioning, 'minSize')
  const max = textAt(provisioning, 'maxSize')
  if (required && min === '' && max === '') yield 'min size or max size is required'
  if (isGreaterSize(min, max)) yield 'min size is greater than max size'
  if (min.startsWith('-')) yield 'min size cannot be negative'
}

function* noSizeErrors(provisioning: Section): Iterable<string> {
  const isSized = ['minSize', 'maxSize', 'grow'].some(
    (key) => valueAt(provisioning, key) !== undefined,
  )
  if (isSized) yield 'min size, max size and grow are not supported'
}

/** Compares sizes without their sign, as Talos does; an unset one or a share of the disk has none. */
export function isGreaterSize(min: string, max: string): boolean {
  if (max.startsWith('-') || max.endsWith('%')) return false
  const least = parseBytes(min.replace(/^-/, ''))
  const most = parseBytes(max)
  return typeof least === 'number' && typeof most === 'number' && least > most
}
