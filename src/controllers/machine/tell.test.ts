import { expect, test } from 'vitest'
import { UUID } from '#test/machine-world.ts'
import { tell } from './tell.ts'

test('a claim names the machine and the disk', () => {
  expect(tell.claim({ do: 'claim', uuid: UUID, disk: '/dev/sda' })).toEqual({
    ...{ reason: 'Claimed', failure: 'FailedClaim' },
    deed: `write down that this is the machine ${UUID}, and that Talos goes on its disk /dev/sda`,
    done: `this object stands for the machine ${UUID}, and Talos goes on its disk /dev/sda`,
  })
  const { deed, done } = tell.claim({ do: 'claim', uuid: UUID })
  expect(`${deed} ${done}`).not.toContain('disk')
})

test('what fails has the published reasons', () => {
  const steps = [
    tell.configure({ do: 'configure', uuid: UUID, config: 'hash' }),
    tell.writeMeta({ do: 'writeMeta', uuid: UUID }),
  ]

  expect(steps.map(({ failure }) => failure)).toEqual(['ConfigApplyFailed', 'MetaKeyFailed'])
})

test('a reset says what becomes of the disks, and of the workloads', () => {
  const gentle = tell.reset({ do: 'reset', uuid: UUID, graceful: true })
  const rough = tell.reset({ do: 'reset', uuid: UUID, graceful: false })

  for (const words of [gentle.deed, gentle.done]) {
    expect(words).toContain('its disks are wiped')
    expect(words).toContain('workloads')
  }
  for (const words of [rough.deed, rough.done]) expect(words).not.toContain('workloads')
})

test('a node is named', () => {
  const { deed, done } = tell.deleteNode({ do: 'deleteNode', node: 'worker-1', uid: 'u' })

  expect([deed, done]).toEqual([
    'take the node worker-1 out of the cluster',
    'node worker-1 taken out of the cluster',
  ])
})

test('a drain names the node, and the pods that leave it', () => {
  const pods = ['web-1', 'web-2'].map((name) => ({ namespace: 'shop', name, uid: 'u' }))
  const at = { node: 'worker-1', uid: 'u' }
  const told = [
    tell.cordon({ do: 'cordon', ...at }),
    tell.evict({ do: 'evict', node: 'worker-1', pods }),
    tell.deletePods({ do: 'deletePods', node: 'worker-1', pods }),
    tell.giveUpDrain({ do: 'giveUpDrain', ...at }),
    tell.uncordon({ do: 'uncordon', ...at }),
  ]

  for (const { deed, done } of told) {
    expect(deed).toContain('node worker-1')
    expect(done).toContain('node worker-1')
  }
  expect(told.map(({ done }) => done.includes('the pods shop/web-1, shop/web-2'))).toEqual([
    ...[false, true, true, false, false],
  ])
})
