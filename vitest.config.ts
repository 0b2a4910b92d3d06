import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Begins with what lives long. Else a clone that knows no durations would end with it, on one core. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => placeOf(a.moduleId) - placeOf(b.moduleId))
  }
}

const LONGEST = ['/test/scenarios/', '/conformance/scenarios/', '/conformance/guides']

function placeOf(path: string): number {
  if (LONGEST.some((part) => path.includes(part))) return 0
  return path.includes('/test/') ? 1 : 2
}

// A test is a `*.test.ts` and needs Node alone; a suite is a `*.suite.ts` and needs real programs, or
// has more rounds of a test. Both are found wherever they are. test/repo/projects.test.ts holds that
// each is in one project.
export default defineConfig({
  test: {
    pool: 'threads',
    sequence: { sequencer: LongFirst },
    exclude: ['**/node_modules/**', 'dist/**', 'coverage/**'],
    // It is for what hangs: nothing here is measured by the clock, and a busy machine is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: ['test/repo/**'],
          // Nothing in the sources has a state of its own that a test could see, so a worker loads them
          // once: for each file anew, that would take a third of the time.
          isolate: false,
          // Unless told, one core of two stays idle.
          maxWorkers: '100%',
        },
      },
      {
        extends: true,
        // They only read, so they share what they have loaded: the compiler is large.
        test: { name: 'repo', include: ['test/repo/**/*.test.ts'], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          include: ['**/*.suite.ts'],
          // Some measure the process that they are in.
          pool: 'forks',
          // They wait for real servers half of the time.
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
        },
      },
    ],
  },
})
