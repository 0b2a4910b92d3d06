import { expect, test } from 'vitest'
import { RESET_ACCEPTED } from '#api/labels.ts'
import { aControlPlane, aWorker } from '#test/builders.ts'
import {
  aClaimedMachine,
  aMember,
  aNode,
  aWaiting,
  aWorld,
  NOW,
  OTHER_UUID,
} from '#test/machine-world.ts'
import { teardown } from './teardown.ts'
import type { Seen, World } from './world.ts'

const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString()

const parent: World['parent'] = { is: 'there', controlPlane: aControlPlane(), worker: aWorker() }
const silent: Seen = { is: 'silent', message: 'no route' }
const unready = aNode({ ready: false })

/** What becomes of a machine of a pool that accepted to be reset so many minutes ago. */
function decided(minutes: number, world: Partial<World>, reachable?: 'True' | number) {
  const conditions =
    reachable === undefined
      ? []
      : [
          {
            ...{ type: 'Reachable', reason: 'Tested', message: '' },
            status: reachable === 'True' ? ('True' as const) : ('False' as const),
            lastTransitionTime: ago(reachable === 'True' ? 60 : reachable),
          },
        ]
  const leaving = aClaimedMachine(
    { [RESET_ACCEPTED]: ago(minutes) },
    {
      metadata: { deletionTimestamp: ago(minutes) },
      spec: { workerRef: { name: 'pool' } },
      status: { conditions },
    },
  )
  const plan = teardown(leaving, aWorld({ parent, seen: silent, ...world }), NOW)
  if ('finished' in plan) return 'finished'
  return plan.steps[0]?.do ?? plan.conditions.Deleting?.reason
}

test('a machine is waited for as long as it may be on its way since it was last heard of', () => {
  const node = undefined

  expect(decided(5.1, { node })).toBe('finished')
  expect(decided(5.1, { node }, 5.1)).toBe('finished')
  expect(decided(9, { node }, 4.9)).toBe('Resetting')
  expect(decided(9, { node }, 'True')).toBe('Resetting')
  expect(decided(9, { node, seen: aWaiting({ uuid: OTHER_UUID }) }, 'True')).toBe('finished')
})

test('a machine whose node is ready was not wiped, whoever is at its address', () => {
  const there: Seen[] = [silent, aWaiting({ uuid: OTHER_UUID }), aMember({ uuid: OTHER_UUID })]

  for (const seen of there) {
    expect(decided(6, { seen })).toBe('ResetBlocked')
    expect(decided(6, { seen, node: unready })).toBe('deleteNode')
  }
})

test('what is known of a node that nobody tells of any more holds nobody up', () => {
  expect(decided(6, { areNodesKnown: false, node: unready })).toBe('deleteNode')
  expect(decided(6, { areNodesKnown: false })).toBe('deleteNode')
  expect(decided(6, { seen: { is: 'unasked' } })).toBe('deleteNode')
})
