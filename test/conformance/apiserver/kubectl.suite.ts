import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningApi } from '#test/conformance/apis.ts'
import { until } from '#test/until.ts'
import { accessCases } from './kubectl-access.cases.ts'
import { type BothApis, startBothApis } from './kubectl-apis.ts'
import { applyCases } from './kubectl-apply.cases.ts'
import { type KubectlCase, playCase } from './kubectl-cases.ts'
import { changeCases } from './kubectl-change.cases.ts'
import { createCases } from './kubectl-create.cases.ts'
import { deleteCases } from './kubectl-delete.cases.ts'
import { gadgetDefinition } from './kubectl-objects.ts'
import { readCases } from './kubectl-read.cases.ts'

const cases: readonly KubectlCase[] = [
  ...applyCases,
  ...readCases,
  ...changeCases,
  ...deleteCases,
  ...createCases,
  ...accessCases,
]

describe('kubectl does the same on the embedded API as on a real one', () => {
  let both: BothApis
  beforeAll(async () => {
    both = await startBothApis()
    await Promise.all([defineGadgets(both.real), defineGadgets(both.embedded)])
  })
  afterAll(() => both?.[Symbol.asyncDispose]())

  for (const one of cases) {
    test(one.name, { timeout: 120_000 }, async () => {
      const [real, embedded] = await Promise.all([
        playCase(both.real, one),
        playCase(both.embedded, one),
      ])

      expect(embedded).toEqual(real)
    })
  }
})

async function defineGadgets({ send }: RunningApi): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await send({ method: 'POST', path, body: gadgetDefinition })
  // Before the first kubectl looks, for it remembers what it has seen.
  await until(
    'the gadgets',
    () => send({ method: 'GET', path: '/openapi/v3/apis/kubectl.example.com/v1' }),
    ({ status }) => status === 200,
  )
}
