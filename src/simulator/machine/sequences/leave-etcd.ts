import { refusals } from '#simulator/etcd/etcd-refusal.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { leaveOwnEtcd } from '#simulator/machine/own-etcd-member.ts'
import { Refusal } from '#simulator/refusal.ts'
import { SequenceFailure } from './restart.ts'
import type { SequenceRun } from './sequence-run.ts'

const ATTEMPTS = 30

/** Takes this machine out of etcd, if it is in. Waits a while where a member that comes back would help, and only there. */
export async function leaveEtcd(
  inside: MachineInside,
  boot: Boot,
  run: SequenceRun,
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (!boot.services.isIn('etcd', 'Running', 'Stopping', 'Failed')) return
    const problem = problemOfLeaving(inside)
    if (problem === undefined) return
    if (attempt === ATTEMPTS || !problem.includes(refusals.unhealthy)) {
      throw new SequenceFailure(problem)
    }
    await inside.takes('retryLeave', run.signal)
  }
}

function problemOfLeaving(inside: MachineInside): string | undefined {
  try {
    leaveOwnEtcd(inside)
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}
