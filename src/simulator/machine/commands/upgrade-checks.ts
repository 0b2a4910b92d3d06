import type { KeptMember } from '#simulator/etcd/etcd-state.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { UpgradeRequest } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'

const LAST_THAT_WIPES = 7
const FIRST_WITHOUT_PRESERVE = 14

/** Refuses an upgrade that etcd would not survive, or that nobody can tell of. */
export function checkEtcdForUpgrade(
  inside: MachineInside,
  { minor, isInMaintenance, cluster }: Boot,
  { force, preserve }: UpgradeRequest,
): void {
  const isAsked = force || (minor >= FIRST_WITHOUT_PRESERVE && preserve)
  if (isInMaintenance || inside.facts?.type !== 'controlplane' || isAsked) return
  const half = inside.etcdPlace?.half ?? cluster?.etcdToJoin(inside)
  if (!half?.etcd.hasQuorum) throw refused('failed to get etcd members: context deadline exceeded')
  const wipes = minor <= LAST_THAT_WIPES && !preserve
  const problem = countProblem(half.etcd.members.length, wipes) ?? memberProblem(half.etcd.members)
  if (problem !== undefined) throw refused(problem)
}

function countProblem(count: number, wipes: boolean): string | undefined {
  if (count === 2) {
    return 'etcd member count(2) is insufficient to maintain quorum if upgrade commences'
  }
  return count === 1 && wipes
    ? 'only 1 etcd member found; assuming this is not an HA setup and refusing to upgrade; if this is a single-node cluster, use --preserve to upgrade'
    : undefined
}

function memberProblem(members: readonly KeptMember[]): string | undefined {
  for (const { id, hasStarted, isRunning } of members) {
    const name = `etcd member ${id.toString(16).padStart(16, '0')}`
    if (!hasStarted) {
      return `${name} is not started, all members must be running to perform an upgrade`
    }
    if (!isRunning) {
      return `${name} is not healthy; all members must be healthy to perform an upgrade: context deadline exceeded`
    }
  }
  return undefined
}

const refused = (reason: string): Refusal =>
  new Refusal('Unknown', `error validating etcd for upgrade: ${reason}`)
