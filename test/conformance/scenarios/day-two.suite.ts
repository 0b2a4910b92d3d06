import { expect, test } from 'vitest'
import { sideBySide } from './side-by-side.ts'

// A few are in `make test`. Whoever wants others says which.
const FROM = Number(process.env.DAYS_FROM ?? 4)
const DAYS = Number(process.env.DAYS ?? 60)
const PROGRAM = new URL('./day-two.process.ts', import.meta.url)
const LONGEST_MS = 3_600_000
// Each says all that is known of it.
const MOST_TOLD = 3

test(`whatever is asked and goes wrong on the days ${FROM} to ${FROM + DAYS - 1}, all is as asked for in the end`, {
  timeout: LONGEST_MS,
}, async () => {
  const seeds = Array.from({ length: DAYS }, (_, at) => FROM + at)

  const answers = await sideBySide(PROGRAM, seeds)

  const broken = seeds.filter((_, at) => answers[at] !== undefined && answers[at] !== null)
  const told = broken.slice(0, MOST_TOLD).map((seed) => answers[seed - FROM])
  expect(broken, told.join('\n\n')).toEqual([])
})
