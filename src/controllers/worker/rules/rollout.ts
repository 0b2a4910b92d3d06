import { TURNS } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Rule } from '#controllers/worker/decision.ts'
import { maxUnavailable } from '#engine/max-unavailable.ts'
import { isWell, waitingForTurn } from '#engine/pending.ts'
import { whatIsMissing } from '#engine/pool-machines.ts'
import { isLeaving } from '#engine/removal.ts'
import { stuck } from '#engine/stuck.ts'
import { givingTo, turnSteps } from '#engine/turn-steps.ts'
import { no } from '#runtime/plan.ts'

/** Turns that are over are ended before anybody else is touched, and whoever has one is told. */
export const turns: Rule = (_worker, { turns: seen, machines }) => {
  if (!seen.turns) {
    const message = `the annotation ${TURNS} says whose turn it is to be changed, and cannot be read: nothing is changed. If no machine is in the middle of something, remove it`
    return { state: 'Pending', ready: stuck('TurnsUnreadable', message) }
  }
  const steps = turnSteps(seen, machines)
  return steps.length === 0 ? undefined : { steps, ...rollingOut(machines) }
}

/**
 * As many workers are changed at once as may be down, and those that are down count. Only while the control plane is
 * ready: then it is not being changed itself, and is there to take back what a worker loses.
 */
export const giveTurns: Rule = ({ spec }, world) => {
  const { turns: seen, machines, isControlPlaneReady, isKubernetesMoving } = world
  const waiting = waitingForTurn(machines).filter(
    // Talos stays as it is while Kubernetes is upgraded.
    ({ status }) => status?.pending?.work !== 'upgrade' || !isKubernetesMoving,
  )
  if (!seen.turns || waiting.length === 0) return undefined
  const { held } = seen.turns
  if (spec?.rolloutStrategy.paused) {
    const names = waiting.map(({ metadata }) => metadata.name).sort()
    const message = `rolloutStrategy.paused is set, so ${names.join(', ')} is not changed yet`
    return { ...rollingOut(machines), ready: no('Paused', message) }
  }
  const limit = maxUnavailable(spec?.rolloutStrategy.rollingUpdate?.maxUnavailable, machines.length)
  const isHolding = ({ metadata }: Machine) => held.some(({ uid }) => uid === metadata.uid)
  const isDown = (machine: Machine) =>
    !isWell(machine) && !isHolding(machine) && !waiting.includes(machine)
  const free = limit - held.length - machines.filter(isDown).length
  const next = waiting.filter((machine) => !isHolding(machine)).slice(0, Math.max(0, free))
  if (next.length === 0) return undefined
  if (!isControlPlaneReady) {
    const name = spec?.controlPlaneRef?.name
    const message = `workers are changed when TalosControlPlane ${name} is ready. ${whatIsMissing(machines)}`
    return { ...rollingOut(machines), ready: no('WaitsForControlPlane', message) }
  }
  return { steps: [givingTo(next, seen.turns)], ...rollingOut(machines) }
}

/** What is said while machines are changed. A pool that is only being changed works as before. */
export const rollingOut = (machines: readonly Machine[]) => ({
  state: machines.every((one) => isWell(one) || isLeaving(one))
    ? ('Ready' as const)
    : ('Pending' as const),
  ready: no('RollingOut', `machines are changed in turn. ${whatIsMissing(machines)}`),
})
