import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { isAdopted } from '#engine/adoption.ts'
import { isMeant, type Member, type Seen, type Waiting } from './world.ts'

type Status = NonNullable<Machine['status']>

/** What is shown of a machine: as it is seen, or as it was seen last. Never what another one at its address is. */
export function statusFrom(machine: Machine, seen: Seen, state = stateOf(machine, seen)) {
  const { status = {} } = machine
  const now = ownIn(machine, seen)
  return {
    ...(now ? seenNow(now, status) : lastSeen(status)),
    state,
    imported: isAdopted(machine) || (claimOf(machine) === undefined ? status.imported : undefined),
    // Kept until the machine is taken over: it is the proof that an older operator configured it.
    config: claimOf(machine) === undefined ? status.config : undefined,
  }
}

/** Where it is in its life, as far as that can be seen. */
function stateOf(machine: Machine, seen: Seen): NonNullable<Status['state']> {
  const { state = 'Pending' } = machine.status ?? {}
  const now = ownIn(machine, seen)
  if (now?.is === 'waiting') return 'Pending'
  if (now) return now.stage === 'running' ? 'Available' : 'Installing'
  // Whoever asks has found its parent again.
  return state === 'Orphaned' ? 'Pending' : state
}

const claimOf = ({ metadata }: Machine) => metadata.annotations?.[MACHINE_UUID]

/** What answers, unless that is another machine than the one which the object stands for. */
function ownIn(machine: Machine, seen: Seen): Member | Waiting | undefined {
  if (seen.is !== 'member' && seen.is !== 'waiting') return undefined
  const claimed = claimOf(machine)
  const isOwn = claimed === undefined ? isMeant(machine, seen.uuid) : claimed === seen.uuid
  return isOwn ? seen : undefined
}

function seenNow(seen: Member | Waiting, last: Status) {
  const { uuid, version: observedVersion } = seen
  if (seen.is === 'waiting') {
    return { uuid, observedVersion, stage: 'maintenance', observedSchematic: undefined }
  }
  const { stage, type, hostname, etcdMember } = seen
  const etcdMembers = seen.etcdMembers && [...seen.etcdMembers]
  const addresses = [...seen.addresses].sort()
  return {
    ...{ uuid, observedVersion, stage, type, hostname, addresses, etcdMember, etcdMembers },
    // Asked only when it may be another one.
    observedSchematic: seen.boot ? seen.boot.schematic : last.observedSchematic,
    kubernetes: seen.kubernetes,
  }
}

const lastSeen = (status: Status) => ({
  uuid: status.uuid,
  observedVersion: status.observedVersion,
  observedSchematic: status.observedSchematic,
  stage: status.stage,
  type: status.type,
  hostname: status.hostname,
  addresses: status.addresses,
  etcdMember: status.etcdMember,
  etcdMembers: status.etcdMembers,
  kubernetes: status.kubernetes,
})
