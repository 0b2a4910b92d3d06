import type { Machine } from '#api/machine.ts'
import { isWell } from '#engine/pending.ts'
import { isLeaving } from '#engine/removal.ts'
import { changeOf, wantedChange } from './diff-change.ts'
import type { PoolSeen } from './diff-pool.ts'
import type { DiffPorts } from './diff-ports.ts'
import { removalsOf } from './diff-removal.ts'
import type { AddedMachine, ChangedMachine, MachineDiff } from './diff-report.ts'
import { lookAtRunning } from './diff-running.ts'
import type { Standing } from './diff-standstill.ts'
import { diskFor, isClaimed, wishFor } from './diff-wish.ts'

/** A pool as it is, if it is there, and as it would be. */
export interface Pools {
  readonly before: PoolSeen | undefined
  readonly after: PoolSeen
}

interface MachineDiffs {
  /** In the order in which they are seen to. */
  readonly machines: readonly MachineDiff[]
  /** The names of those to which something is done, or should be, whether or not this is applied. */
  readonly already: readonly string[]
  /** Those that stay as they are, though they should not, whoever asked for something else. */
  readonly standing: readonly Standing[]
}

/**
 * What becomes of the machines of a pool. Those that go and do not work make room first; then come new ones; then those
 * that stay are changed, the sick before the others; and those that work go last.
 */
export async function machinesOf(pools: Pools, ports: DiffPorts): Promise<MachineDiffs> {
  const { before, after } = pools
  const { missing, surplus, known } = after.plan
  const isOld = ({ metadata: { name } }: { metadata: { name: string } }) =>
    [...(before?.plan.missing ?? []), ...(before?.plan.surplus ?? [])].some(
      (one) => one.metadata.name === name,
    )
  const leaving = surplus.filter((machine) => !isLeaving(machine) && !isOld(machine))
  const { first, last } = removalsOf(after, leaving)
  const staying = mendedFirst(known.filter((machine) => !isLeaving(machine)))
  const found = await Promise.all(staying.map((machine) => changeTo(machine, pools, ports)))
  const changes = found.map((one) => one?.change)
  return {
    machines: [
      ...first,
      ...missing.filter((draft) => !isOld(draft)).map((draft) => addedMachine(after, draft)),
      ...changes.filter((one): one is ChangedMachine => typeof one === 'object'),
      ...last,
    ],
    already: [
      ...[...missing, ...surplus, ...known].filter((one) => isOld(one) || isGoing(one)),
      ...staying.filter((_, at) => changes[at] === 'already'),
    ].map(({ metadata }) => metadata.name),
    standing: found.flatMap((one) => one?.standing ?? []),
  }
}

/** What is not well may be mended by a change. */
const mendedFirst = (machines: readonly Machine[]): Machine[] => [
  ...machines.filter((machine) => !isWell(machine)),
  ...machines.filter(isWell),
]

const isGoing = ({ metadata }: Pick<Machine, 'metadata'>): boolean =>
  metadata.deletionTimestamp !== undefined

function addedMachine(pool: PoolSeen, draft: PoolSeen['plan']['missing'][number]): AddedMachine {
  return {
    ...{ do: 'add', name: draft.metadata.name, address: draft.spec.endpoint },
    role: pool.worker ? 'worker' : 'control plane',
    version: draft.spec.version,
    disk: diskFor(pool, draft),
  }
}

async function changeTo(machine: Machine, { before, after }: Pools, ports: DiffPorts) {
  const wish = wishFor(after, machine)
  if (!wish) return undefined
  const staying = { machine, before: before && wishFor(before, machine), after: wish }
  const at = { ...machine, spec: { ...machine.spec, ...wish.spec } }
  const running = isClaimed(machine)
    ? await lookAtRunning(at, before?.bundle ? before : after, ports)
    : { is: 'unseen' as const, why: 'it is not installed yet' }
  const change = changeOf(staying, running)
  const { problem } = (change === 'already' ? wantedChange(staying, running) : change) ?? {}
  const { name } = machine.metadata
  return { change, ...(problem && { standing: { name, problem } }) }
}
