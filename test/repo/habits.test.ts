import { expect, test } from 'vitest'
import { badHabitsIn } from './habits.ts'
import { filesMatching, TESTS, textOf } from './tree.ts'

test('no test is made of mocked modules or of sleeping', async () => {
  const tests = await filesMatching(TESTS)

  const guilty = await Promise.all(
    tests.map(async (path) => badHabitsIn(await textOf(path)).map((what) => `${path}:${what}`)),
  )
  expect(tests.length).toBeGreaterThan(0)
  expect(guilty.flat()).toEqual([])
})

test.each([
  "vi.mock('node:fs')",
  "vi.mock<typeof fs>(import('node:fs'), () => ({}))",
  "vi.doMock('./x.ts')",
  "vi['mock']('./x.ts')",
  "import * as fs from 'node:fs'\nvi.spyOn(fs, 'readFileSync')",
  "import fs from 'node:fs'\nvi.spyOn(fs, 'readFileSync')",
  'await new Promise((resolve) => setTimeout(resolve, 10))',
  'await new Promise((done) => setTimeout(done, 10))',
  'await promisify(setTimeout)(10)',
  'globalThis.setTimeout(done, 10)',
  'setInterval(look, 10)',
  "import { setTimeout as delay } from 'node:timers/promises'",
  "import { scheduler } from 'timers/promises'",
  "import * as timers from 'node:timers'",
  "const { setTimeout: delay } = await import('node:timers/promises')",
  'Atomics.wait(array, 0, 0, 10)',
])('found out: %s', (text) => {
  expect(badHabitsIn(text)).not.toEqual([])
})

test.each([
  "import { setImmediate as turn } from 'node:timers/promises'",
  'clock.setTimeout(done, 10)',
  'const clock = { setTimeout: (done: () => void) => done() }',
  'vi.spyOn(clock, "now")',
  'await sleep(clock, 10)',
  "run('setTimeout(done, 10)') // vi.mock('x')",
])('no bad habit: %s', (text) => {
  expect(badHabitsIn(text)).toEqual([])
})
