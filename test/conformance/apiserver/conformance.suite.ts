import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anApi } from '#test/an-api.ts'
import { type RunningApi, realApi } from '#test/conformance/apis.ts'
import { subjects } from './cases/all-cases.ts'
import { describeDifferences } from './differences.ts'
import { type Comparison, compareApis, isGood } from './run-cases.ts'

// Real controllers take their time: a namespace with much in it goes in a minute.
const TIMEOUT_MS = 180_000

describe('the embedded API answers as kube-apiserver does', () => {
  let running: RunningApi[]
  let comparison: Comparison

  beforeAll(async () => {
    running = await Promise.all([realApi.start(), anApi()])
    const [expected, actual] = running
    if (expected && actual) comparison = await compareApis(expected, actual)
  })
  afterAll(async () => {
    for (const api of running ?? []) await api[Symbol.asyncDispose]()
  })

  describe.each(subjects)('$subject', ({ subject, cases }) => {
    test.concurrent.each(cases)(
      '$name',
      async (one) => {
        const verdict = await comparison.of({ ...one, name: `${subject}: ${one.name}` })

        const stale = verdict.differs && 'it is said to differ, and does not'
        expect(isGood(verdict) ? '' : stale || describeDifferences(verdict.differences)).toBe('')
      },
      TIMEOUT_MS,
    )
  })
})
