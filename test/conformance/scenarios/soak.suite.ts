import { expect, test } from 'vitest'
import { sideBySide } from './side-by-side.ts'

// The first fifty are in `make test`. Whoever wants others says which.
const FROM = Number(process.env.SOAK_FROM ?? 51)
const SEEDS = Number(process.env.SOAK_SEEDS ?? 950)
const PROGRAM = new URL('./soak.process.ts', import.meta.url)
const LONGEST_MS = 3_600_000
// Each says all that is known of it.
const MOST_TOLD = 3

test(`whatever goes wrong in the lives ${FROM} to ${FROM + SEEDS - 1}, all is well in the end`, {
  timeout: LONGEST_MS,
}, async () => {
  const seeds = Array.from({ length: SEEDS }, (_, at) => FROM + at)

  const answers = await sideBySide(PROGRAM, seeds)

  const broken = seeds.filter((_, at) => answers[at] !== undefined && answers[at] !== null)
  const told = broken.slice(0, MOST_TOLD).map((seed) => answers[seed - FROM])
  expect(broken, told.join('\n\n')).toEqual([])
})
