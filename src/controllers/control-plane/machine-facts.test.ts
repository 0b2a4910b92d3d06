import { expect, test } from 'vitest'
import type { Machine } from '#api/machine.ts'
import type { Overrides } from '#test/builders.ts'
import { aClaimedMachine, NOW } from '#test/machine-world.ts'
import { isUp } from './machine-facts.ts'

const reachable = { type: 'Reachable', status: 'True', reason: 'Answers', message: '' } as const
const conditions = [{ ...reachable, lastTransitionTime: NOW.toISOString() }]
const up: Overrides<Machine> = { status: { type: 'controlplane', stage: 'booting', conditions } }

test('a cluster can begin on a machine that is up, and on none that is being deleted', () => {
  const leaving = { metadata: { deletionTimestamp: NOW.toISOString() } }

  expect(isUp(aClaimedMachine({}, up))).toBe(true)
  expect(isUp(aClaimedMachine({}, { ...up, ...leaving }))).toBe(false)
})
