import fc from 'fast-check'
import { expect, test } from 'vitest'
import { delayMs } from './backoff.ts'

const contract = { firstMs: 1_000, mostMs: 300_000 }

test('doubles from the first delay up to the longest', () => {
  const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 5_000].map(
    (n) => delayMs(contract, n) / 1_000,
  )

  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
})

test('jitter takes away at most its share', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (n, chance) => {
        const full = delayMs(contract, n)
        const some = delayMs({ ...contract, jitter: 0.25 }, n, () => chance)

        expect(some).toBeLessThanOrEqual(full)
        expect(some).toBeGreaterThanOrEqual(full * 0.75)
      },
    ),
  )
})
