import { expect, test } from 'vitest'
import { aControlPlane } from '#test/builders.ts'
import { aWorld } from '#test/control-plane-world.ts'
import { apiAnswers } from './health.ts'

const connecting = aWorld({ api: { is: 'connecting' } })

/** What is said while nobody knows yet who answers, of one that was ready when its spec was this one. */
const saidOf = (generation: number, observedGeneration: number) =>
  apiAnswers(
    aControlPlane({ metadata: { generation }, status: { state: 'Ready', observedGeneration } }),
    connecting,
  )?.ready?.reason

test('who was ready before anybody looked stays so, unless the spec is another one since', () => {
  expect(saidOf(4, 4)).toBeUndefined()
  expect(saidOf(5, 4)).toBe('WaitingForApi')
  expect(apiAnswers(aControlPlane(), connecting)?.ready?.reason).toBe('WaitingForApi')
})
