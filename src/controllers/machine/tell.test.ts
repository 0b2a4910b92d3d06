import { expect, test } from 'vitest'
import { UUID } from '#test/machine-world.ts'
import { tell } from './tell.ts'

test('a claim names the machine and the disk', () => {
  expect(tell.claim({ do: 'claim', uuid: UUID, disk: '/dev/sda' })).toEqual({
    reason: 'Claim',
    message: `write down that this is the machine ${UUID}, and that Talos goes on its disk /dev/sda`,
  })
  expect(tell.claim({ do: 'claim', uuid: UUID }).message).not.toContain('disk')
})

test('what fails has the published reasons', () => {
  const steps = [
    tell.configure({ do: 'configure', uuid: UUID, config: 'hash' }),
    tell.writeMeta({ do: 'writeMeta', uuid: UUID }),
  ]

  expect(steps.map(({ reason }) => `${reason}Failed`)).toEqual([
    'ConfigApplyFailed',
    'MetaKeyFailed',
  ])
})

test('a reset says what becomes of the disks, and of the workloads', () => {
  const gentle = tell.reset({ do: 'reset', uuid: UUID, graceful: true }).message
  const rough = tell.reset({ do: 'reset', uuid: UUID, graceful: false }).message

  expect(gentle).toContain('its disks are wiped')
  expect(gentle).toContain('workloads')
  expect(rough).not.toContain('workloads')
})

test('a node is named', () => {
  expect(tell.deleteNode({ do: 'deleteNode', node: 'worker-1', uid: 'u' }).message).toContain(
    'worker-1',
  )
})
