import { isFields } from '#apiserver/objects.ts'
import type { Transcript } from './transcript.ts'

const ABSENT = Symbol('absent')

export interface Difference {
  /** Which step, and where in its answer. */
  where: string
  expected: string
  actual: string
}

/** Every place in which two transcripts differ. Steps are compared in order. */
export function differencesOf(expected: Transcript, actual: Transcript): Difference[] {
  const steps = Math.max(expected.length, actual.length)
  return Array.from({ length: steps }, (_, index) => {
    const [one, other] = [expected[index], actual[index]]
    const name = `${index + 1}. ${one?.step ?? other?.step}`
    return [...compare(one ?? ABSENT, other ?? ABSENT, `${name} →`)]
  }).flat()
}

/** For people: one paragraph for each difference. */
export const describeDifferences = (differences: readonly Difference[]): string =>
  differences
    .map(
      ({ where, expected, actual }) =>
        `${where}\n  kube-apiserver: ${expected}\n  embedded:       ${actual}`,
    )
    .join('\n')

function* compare(expected: unknown, actual: unknown, where: string): Iterable<Difference> {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length)
    for (let index = 0; index < length; index += 1) {
      yield* compare(itemOf(expected, index), itemOf(actual, index), `${where}[${index}]`)
    }
  } else if (isFields(expected) && isFields(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const there = /[.\s[\]]/.test(key) ? `${where}["${key}"]` : `${where}.${key}`
      yield* compare(fieldOf(expected, key), fieldOf(actual, key), there)
    }
  } else if (!Object.is(expected, actual)) {
    yield { where, expected: shown(expected), actual: shown(actual) }
  }
}

const itemOf = (list: unknown[], index: number): unknown =>
  index < list.length ? list[index] : ABSENT

const fieldOf = (fields: Record<string, unknown>, key: string): unknown =>
  key in fields ? fields[key] : ABSENT

const shown = (value: unknown): string =>
  value === ABSENT ? '(absent)' : (JSON.stringify(value) ?? String(value))
