import { quorumOf } from '#engine/etcd-members.ts'
import { type MachineCall, wordsFor } from './boundary.ts'

// What takes a machine down for a while. An installation beside what runs does not, and is no business of others.
const DOWN: readonly string[] = ['reboot', 'upgrade.legacy', 'rollback', 'shutdown']
const IN_TURN: readonly string[] = [...DOWN, 'upgrade.lifecycle']

/** What of a cluster was risked by taking a machine down that comes back. */
export function brokenDisruption(call: MachineCall): string[] {
  return [
    ...(IN_TURN.includes(call.method) ? outOfTurn(call) : []),
    ...(DOWN.includes(call.method) ? withoutMajority(call) : []),
  ]
}

/** One that runs is changed in its turn, and on a control plane nobody else has one. */
export function outOfTurn(call: MachineCall): string[] {
  const { isOwn = false, held = 0, isOfControlPlane = true } = call.turns ?? {}
  if (!isOwn) return [`${wordsFor(call)}: the machine is ${call.stage}, and it is not its turn`]
  return isOfControlPlane && held > 1
    ? [`${wordsFor(call)}: ${held} machines of a control plane have a turn`]
    : []
}

function withoutMajority(call: MachineCall): string[] {
  const voters = (call.etcd ?? []).filter(({ isVoter }) => isVoter)
  const left = voters.filter(({ isOwn, isRunning }) => !isOwn && isRunning).length
  const isMember = voters.some(({ isOwn }) => isOwn)
  // Of one alone there is no majority to keep.
  if (!isMember || voters.length === 1 || left >= quorumOf(voters.length)) return []
  return [
    `${wordsFor(call)}: ${left} of ${voters.length} members of etcd are up without it, and ${quorumOf(voters.length)} are needed`,
  ]
}
