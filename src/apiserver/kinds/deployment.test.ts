import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import type { WriteContext } from '#apiserver/resource.ts'
import { deployment } from './deployment.ts'

const context: WriteContext = {
  user: { name: 'someone', groups: [] },
  now: '2026-01-01T00:00:00Z',
  dryRun: false,
  subresource: 'status',
  warn: () => {},
}

const problemsOf = (status: Fields, old: Fields = {}): string[] =>
  (deployment.validate?.({ status }, { status: old }, context) ?? []).map(
    ({ field, message }) => `${field}: ${message}`,
  )

test('a status that adds up is taken', () => {
  expect(problemsOf({})).toEqual([])
  expect(problemsOf({ replicas: 2, readyReplicas: 2, availableReplicas: 1 })).toEqual([])
})

test.each<[Fields, string]>([
  [
    { readyReplicas: 1 },
    'status.readyReplicas: Invalid value: 1: cannot be greater than status.replicas',
  ],
  [
    { replicas: 1, availableReplicas: 1 },
    'status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas',
  ],
  [
    { observedGeneration: -1 },
    'status.observedGeneration: Invalid value: -1: must be greater than or equal to 0',
  ],
])('a status that does not is refused: %j', (status, problem) => {
  expect(problemsOf(status)).toEqual([problem])
})

test('collisions are never undone', () => {
  expect(problemsOf({ collisionCount: 1 }, { collisionCount: 2 })).toEqual([
    'status.collisionCount: Invalid value: 1: cannot be decremented',
  ])
})
