import { quorumOf } from '#engine/etcd-members.ts'
import { type Call, isMachineChange, type MachineCall, wordsFor } from './boundary.ts'

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

/** As long as a machine may take from being told to go down to being on its way. */
const ON_ITS_WAY_MS = 120_000

/**
 * Of those that belong together no more are away at our hand than may be: by what they were told and what became of them,
 * whatever is written down of turns.
 */
export function tooManyDown(call: MachineCall, history: readonly Call[]): string[] {
  if (!call.part || !(takesDown(call) || call.method === 'reset')) return []
  const { others, allowed, isOfControlPlane, wasDownWhenLetGo } = call.part
  // Who does not answer may go at once. That it came back before it was wiped changes nothing.
  if (call.method === 'reset' && wasDownWhenLetGo) return []
  const before = history.slice(0, history.indexOf(call)).filter(isSentAway)
  const away = others.filter(({ uuid, isLeaving, lastReady }) => {
    const told = before.findLast((one) => one.uuid === uuid)
    // Who goes for good, and was wiped, is one of them no more: its pods and its etcd were seen to before.
    const isGone = isLeaving && told?.method === 'reset'
    return told !== undefined && !isGone && !isBack(told, lastReady)
  })
  const whose = isOfControlPlane ? 'a control plane' : 'a pool'
  const who = away.map(({ address }) => address).join(', ')
  return away.length < allowed
    ? []
    : [
        `${wordsFor(call)}: ${who} of ${whose} went down for us and was not ready since, and ${allowed} may`,
      ]
}

const isSentAway = (call: Call): call is MachineCall =>
  isMachineChange(call) &&
  call.outcome !== 'refused' &&
  (takesDown(call) || call.method === 'reset')

type LastReady = NonNullable<MachineCall['part']>['others'][number]['lastReady']

/** One that has not gone for so long has not heard it. */
function isBack({ at, bootId }: MachineCall, ready: LastReady): boolean {
  const sinceMs = ready ? ready.at.getTime() - at.getTime() : 0
  return ready?.bootId === bootId ? sinceMs >= ON_ITS_WAY_MS : sinceMs > 0
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
