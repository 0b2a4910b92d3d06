import { describe, expect, test } from 'vitest'
import type { Machine } from '#api/machine.ts'
import type { World } from '#controllers/machine/world.ts'
import { aClaimedMachine, aMember, aNode, aWorld, NOW } from '#test/machine-world.ts'
import { asRunning } from './member.ts'

/** One that said this of itself before. */
const saying = (reason: string): Machine => {
  const status = reason === 'AsWanted' ? ('True' as const) : ('False' as const)
  const ready = {
    type: 'Ready',
    status,
    reason,
    message: '',
    lastTransitionTime: NOW.toISOString(),
  }
  return { ...aClaimedMachine({}), status: { conditions: [ready] } }
}

/** What is the matter with it when nobody has seen the nodes of its cluster yet. */
const unseen = (reason: string, over: Partial<World> = {}) => {
  const world = aWorld({ node: undefined, areNodesKnown: false, ...over })
  const { ready, pace } = asRunning(saying(reason), world) ?? {}
  return [ready?.reason, pace]
}

describe('while the nodes of its cluster are not known, a machine', () => {
  test.each(['AsWanted', 'ConfigPending', 'UpgradePending', 'KubernetesUpgradePending'])(
    'that was well stays so: %s',
    (reason) => {
      expect(unseen(reason)).toEqual([undefined, 'soon'])
    },
  )

  test.each(['ComingUp', 'Configuring', 'NodeNotReady', 'ComponentNotReady'])(
    'that was not well lacks its node: %s',
    (reason) => {
      expect(unseen(reason)).toEqual(['NodeMissing', 'soon'])
    },
  )

  test.each([
    ['NoEtcdMember', aMember({ etcdMember: undefined })],
    ['NoEtcdLeader', aMember({ etcdMembers: undefined })],
    ['ComingUp', aMember({ isKubeletWell: false })],
  ])('that was well is not when it says so itself: %s', (reason, seen) => {
    expect(unseen('ConfigPending', { seen })).toEqual([reason, 'soon'])
  })

  test('whose node was seen before is judged by that', () => {
    const node = aNode({ ready: false })
    expect(unseen('AsWanted', { node })).toEqual(['NodeNotReady', 'soon'])
  })
})

test('a machine without a node lacks it where all nodes are known, whatever it said before', () => {
  expect(unseen('ConfigPending', { areNodesKnown: true })).toEqual(['NodeMissing', 'soon'])
})
