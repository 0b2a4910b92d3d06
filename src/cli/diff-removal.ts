import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import { type EtcdSeen, etcdSeen, memberOf, quorumOf } from '#engine/etcd-members.ts'
import { isTrue, machinesInTheWay } from '#engine/pool-machines.ts'
import { isSick, removalProblem, sickFirst } from '#engine/removal.ts'
import type { PoolSeen } from './diff-pool.ts'
import type { RemovedMachine, Said } from './diff-report.ts'
import { isClaimed } from './diff-wish.ts'

/** Machines that go: those that do not work before others come, the others when these are there. */
export interface Removals {
  readonly first: readonly RemovedMachine[]
  readonly last: readonly RemovedMachine[]
}

/** What becomes of machines that a pool does not have any more. */
export function removalsOf(
  { parent, plan, controlPlane, worker }: PoolSeen,
  machines: readonly Machine[],
): Removals {
  const isKept = parent.spec?.deletionPolicy === 'preserve'
  const order = sickFirst(machines)
  const problems =
    worker || !controlPlane ? NONE : problemsIn(controlPlane, { order, plan, isKept })
  const removed = (machine: Machine) => {
    const problem =
      problems.get(machine) ?? machinesInTheWay({ ...plan, taken: [], surplus: [machine] })
    return { ...removedMachine(machine, isKept), ...(problem && { problem: saidBy(problem) }) }
  }
  return {
    first: order.filter(isSick).map(removed),
    last: order.filter((machine) => !isSick(machine)).map(removed),
  }
}

/** What becomes of a machine that goes. */
export function removedMachine(machine: Machine, isKept: boolean): RemovedMachine {
  const { metadata, spec } = machine
  const isPreserved = isKept || spec?.deletionPolicy === 'preserve'
  return {
    ...{ do: 'remove', name: metadata.name, address: spec?.endpoint ?? '' },
    fate: isClaimed(machine) ? (isPreserved ? 'kept' : 'wiped') : 'never configured',
    isMember: memberOf(machine).length > 0,
    isAnswering: isTrue(machine, 'Reachable'),
  }
}

const NONE: ReadonlyMap<Machine, Said> = new Map()

interface Going {
  /** In which they go. */
  order: readonly Machine[]
  plan: PoolSeen['plan']
  /** Whether they run on as they are, members of etcd that they stay. */
  isKept: boolean
}

/** Why some cannot be taken out of etcd, one after the other, with those that come in between. */
function problemsIn(
  controlPlane: ControlPlane,
  { order, plan: { missing, known, surplus }, isKept }: Going,
): Map<Machine, Said> {
  const problems = new Map<Machine, Said>()
  const seen = etcdSeen([...known, ...surplus])
  const newcomers = missing.map(({ metadata: { name } }) => ({
    ...{ id: name, machine: name, name, isWell: true },
  }))
  let { voters } = seen
  let hasNewcomers = seen.voters.length === 0
  for (const machine of order) {
    if (!hasNewcomers && !isSick(machine)) {
      voters = [...voters, ...newcomers]
      hasNewcomers = true
    }
    const etcd: EtcdSeen = { ...seen, voters, quorum: quorumOf(voters.length) }
    const problem = isClaimed(machine) ? removalProblem(controlPlane, machine, etcd) : undefined
    if (problem) problems.set(machine, problem)
    else if (!isKept) voters = voters.filter(({ id }) => !memberOf(machine).includes(id))
  }
  return problems
}

const saidBy = ({ reason, message }: Said): Said => ({ reason, message })
