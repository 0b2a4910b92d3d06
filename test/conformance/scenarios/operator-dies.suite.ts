import { expect, test } from 'vitest'
import {
  CHANGE,
  CLUSTER,
  type Fate,
  IMPORT,
  KUBERNETES,
  type Life,
  type Lived,
  lived,
  POOL,
  SCALE,
} from '#test/scenarios/operator-dies.cases.ts'
import {
  differences,
  fatesOf,
  isUnsteady,
  rareCalls,
  sampleOf,
  wordsForFate,
} from '#test/scenarios/operator-dies-fates.ts'
import { SHAPE } from '#test/scenarios/operator-dies-shape.ts'
import { TURNING, WHOLE } from '#test/scenarios/operator-dies-whole.ts'
import type { Answer, Job } from './operator-dies.process.ts'
import { sideBySide } from './side-by-side.ts'

const SUBNET = '127.80.21'
const PROGRAM = new URL('./operator-dies.process.ts', import.meta.url)
const LONGEST_MS = 3_600_000
// Who is in a hurry takes fewer, and who has time all of them: CRASH_ALL=true.
const { CRASH_EVERY, CRASH_ALL, CRASH_LIFE, CRASH_OFFSET, CRASH_FATE } = process.env
const EVERY = Number(CRASH_EVERY ?? 1)
// Of those that are sampled, which. The same for everybody unless told: what passed yesterday passes today.
const OFFSET = Number(CRASH_OFFSET ?? 0)
const AGAIN =
  'node_modules/.bin/vitest run --project conformance test/conformance/scenarios/operator-dies.suite.ts'
// Of calls that each life had in which nothing happened: so many of a hundred may not come where something did.
const MOST_MISSED = 0.05

interface Crashed {
  life: Life
  name: Job['life']
  /** The first chapter in which anything befalls the operator. */
  from: number
  /** Of how many fates one is lived. */
  every: number
  /** At calls of which names; left out: at any. */
  at?: RegExp
}

const LIVES: readonly Crashed[] = [
  { life: CLUSTER, name: 'cluster', from: 0, every: 1 },
  // What befalls its creation is the same as above.
  { life: POOL, name: 'pool', from: 1, every: 1 },
  { life: SCALE, name: 'scale', from: 1, every: 1 },
  // A long life: every fifth of its fates, by which each way comes at each kind of call.
  { life: CHANGE, name: 'change', from: 1, every: 5 },
  // The longest: almost six hundred fates.
  { life: KUBERNETES, name: 'kubernetes', from: 1, every: 11 },
  { life: IMPORT, name: 'import', from: 0, every: 1 },
  // Its machines are made and taken as above: every fourth.
  { life: SHAPE, name: 'shape', from: 0, every: 4 },
  // The largest: what matters there is who is changed at the same time.
  { life: WHOLE, name: 'whole', from: 1, every: 13, at: TURNING },
]

test.each(LIVES.filter(({ name }) => name === (CRASH_LIFE ?? name)))(
  `whatever call the operator dies at or hears no answer to, $life.name ends in the same way (CRASH_OFFSET=${OFFSET})`,
  { timeout: LONGEST_MS },
  async ({ life, name, from, every, at }) => {
    const clean = await lived(SUBNET, life)
    const rare = rareCalls([clean, await lived(SUBNET, life), await lived(SUBNET, life)])
    const step = CRASH_ALL ? 1 : EVERY * every
    const told = fateIn(CRASH_FATE)
    const all = fatesOf(clean, { from, ...(at && { at }) })
    const fates = told ? [told] : sampleOf(all, { step, offset: OFFSET })
    const jobs = fates.map((fate): Job => ({ life: name, fate }))

    const answers = await sideBySide(PROGRAM, jobs)

    const verdicts = fates.map((_, at) => verdictOn(Object(answers[at]), { clean, rare }))
    const broken = verdicts.flatMap(({ problems }, at) =>
      problems.map((problem) => wordsFor({ life, name, fate: fates[at] ?? [], problem })),
    )
    const points = fates.flat().filter((one) => one && !rare.has(one.at)).length
    const missed = verdicts.reduce((sum, verdict) => sum + verdict.missed, 0)
    expect(broken).toEqual([])
    expect(missed / points).toBeLessThan(MOST_MISSED)
  },
)

/** One that is told in the environment. */
const fateIn = (text: string | undefined): Fate | undefined =>
  text ? JSON.parse(text).map((one: Fate[number] | null) => one ?? undefined) : undefined

interface Broken extends Pick<Crashed, 'life' | 'name'> {
  fate: Fate
  problem: string
}

/** With how to have the same once more: another run may have other calls, and sample others. */
const wordsFor = ({ life, name, fate, problem }: Broken): string =>
  [
    wordsForFate(life, fate),
    problem,
    `again: CRASH_LIFE=${name} CRASH_FATE='${JSON.stringify(fate)}' ${AGAIN}`,
  ].join('\n')

interface Expected {
  clean: Lived
  rare: ReadonlySet<string>
}

function verdictOn(answer: Answer, { clean, rare }: Expected) {
  if ('broken' in answer) return { problems: [answer.broken], missed: 0 }
  const { missed } = answer.lived
  return {
    problems: [
      ...differences(clean, answer.lived),
      ...missed.filter(({ at }) => !isUnsteady(at, rare)).map(({ at }) => `${at} never came`),
    ],
    missed: missed.filter(({ at }) => !rare.has(at)).length,
  }
}
