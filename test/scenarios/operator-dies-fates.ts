import type { Interruption } from './boundary.ts'
import type { Fate, Life, Lived } from './operator-dies.cases.ts'
import { deedsOtherwise } from './operator-dies-deeds.ts'

const WAYS = ['killed before', 'killed after', 'reply lost'] as const

/**
 * Every call of a life in every way, one for each chapter at a time: so there are as many fates as the longest
 * chapter has, and not as all have together. `from`: the first chapter in which anything befalls the operator; `at`: only
 * at calls of such names.
 */
export function fatesOf(
  { points }: Lived,
  { from = 0, at: where = /^/ }: { from?: number; at?: RegExp } = {},
): Fate[] {
  const chapters = points.map((names, at) =>
    at < from ? [] : waysAt(names.filter((name) => where.test(name))),
  )
  const longest = Math.max(...chapters.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => chapters.map((chapter) => chapter[at]))
}

/**
 * One of so many of all fates, evenly, from one on that is another each day: so whoever runs every day has lived all of them
 * after so many days.
 */
export const sampleOf = (
  fates: readonly Fate[],
  { step, offset }: { step: number; offset: number },
): Fate[] => fates.filter((_, at) => at % step === offset % step)

const waysAt = (names: readonly string[]): Interruption[] =>
  names.flatMap((at) => WAYS.map((how) => ({ how, at })))

/** For people: `created: killed before bootstrap 127.80.1.1 #1, deleted: …`. */
export const wordsForFate = ({ chapters }: Life, fate: Fate): string =>
  fate.flatMap((one, at) => (one ? [`${chapters[at]?.name}: ${one.how} ${one.at}`] : [])).join(', ')

/** What differs from a life in which nothing happened; nothing if it ended in the same way. */
export function differences(clean: Lived, life: Lived): string[] {
  const ends = clean.states.flatMap((lines, at) => {
    const found = life.states[at] ?? []
    return [
      ...lines.filter((line) => !found.includes(line)).map((line) => `missing: ${line}`),
      ...found.filter((line) => !lines.includes(line)).map((line) => `instead: ${line}`),
    ]
  })
  return [...ends, ...deedsOtherwise(clean, life)]
}

/**
 * The calls that one life has and another has not. A machine that is asked a moment too early says no, and is asked again: that
 * is one call more than in another life, and so is a status that is told at a moment of its own.
 */
export function rareCalls(lives: readonly Lived[]): ReadonlySet<string> {
  const all = lives.map(({ points }) => new Set(points.flatMap(inChapter)))
  const names = lives.flatMap(({ points }) => points.flatMap(inChapter))
  const isRare = (name: string) => all.some((one) => !one.has(name))
  return new Set(names.filter(isRare).map(withoutChapter))
}

// How often a status is told depends on what is seen at the same moment.
const IS_TOLD_OFTEN = /\/status\//

/** Whether a call need not come, though one life had it. */
export const isUnsteady = (name: string, rare: ReadonlySet<string>): boolean =>
  rare.has(name) || IS_TOLD_OFTEN.test(name)

const inChapter = (names: readonly string[], chapter: number): string[] =>
  names.map((name) => `${chapter} ${name}`)

const withoutChapter = (name: string): string => name.slice(name.indexOf(' ') + 1)
