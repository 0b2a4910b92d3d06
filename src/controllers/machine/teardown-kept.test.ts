import { expect, test } from 'vitest'
import { RESET_ACCEPTED } from '#api/labels.ts'
import { aControlPlane, aWorker } from '#test/builders.ts'
import { aClaimedMachine, aMember, aNode, aWorld, NOW } from '#test/machine-world.ts'
import { teardown } from './teardown.ts'
import type { Parent, World } from './world.ts'

const MINUTE_MS = 60_000
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE_MS).toISOString()

const parent: Parent = { is: 'there', controlPlane: aControlPlane(), worker: aWorker() }

/** What becomes of a machine of a pool that its cluster wants to be kept. */
function decided(annotations: Record<string, string>, world: Partial<World> = {}) {
  const leaving = aClaimedMachine(annotations, {
    ...{ metadata: { deletionTimestamp: ago(1) }, spec: { workerRef: { name: 'pool' } } },
  })
  const kept = { parent, node: aNode(), keptBy: 'TalosCluster prod', ...world }
  return teardown(leaving, aWorld(kept), NOW)
}

test('a machine that is to be kept by what it belongs to goes as an object, and its node stays', () => {
  expect(decided({})).toMatchObject({ finished: true, notices: [{ reason: 'Preserved' }] })
})

test('a machine that was told in vain before it was to be kept is not told again', () => {
  expect(decided({ [RESET_ACCEPTED]: ago(10) })).toMatchObject({
    ...{ finished: true, notices: [{ reason: 'PreservedTooLate' }] },
  })
})

const waits: [string, Record<string, string>, Partial<World>, string][] = [
  ['has accepted to be reset', { [RESET_ACCEPTED]: ago(1) }, {}, 'Resetting'],
  ['resets itself', {}, { seen: aMember({ stage: 'resetting' }) }, 'Resetting'],
  ['is not to be worked on, which no cache shows', {}, { isOld: true }, 'WaitingForView'],
]

test.each(waits)('a machine that %s is waited for all the same', (...[, noted, world, reason]) => {
  expect(
    decided(noted, { pods: { is: 'known', pods: [] }, node: undefined, ...world }),
  ).toMatchObject({
    ...{ steps: [], conditions: { Deleting: { reason } } },
  })
})
