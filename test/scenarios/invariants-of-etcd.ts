import { quorumOf } from '#engine/etcd-members.ts'
import { type MachineCall, wordsFor } from './boundary.ts'

/** What of a cluster that stays was risked by a call: its quorum, or a member that nobody took out before. */
export function brokenEtcd(call: MachineCall): string[] {
  const { method, etcd = [], member } = call
  if (method === 'etcd.leave') return afterLossOf(call, (one) => one.isOwn)
  if (method === 'etcd.removeMember') return afterLossOf(call, ({ id }) => id === member)
  const isMember = etcd.some(({ isOwn, isRunning }) => isOwn && isRunning)
  return method === 'reset' && isMember
    ? [`${wordsFor(call)}: the machine is still a member of etcd`]
    : []
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
