import type { Machine } from '#api/machine.ts'
import type { Decision } from '#controllers/control-plane/decision.ts'
import { claimedUuid, mayGo } from '#controllers/control-plane/machine-facts.ts'
import { DRAINED } from '#engine/drain.ts'
import { whatBlocks } from '#engine/pool-machines.ts'
import { isDrainBlocked, isSick, leavingReason } from '#engine/removal.ts'
import { stuck } from '#engine/stuck.ts'
import { no } from '#runtime/plan.ts'

/** In this order: whoever can leave etcd does, whoever is on the way is waited for, and then the next one is told. */
const STAGES = ['ready', 'draining', 'waiting', 'blocked'] as const

/** Where a machine is that was told to go, and that etcd does not need. One that is sick only does harm: it is not drained first. */
function stageOf(machine: Machine): (typeof STAGES)[number] {
  if (isSick(machine)) return 'ready'
  if (!mayGo(machine)) return 'waiting'
  if (isDrainBlocked(machine)) return 'blocked'
  return leavingReason(machine) === DRAINED ? 'ready' : 'draining'
}

/** Whose turn it is of those that may go. */
export const nextOf = (machines: readonly Machine[]): Machine | undefined =>
  STAGES.flatMap((stage) => machines.filter((machine) => stageOf(machine) === stage))[0]

/** What is done for a machine that may go: its node is drained, then it leaves etcd. */
export function departureOf(machine: Machine): Pick<Decision, 'steps' | 'ready'> {
  const { name, uid = '' } = machine.metadata
  switch (stageOf(machine)) {
    case 'ready':
      return {
        steps: [{ do: 'leaveEtcd', machine: name, uuid: claimedUuid(machine) ?? '' }],
        ready: no('RemovingMachine', `${name} is taken out of etcd`),
      }
    case 'waiting':
      return {
        steps: [{ do: 'letGo', machine: name, uid }],
        ready: no('RemovingMachine', `${name} may go, and is drained first`),
      }
    case 'draining':
      return { ready: no('RemovingMachine', whatBlocks([machine])) }
    case 'blocked':
      return { ready: stuck('DrainBlocked', whatBlocks([machine])) }
  }
}
