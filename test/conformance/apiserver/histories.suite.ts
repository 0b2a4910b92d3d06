import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anApi } from '#test/an-api.ts'
import type { RunningApi } from '#test/conformance/apis.ts'
import { startKubernetes } from '#test/conformance/kubernetes/real-kubernetes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { disagreement } from './histories/compare-history.ts'
import { historyOf } from './histories/history.ts'
import { installThings } from './histories/install-things.ts'
import { type Comparison, compareApis } from './run-cases.ts'

// To play other histories, change these: the seed of the first, and how many follow it.
const FIRST_SEED = 1
const SEEDS = 60
const STEPS = 12

describe('random histories of writes lead to the same objects as with kube-apiserver', () => {
  let running: RunningApi[]
  let comparison: Comparison

  beforeAll(async () => {
    // Without controllers: they would write into the objects at times of their own.
    const programs = await realPrograms(['etcd', 'kube-apiserver'])
    const [expected, actual] = await Promise.all([startKubernetes(programs), anApi()])
    running = [expected, actual]
    for (const { send } of running) await installThings(send)
    comparison = await compareApis(expected, actual, 'histories')
  })
  afterAll(async () => {
    for (const api of running ?? []) await api[Symbol.asyncDispose]()
  })

  const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index)
  test.concurrent.each(seeds)('seed %i', async (seed) => {
    expect(await disagreement(comparison, historyOf(seed, STEPS), `seed ${seed}`)).toBe('')
  })
})
