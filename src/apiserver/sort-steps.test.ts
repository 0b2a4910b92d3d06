import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortedInSteps } from './sort-steps.ts'
import { atOnce } from './steps.ts'

test('items are in the order that a sort at once gives them, equal ones as they came', () => {
  const items = fc.array(fc.record({ rank: fc.nat(20), name: fc.nat() }), {
    maxLength: 3_000,
    size: 'max',
  })
  fc.assert(
    fc.property(items, (some) => {
      // Often enough for several runs.
      const all = [...some, ...some.toReversed(), ...some]
      const byRank = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank

      expect(atOnce(sortedInSteps(all, byRank))).toEqual(all.toSorted(byRank))
    }),
    { numRuns: 50 },
  )
})
