import { quorumOf } from '#engine/etcd-members.ts'
import { type Call, type MachineCall, wordsFor } from './boundary.ts'

/** What of a cluster that stays was risked by a call: its quorum, or a member that nobody took out before. */
export function brokenEtcd(call: MachineCall, history: readonly Call[]): string[] {
  const { method, etcd = [], member } = call
  if (method === 'etcd.leave')
    return [...afterLossOf(call, (one) => one.isOwn), ...stillLeading(call, history)]
  if (method === 'etcd.removeMember') return afterLossOf(call, ({ id }) => id === member)
  const isMember = etcd.some(({ isOwn, isRunning }) => isOwn && isRunning)
  return method === 'reset' && isMember
    ? [`${wordsFor(call)}: the machine is still a member of etcd`]
    : []
}

/** Each time that it is told to leave, it was asked before to give up to lead. */
function stillLeading(call: MachineCall, history: readonly Call[]): string[] {
  const last = history
    .slice(0, history.indexOf(call))
    .filter((one) => one.to === 'machine' && one.uuid === call.uuid)
    .findLast(({ method }) => method === 'etcd.leave' || method === 'etcd.forfeitLeadership')
  return last?.method === 'etcd.forfeitLeadership'
    ? []
    : [`${wordsFor(call)}: it was not asked to give up to lead`]
}

type Known = NonNullable<MachineCall['etcd']>[number]

function afterLossOf(call: MachineCall, isGoing: (member: Known) => boolean): string[] {
  const { etcd = [] } = call
  const staying = etcd.filter((member) => member.isVoter && !isGoing(member))
  const running = staying.filter(({ isRunning }) => isRunning).length
  const needed = quorumOf(staying.length)
  return etcd.some((member) => member.isVoter && isGoing(member)) && running < needed
    ? [
        `${wordsFor(call)}: ${running} of ${staying.length} members of etcd are left, and ${needed} are needed`,
      ]
    : []
}
