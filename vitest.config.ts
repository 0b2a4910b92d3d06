import { defineConfig } from 'vitest/config'

// A test is a `*.test.ts` and needs Node alone; a suite is a `*.suite.ts` and needs real programs.
// Both are found wherever they are. test/repo/projects.test.ts holds that each is in one project.
export default defineConfig({
  test: {
    pool: 'threads',
    exclude: ['**/node_modules/**', 'dist/**', 'coverage/**'],
    // It is for what hangs: nothing here is measured by the clock, and a busy machine is slow.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: ['test/repo/**'],
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
          // Real servers start in seconds, and two cores run one suite after the other best.
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
