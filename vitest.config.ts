import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    pool: 'threads',
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{src,scripts,test/conformance}/**/*.test.ts'] },
      },
      { extends: true, test: { name: 'repo', include: ['test/repo/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.suite.ts'],
          // Real servers start in seconds, and two cores run one suite after the other best.
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
