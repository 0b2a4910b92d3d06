import type { Machine } from '#api/machine.ts'
import { onlyTo, orNothing, unlessFailed } from '#engine/machine-identity.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import type { TalosMachine } from '#talos/machine.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { MachineError, outcomeOf } from '#talos/outcome.ts'
import { isClaimed } from './machine-facts.ts'

interface Beginning {
  machines: TalosMachines
  access: ClusterAccess
  /** All of the control plane. */
  all: readonly Machine[]
  /** The one that was chosen, by name and by identity. */
  machine: string
  uuid: string
  signal: AbortSignal
}

/**
 * Begins the cluster's etcd on the machine that was chosen for it. All others are asked first, as they are
 * now and not as they were seen: if one of them has etcd, the cluster began already. Resolves when the
 * machine has accepted, now or before.
 */
export async function beginCluster(beginning: Beginning): Promise<void> {
  const { machines, access, all, machine, uuid, signal } = beginning
  const at = ({ spec }: Machine) => machines.machine({ address: spec?.endpoint ?? '', access })
  const chosen = all.find(({ metadata }) => metadata.name === machine)
  if (!chosen) throw new Error('the plan is not of this look')
  const others = all.filter((one) => one !== chosen)
  await Promise.all(others.map((one) => assertNotBegun(at(one), isClaimed(one), signal)))
  try {
    await onlyTo(at(chosen), { uuid, signal }, (same) => same.bootstrap({}, { signal }))
  } catch (error) {
    if (outcomeOf(error) !== 'already-done') throw error
  }
}

/** Throws if one of these is a member of etcd, as it is now. Who does not answer is taken for none. */
export async function assertNeverBegun(
  all: readonly Machine[],
  { machines, access, signal }: Pick<Beginning, 'machines' | 'access' | 'signal'>,
): Promise<void> {
  const at = ({ spec }: Machine) => machines.machine({ address: spec?.endpoint ?? '', access })
  await Promise.all(all.map((one) => assertNotBegun(at(one), false, signal)))
}

/**
 * One that has its configuration has to answer. Of the others, which nobody configured as far as we know,
 * only one that proves to be of the cluster counts: it may have been let go by force, and come back.
 */
async function assertNotBegun(
  machine: TalosMachine,
  mustAnswer: boolean,
  signal: AbortSignal,
): Promise<void> {
  const asked = orNothing(machine.cluster.etcdMemberId({ signal }))
  const member = await (mustAnswer ? asked : unlessFailed(asked))
  if (member === undefined) return
  throw new MachineError({
    outcome: 'refused',
    message: `${machine.where} is a member of etcd already, so the cluster has begun: it is not begun again`,
  })
}
