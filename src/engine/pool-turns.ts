import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import { isRestrained } from '#runtime/reconcile-mode.ts'
import { maxUnavailable } from './max-unavailable.ts'
import { isWell } from './pending.ts'
import { isLeaving } from './removal.ts'
import type { Turn } from './turns.ts'

interface Pool {
  spec: Worker['spec']
  machines: readonly Machine[]
  /** Who has a turn. */
  held: readonly Turn[]
  /** Who may be given one, in this order. */
  waiting: readonly Machine[]
}

/** Those of a pool that can be given a turn now: as many as may be down, and whoever has one, or is down anyway, counts. */
export function nextInPool({ spec, machines, held, waiting }: Pool): Machine[] {
  const limit = maxUnavailable(spec?.rolloutStrategy.rollingUpdate?.maxUnavailable, machines.length)
  const isHolding = ({ metadata }: Machine) => held.some(({ uid }) => uid === metadata.uid)
  const isDown = (machine: Machine) =>
    (isGoing(machine) || !isWell(machine)) && !isHolding(machine) && !waiting.includes(machine)
  const free = limit - held.length - machines.filter(isDown).length
  return waiting.filter((machine) => !isHolding(machine)).slice(0, Math.max(0, free))
}

/** Whoever was told to go may not say so yet. One that is left alone stays. */
const isGoing = (machine: Machine): boolean => isLeaving(machine) && !isRestrained(machine)
