import type { Machine } from '#api/machine.ts'
import { isTrue } from './pool-machines.ts'
import { isLeaving } from './removal.ts'

/** Why a machine is not ready that is well, and only waits to be changed. */
export const CONFIG_PENDING = 'ConfigPending'
export const UPGRADE_PENDING = 'UpgradePending'

/** Why a control plane is not ready that is well, while it is upgraded. */
export const UPGRADING_KUBERNETES = 'UpgradingKubernetes'

const PENDING: readonly string[] = [CONFIG_PENDING, UPGRADE_PENDING]

/** Whether nothing is the matter with a machine, but for what is still to be changed on it. */
export const isWell = (machine: Machine): boolean =>
  isTrue(machine, 'Ready') ||
  (machine.status?.conditions ?? []).some(
    ({ type, reason }) => type === 'Ready' && PENDING.includes(reason),
  )

/** Those that wait for a turn, in the order in which they get one: what is not well may be mended by it. */
export function waitingForTurn(machines: readonly Machine[]): Machine[] {
  const waiting = machines.filter(
    (machine) => machine.status?.pending !== undefined && !isLeaving(machine),
  )
  return [
    ...waiting.filter((machine) => !isWell(machine)),
    ...waiting.filter((machine) => isWell(machine)),
  ]
}
