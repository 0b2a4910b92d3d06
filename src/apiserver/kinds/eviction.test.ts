import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { afterEviction, decideEviction } from './eviction.ts'

const running = (ready = true, more: Fields = {}): Fields => ({
  metadata: { name: 'p', labels: { app: 'x' } },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    ...more,
  },
})

const budget = (status: Fields = {}, spec: Fields = {}): Fields => ({
  metadata: { name: 'b', generation: 1 },
  spec: { selector: { matchLabels: { app: 'x' } }, ...spec },
  status: {
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 1,
    desiredHealthy: 1,
    ...status,
  },
})

const answer = (pod: Fields, budgets: Fields[]): unknown => {
  const decision = decideEviction(pod, budgets)
  return decision.verdict === 'allow' ? decision : decision.failure.status
}

const refusal = (cause: string, more: Fields = {}): Fields => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: "Cannot evict pod as it would violate the pod's disruption budget.",
  reason: 'TooManyRequests',
  details: { causes: [{ reason: 'DisruptionBudget', message: cause }], ...more },
  code: 429,
})

test('a pod that no budget is for may go', () => {
  const other = { ...budget(), spec: { selector: { matchLabels: { app: 'y' } } } }

  expect(answer(running(), [other, { ...budget(), spec: {} }])).toEqual({ verdict: 'allow' })
})

test('an empty selector is for every pod', () => {
  expect(answer(running(), [budget({}, { selector: {} })])).toMatchObject({ code: 429 })
})

test('a budget that is used up refuses, and says what it needs', () => {
  expect(answer(running(), [budget()])).toEqual(
    refusal('The disruption budget b needs 1 healthy pods and has 1 currently'),
  )
})

test('a budget that allows it has one less afterwards', () => {
  const allows = budget({ disruptionsAllowed: 2 })

  expect(answer(running(), [allows])).toEqual({ verdict: 'allow', budget: allows })
  expect(afterEviction(allows, 'p', 'now')).toMatchObject({
    disruptionsAllowed: 1,
    disruptedPods: { p: 'now' },
  })
})

test('a status that is older than its spec is not believed', () => {
  const changed = { ...budget({ disruptionsAllowed: 2 }), metadata: { name: 'b', generation: 2 } }

  expect(answer(running(), [changed])).toEqual(
    refusal('The disruption budget b is still being processed by the server.', {
      retryAfterSeconds: 10,
    }),
  )
})

test('a status that could not be made says why', () => {
  const failed = { type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed', message: 'no' }

  expect(answer(running(), [budget({ conditions: [failed] })])).toEqual(
    refusal(
      'The disruption budget b does not allow evicting pods currently because it failed sync: no',
    ),
  )
})

test('a budget with enough healthy pods that still allows nothing says so', () => {
  const stopped = { type: 'DisruptionAllowed', status: 'False', reason: 'Why', message: 'because' }

  expect(answer(running(), [budget({ currentHealthy: 3 })])).toEqual(
    refusal('The disruption budget b does not allow evicting pods currently'),
  )
  expect(answer(running(), [budget({ currentHealthy: 3, conditions: [stopped] })])).toEqual(
    refusal('The disruption budget b does not allow evicting pods currently (Why): because'),
  )
})

test('two budgets for one pod are more than the server can decide', () => {
  expect(answer(running(), [budget(), budget()])).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message:
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    code: 500,
  })
})

test.each(['Pending', 'Succeeded', 'Failed'])('a pod that is %s is no loss', (phase) => {
  expect(answer(running(true, { phase }), [budget()])).toEqual({ verdict: 'allow' })
})

test('a pod that is going already is no loss', () => {
  const going = { ...running(), metadata: { labels: { app: 'x' }, deletionTimestamp: 'soon' } }

  expect(answer(going, [budget()])).toEqual({ verdict: 'allow' })
})

test('a pod that is not ready may go when enough others are, or when the budget says so', () => {
  const short = { currentHealthy: 0 }

  expect(answer(running(false), [budget()])).toEqual({ verdict: 'allow' })
  expect(answer(running(false), [budget(short)])).toMatchObject({ code: 429 })
  expect(
    answer(running(false), [budget(short, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })]),
  ).toEqual({ verdict: 'allow' })
  expect(answer(running(false), [budget({ currentHealthy: 0, desiredHealthy: 0 })])).toMatchObject({
    code: 429,
  })
})

test.each([
  [{ disruptionsAllowed: -1 }, 'pdb disruptions allowed is negative'],
  [
    {
      disruptionsAllowed: 1,
      disruptedPods: Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [at, ''])),
    },
    'DisruptedPods map too big - too many evictions not confirmed by PDB controller',
  ],
])('a status that makes no sense is refused', (status, why) => {
  expect(answer(running(), [budget(status)])).toMatchObject({
    code: 403,
    message: `poddisruptionbudget.policy "b" is forbidden: ${why}`,
  })
})
