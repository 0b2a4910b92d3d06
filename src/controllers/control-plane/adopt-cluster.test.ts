import { describe, expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import type { BoundMachine, TalosMachine } from '#talos/machine.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { MachineError } from '#talos/outcome.ts'
import { aMember, uuidAt } from '#test/control-plane-world.ts'
import { assertAsSeen } from './adopt-cluster.ts'

const access: ClusterAccess = {
  ...{ kind: 'cluster', authority: '', certificate: '', key: new Secret('') },
}

/** Machines that answer as they are now. */
const answering = (answers: { uuid?: string; member?: bigint | Error }): TalosMachines => ({
  machine: ({ address, access: given }) => {
    expect(given).toBe(access)
    const at = Number(address.at(-1))
    const { uuid = uuidAt(at), member = BigInt(at) } = answers
    const same = {
      where: address,
      state: { systemInformation: async () => ({ uuid }) },
      cluster: {
        etcdMemberId: async () => {
          if (member instanceof Error) throw member
          return member
        },
      },
    }
    const bound: TalosMachine['bound'] = (work) => work(same as unknown as BoundMachine) // nothing else is asked
    return { where: address, bound } as unknown as TalosMachine // nothing else is asked
  },
})

const { signal } = new AbortController()
const seen = [1, 2].map((at) => aMember(at, { uuid: uuidAt(at), etcdMember: memberAt(at) }))

function memberAt(at: number) {
  return { id: `${at}`.padStart(16, '0'), learner: false }
}

describe('before a cluster is taken over', () => {
  test('its machines say once more that they are what they were seen to be', async () => {
    await assertAsSeen(seen, { machines: answering({}), access, signal })
  })

  test.each([
    ['it is another machine', { uuid: 'uuid-9' }],
    ['it is another member of etcd', { member: 9n }],
    ['it is none any more', { member: new MachineError({ outcome: 'absent', message: 'none' }) }],
    ['it has other keys', { member: new MachineError({ outcome: 'wrong-identity', message: '' }) }],
  ])('nothing is if %s', async (_what, answers) => {
    const asked = assertAsSeen(seen, { machines: answering(answers), access, signal })

    await expect(asked).rejects.toThrow()
  })
})
