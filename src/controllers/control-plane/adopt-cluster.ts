import type { Machine } from '#api/machine.ts'
import { hexId } from '#engine/etcd-members.ts'
import { onlyTo, orNothing } from '#engine/machine-identity.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { MachineError } from '#talos/outcome.ts'

interface Seen {
  machines: TalosMachines
  access: ClusterAccess
  signal: AbortSignal
}

/**
 * Asks machines whether they still are what they were seen to be: with these keys, who they are, and which member of etcd.
 * What a look found out may be of other keys, or of other machines. Throws if one of them is not; changes nothing.
 */
export async function assertAsSeen(
  all: readonly Machine[],
  { machines, access, signal }: Seen,
): Promise<void> {
  await Promise.all(
    all.map(async ({ spec, status }) => {
      const machine = machines.machine({ address: spec?.endpoint ?? '', access })
      await onlyTo(machine, { uuid: status?.uuid ?? '', signal }, async (same) => {
        const member = await orNothing(same.cluster.etcdMemberId({ signal }))
        if (member !== undefined && hexId(member) === status?.etcdMember?.id) return
        throw new MachineError({
          outcome: 'wrong-identity',
          message: `${machine.where} is not the member of etcd that it was seen to be: nothing was taken over`,
        })
      })
    }),
  )
}
