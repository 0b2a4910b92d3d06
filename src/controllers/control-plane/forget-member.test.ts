import { expect, test } from 'vitest'
import { ETCD_FORGOTTEN } from '#api/labels.ts'
import { Secret } from '#base/secret.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { hexId } from '#engine/etcd-members.ts'
import { aWriter } from '#test/a-writer.ts'
import { aControlPlane } from '#test/builders.ts'
import { aMember, anUnclaimed, aSilent, aWorld, uuidAt } from '#test/control-plane-world.ts'
import { forgetting } from './forget-member.ts'

/** Machines of which the first is a member of etcd that lists these, and no other answers. */
function machinesWith(...listed: bigint[]) {
  const asked: string[] = []
  const machine = ({ address }: { address: string }) => {
    asked.push(address)
    const same = {
      state: { systemInformation: async () => ({ uuid: uuidAt(1) }) },
      cluster: { etcdMemberId: async () => 1n },
      etcd: { members: async () => listed.map((id) => ({ id, isLearner: false })) },
    }
    return { bound: (work: (bound: typeof same) => unknown) => work(same) }
  }
  return { asked, machines: { machine } }
}

const step = {
  ...{ do: 'forgetMember' as const, machine: 'prod-192.0.2.2', uid: 'u', member: hexId(2n) },
}
const access = {
  ...{ kind: 'cluster' as const, authority: '', certificate: '', key: new Secret('') },
}

async function forgotten(listed: bigint[], means: object) {
  const { asked, machines } = machinesWith(...listed)
  const { write, written } = aWriter()
  const world = aWorld({ machines: [aMember(1), aSilent(2), anUnclaimed(3)], means })
  const ports = { machines } as unknown as ClusterPorts // no more of them is used
  await forgetting(ports).forgetMember(step, { resource: aControlPlane(), world, write })
  return { asked, written }
}

test('a member is forgotten by a note on its very object, after all machines were asked', async () => {
  const { asked, written } = await forgotten([1n], { access })

  expect(asked).toEqual(['192.0.2.1', '192.0.2.2'])
  const annotations = { [ETCD_FORGOTTEN]: hexId(2n) }
  expect(written).toEqual([
    {
      ...{ how: 'patch', name: 'prod-192.0.2.2' },
      what: { type: 'merge', body: { metadata: { uid: 'u', annotations } } },
    },
  ])
})

test('one that has joined meanwhile is not, nor without the keys to ask', async () => {
  await expect(forgotten([1n, 2n], { access })).rejects.toMatchObject({ outcome: 'not-ready' })
  await expect(forgotten([1n], {})).rejects.toThrow('the plan is not of this look')
})
