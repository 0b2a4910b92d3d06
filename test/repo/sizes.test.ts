import { expect, test } from 'vitest'
import { CODE, filesMatching, TESTS, textOf } from './tree.ts'

const CEILING = 400
const CEILING_OF_TESTS = 500
const MEDIAN = 90
const P95 = 300

// Path, and why it may be longer. This list only shrinks.
const EXCEPTIONS: Record<string, string> = {}

const isTest = (path: string): boolean => TESTS.test(path)

async function lengths(pattern: RegExp): Promise<Map<string, number>> {
  // Nobody reads tables that a program writes.
  const paths = (await filesMatching(pattern)).filter((path) => !path.includes('/generated/'))
  const entries = paths.map(
    async (path) => [path, (await textOf(path)).split('\n').length - 1] as const,
  )
  return new Map(await Promise.all(entries))
}

test('no file is longer than a reader can hold', async () => {
  const all = await lengths(CODE)

  const tooLong = [...all].filter(
    ([path, lines]) => lines > (isTest(path) ? CEILING_OF_TESTS : CEILING) && !EXCEPTIONS[path],
  )
  expect(all.size).toBeGreaterThan(0)
  expect(tooLong).toEqual([])
  expect(Object.keys(EXCEPTIONS).filter((path) => (all.get(path) ?? 0) <= CEILING)).toEqual([])
})

test('most sources are short', async () => {
  const all = await lengths(/^src\/.*\.ts$/)
  const sources = [...all].filter(([path]) => !isTest(path)).map(([, lines]) => lines)

  const sorted = sources.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]
  expect(at(0.5)).toBeLessThanOrEqual(MEDIAN)
  expect(at(0.95)).toBeLessThanOrEqual(P95)
})
