import type { Value } from '#machineconfig/document.ts'
import { isSection, type Section, sectionAt } from '#machineconfig/validate/checks/fields.ts'
import { bareName, type SpecType, specField, wholeSpec } from './runtime-spec-types.ts'

/** What keeps `machine.baseRuntimeSpecOverrides` from being a part of an OCI runtime specification. */
export function* runtimeSpecProblems(machine: Section): Generator<string> {
  yield* specProblems(sectionAt(machine, 'baseRuntimeSpecOverrides'))
}

/** The same for the overrides themselves, wherever they are. */
export function* specProblems(overrides: Section): Generator<string> {
  if (!overrides) return
  const endless = endlessNumber(overrides)
  if (endless !== undefined) {
    yield `failed to marshal base runtime spec overrides: json: unsupported value: ${endless}`
    return
  }
  const problem = problemOf(overrides, wholeSpec, { struct: '', path: [] })
  if (problem) yield `failed to unmarshal base runtime spec overrides: ${problem}`
}

function endlessNumber(value: Value): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? 'NaN' : `${value > 0 ? '+' : '-'}Inf`
  }
  for (const [, item] of entriesOf(value)) {
    const found = endlessNumber(item)
    if (found !== undefined) return found
  }
  return undefined
}

// JSON has the keys of an object sorted, so that is the order in which problems are found.
const entriesOf = (value: Value): [string, Value][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
    : []

interface Place {
  readonly struct: string
  readonly path: readonly string[]
}

function problemOf(value: Value, type: SpecType, place: Place): string | undefined {
  if (value === null || type.is === 'any') return undefined
  if (type.is === 'struct' && isSection(value)) return fieldProblem(value, type, place)
  const isNested = type.is === 'list' ? Array.isArray(value) : type.is === 'map' && isSection(value)
  if (isNested && type.of) return itemProblem(value, type.of, place)
  const wrong = mismatch(value, type)
  return (
    wrong &&
    `json: cannot unmarshal ${wrong} into Go struct field ${place.struct}.${place.path.join('.')} of type ${type.name}`
  )
}

function itemProblem(value: Value, type: SpecType, place: Place): string | undefined {
  const items = Array.isArray(value) ? value : entriesOf(value).map(([, item]) => item)
  for (const item of items) {
    const problem = problemOf(item, type, place)
    if (problem) return problem
  }
  return undefined
}

function fieldProblem(value: Value, type: SpecType, { path }: Place): string | undefined {
  for (const [key, item] of entriesOf(value)) {
    const field = specField(type, key)
    const place = { struct: bareName(type), path: [...path, field?.name ?? ''] }
    const problem = field && problemOf(item, field.type, place)
    if (problem) return problem
  }
  return undefined
}

/** How Go's JSON names a value that does not fit the type; undefined if it fits. */
function mismatch(value: Value, { is, from = 0, below = 0 }: SpecType): string | undefined {
  switch (typeof value) {
    case 'string':
      return is === 'text' ? undefined : 'string'
    case 'boolean':
      return is === 'flag' ? undefined : 'bool'
    case 'number':
      if (is !== 'integer') return 'number'
      return Number.isInteger(value) && value >= from && value < below
        ? undefined
        : `number ${value}`
    default:
      return Array.isArray(value) ? 'array' : 'object'
  }
}
