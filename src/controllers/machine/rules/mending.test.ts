import { expect, test } from 'vitest'
import { CONFIG } from '#api/labels.ts'
import { plan } from '#controllers/machine/plan.ts'
import type { ConfigChange } from '#controllers/machine/world.ts'
import { isWell } from '#engine/pending.ts'
import { aControlPlane, aWorker } from '#test/builders.ts'
import { aClaimedMachine, aMember, aNode, aWorld, NOW } from '#test/machine-world.ts'

const change: ConfigChange = {
  ...{ needs: 'live', isOfNetwork: false, places: ['machine.kubelet.extraArgs'] },
  ...{ images: [], moved: [], older: [] },
}
const edited = aClaimedMachine({ [CONFIG]: 'before-the-edit bad' })
const seen = aMember({ fingerprint: 'bad', isKubeletWell: false, isReady: false })

test.each([
  ['a correction', {}, 'configuration'],
  ['another kubelet', { moved: ['kubelet' as const] }, 'kubernetes'],
])('a machine that is not up asks for a turn for %s, and is not well', (_what, over, work) => {
  const { status, conditions } = plan(
    edited,
    // Its node is ready for a moment longer than its kubelet is well.
    aWorld({
      ...{ seen, change: { ...change, ...over }, node: aNode() },
      parent: { is: 'there', controlPlane: aControlPlane(), worker: aWorker() },
    }),
    NOW,
  )
  const { reason = '' } = conditions.Ready ?? {}
  const shown = { type: 'Ready', status: 'False', reason, lastTransitionTime: NOW.toISOString() }
  const machine = { ...edited, status: { conditions: [{ ...shown, message: '' }] } }

  expect(status.pending).toEqual({ work, needs: 'live' })
  expect(isWell(machine as never)).toBe(false) // it looks at conditions alone
})

test('a machine that is not up, and is to get another Talos, asks for no turn before it is up', () => {
  const machine = aClaimedMachine(
    { [CONFIG]: 'before-the-edit bad' },
    { spec: { version: 'v1.13.1' } },
  )
  const { status, conditions } = plan(machine, aWorld({ seen, change, node: aNode() }), NOW)

  // With its turn it would be upgraded when it is up, whether an upgrade may be begun by then or not.
  expect(status.pending).toBeUndefined()
  expect(conditions.Ready?.reason).toBe('ComingUp')
})
