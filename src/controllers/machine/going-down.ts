import type { Machine } from '#api/machine.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { assertBearable } from '#engine/etcd-peers.ts'
import { unlessFailed } from '#engine/machine-identity.ts'
import type { BoundMachine } from '#talos/machine.ts'
import { notOfThisLook } from './act-parts.ts'
import type { World } from './world.ts'

interface GoingDown {
  resource: Machine
  world: World
  signal: AbortSignal
}

/** Throws unless etcd bears it that this machine is down for a while, as all others say now. Of a worker there is no etcd. */
export async function assertMayGoDown(
  { machines }: Pick<ClusterPorts, 'machines'>,
  { resource, world, signal }: GoingDown,
): Promise<void> {
  if (resource.spec?.workerRef) return
  const { access, others } = world.means
  if (!access || !others) throw notOfThisLook()
  await assertBearable({ machines, access, signal }, resource, others)
}

// Whoever leads gives that up first, so that nobody waits for an election. It does no harm if it does not.
const FORFEIT_MS = 5_000

/** Has etcd led by another one, if it is led by this. */
export async function giveUpLead(
  same: BoundMachine,
  { seen }: World,
  signal: AbortSignal,
): Promise<void> {
  const isOneOfMany = seen.is === 'member' && (seen.etcdMembers ?? []).length > 1
  if (!isOneOfMany) return
  await unlessFailed(same.etcd.forfeitLeadership({ signal, deadlineMs: FORFEIT_MS }))
}
