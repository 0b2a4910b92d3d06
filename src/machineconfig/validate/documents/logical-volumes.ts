import type { ValueMap } from '#machineconfig/document.ts'
import {
  numberAt,
  type Section,
  sectionAt,
  textAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import { expressionProblem } from '#machineconfig/validate/expressions/expression.ts'
import { isGreaterSize } from './provisioning.ts'

const LONGEST_NAME = 63
const LONGEST_RAID_NAME = 32

/** What is wrong with a group of volumes. */
export function* volumeGroupErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields)
  yield* selectorErrors(fields)
}

/** What is wrong with an array of disks. */
export function* raidErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields, LONGEST_RAID_NAME)
  yield* selectorErrors(fields)
}

function* selectorErrors(fields: ValueMap): Iterable<string> {
  const key = 'provisioning.volumeSelector.match'
  const match = textAt(sectionAt(sectionAt(fields, 'provisioning'), 'volumeSelector'), 'match')
  const problem = match === '' ? undefined : expressionProblem(match, 'volume')
  if (match === '') yield `${key} is required`
  if (problem !== undefined) yield `${key}: ${problem}`
}

/** What is wrong with a volume in such a group. */
export function* logicalVolumeErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields)
  const type = textAt(fields, 'type') || 'linear'
  yield* countErrors(fields, { key: 'mirrors', types: ['raid1', 'raid10'], least: 1, type })
  yield* countErrors(fields, { key: 'stripes', types: ['raid0', 'raid10'], least: 2, type })
  yield* sizeErrors(sectionAt(fields, 'provisioning'))
}

interface Count {
  readonly key: string
  /** Which types have a use for it. */
  readonly types: readonly string[]
  readonly least: number
  readonly type: string
}

function* countErrors(fields: ValueMap, { key, types, least, type }: Count): Iterable<string> {
  if (valueAt(fields, key) === undefined) return
  if (!types.includes(type)) yield `${key} is only valid for ${types.join('/')}, not ${type}`
  else if (numberAt(fields, key) < least) yield `${key} must be at least ${least}`
}

function* sizeErrors(provisioning: Section): Iterable<string> {
  const max = textAt(provisioning, 'maxSize')
  if (textAt(provisioning, 'volumeGroup') === '') yield 'provisioning.volumeGroup is required'
  if (max === '') yield 'provisioning.maxSize is required'
  if (max.startsWith('-')) yield 'provisioning.maxSize must not be negative'
  if (isGreaterSize(textAt(provisioning, 'minSize'), max)) {
    yield 'provisioning.minSize must not exceed provisioning.maxSize'
  }
}

function* nameErrors(fields: ValueMap, longest = LONGEST_NAME): Iterable<string> {
  const name = textAt(fields, 'name')
  if (name === '') yield 'name is required'
  if (name === '' || Buffer.byteLength(name) > longest) {
    yield `name must be between 1 and ${longest} characters long`
  }
  if (/[^a-zA-Z0-9_-]/.test(name)) {
    yield 'name can only contain ASCII letters, digits, hyphens and underscores'
  }
}
