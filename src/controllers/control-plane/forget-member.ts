import type { ControlPlane } from '#api/control-plane.ts'
import { ETCD_FORGOTTEN } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { assertUnlisted } from '#engine/etcd-peers.ts'
import type { Acts } from '#runtime/definition.ts'
import { isClaimed } from './machine-facts.ts'
import type { Step, World } from './world.ts'

type Forgetting = Extract<Step, { do: 'forgetMember' }>

/**
 * How it is written down that etcd knows nothing of a machine's member. Statuses may be older than a member that has just
 * joined, so all machines are asked first, the one that it is about too.
 */
export const forgetting = ({
  machines,
}: ClusterPorts): Acts<typeof ControlPlane, World, Forgetting> => ({
  forgetMember: async ({ machine, uid, member }, { world, write }) => {
    const { access } = world.means
    if (!access) throw new Error('the plan is not of this look')
    const { signal } = write
    await assertUnlisted({ machines, access, signal }, member, world.machines.filter(isClaimed))
    await write.patch(Machine, machine, {
      type: 'merge',
      body: { metadata: { uid, annotations: { [ETCD_FORGOTTEN]: member } } },
    })
  },
})
