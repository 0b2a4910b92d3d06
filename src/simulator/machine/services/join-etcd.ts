import type { EtcdHalf } from '#simulator/clusters/etcd-half.ts'
import type { NewMember } from '#simulator/etcd/etcd-state.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { EtcdPlace } from '#simulator/machine/kept/ephemeral-partition.ts'
import { untilTrue } from '#simulator/machine/listeners.ts'
import { Refusal } from '#simulator/refusal.ts'
import type { ServiceContext } from './bring-up.ts'

/** How etcd on this machine is known to others. */
export const newMember = ({ hostname, address }: MachineInside): NewMember => ({
  name: hostname,
  peerUrls: [`https://${inUrl(address)}:2380`],
  clientUrls: [`https://${inUrl(address)}:2379`],
})

const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address)

/** Becomes a learner of the etcd that is found first, as soon as there is one that takes it. */
export async function joinEtcd(context: ServiceContext): Promise<EtcdPlace> {
  const { inside, boot, signal } = context
  const { cluster } = boot
  for (;;) {
    if (cluster) {
      const isThere = () => cluster.etcdToJoin(inside) !== undefined
      await untilTrue(isThere, signal, (listener) => cluster.changes.add(listener))
    }
    await inside.takes('retryJoin', signal)
    const half = cluster?.etcdToJoin(inside)
    const place = half && tryToJoin(inside, half)
    if (place) return place
    if (half) await changeOf(half, signal)
  }
}

function tryToJoin(inside: MachineInside, half: EtcdHalf): EtcdPlace | undefined {
  const member = newMember(inside)
  try {
    // Of an earlier life with the same name, whose data is gone. One that never ran has no name yet: Talos does not find it.
    const former = half.etcd.members.find(
      ({ name, hasStarted }) => hasStarted && name === member.name,
    )
    if (former) half.etcd.remove(former.id)
    return { half, memberId: half.etcd.addLearner(member) }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Resolves after the next change of an etcd. */
async function changeOf(half: EtcdHalf, signal: AbortSignal): Promise<void> {
  let hasChanged = false
  const onChange = (listener: () => void) =>
    half.etcd.onChange(() => {
      hasChanged = true
      listener()
    })
  await untilTrue(() => hasChanged, signal, onChange)
}
