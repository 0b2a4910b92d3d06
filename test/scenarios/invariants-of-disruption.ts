import { quorumOf } from '#engine/etcd-members.ts'
import { type Call, type MachineCall, wordsFor } from './boundary.ts'

// What takes a machine down for a while. An installation beside what runs does not, and is no business of others.
const DOWN: readonly string[] = ['reboot', 'upgrade.legacy', 'rollback', 'shutdown']
const IN_TURN: readonly string[] = [...DOWN, 'upgrade.lifecycle']

/** Whether a machine that runs is away for a while by it. */
export const takesDown = ({ method, mode, stage }: MachineCall): boolean =>
  DOWN.includes(method) ||
  (method === 'configuration.apply' && mode === 'reboot' && stage !== 'maintenance')

/** What of a cluster was risked by taking a machine down that comes back. */
export function brokenDisruption(call: MachineCall): string[] {
  return [
    ...(IN_TURN.includes(call.method) ? outOfTurn(call) : []),
    ...(takesDown(call) ? withoutMajority(call) : []),
  ]
}

/** One that runs is changed in its turn, and no more of them at once than may be. */
export function outOfTurn(call: MachineCall): string[] {
  const { isOwn = false, held = 0, allowed = 1, isOfControlPlane = true } = call.turns ?? {}
  if (!isOwn) return [`${wordsFor(call)}: the machine is ${call.stage}, and it is not its turn`]
  const whose = isOfControlPlane ? 'a control plane' : 'a pool'
  return held > allowed
    ? [`${wordsFor(call)}: ${held} machines of ${whose} have a turn, and ${allowed} may`]
    : []
}

/** Before a machine is drained and told to upgrade itself, what it is to become is known to be there. */
export function unfetched(call: MachineCall, history: readonly Call[]): string[] {
  const isFetched = (one: Call): boolean =>
    one.to === 'machine' &&
    /^images\.pull/.test(one.method) &&
    one.outcome === 'done' &&
    one.uuid === call.uuid &&
    one.image === call.image
  return call.method !== 'upgrade.legacy' || history.slice(0, history.indexOf(call)).some(isFetched)
    ? []
    : [`${wordsFor(call)}: nobody has seen that it can fetch ${call.image}`]
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
