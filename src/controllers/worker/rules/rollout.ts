import { TURNS } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/worker/decision.ts'
import type { World } from '#controllers/worker/world.ts'
import { isWell, KUBERNETES_PENDING, UPGRADE_PENDING, waitingForTurn } from '#engine/pending.ts'
import { whatIsMissing } from '#engine/pool-machines.ts'
import { nextInPool } from '#engine/pool-turns.ts'
import { isLeaving } from '#engine/removal.ts'
import {
  type Stop,
  stoppedBy,
  stoppedWords,
  waitsForControlPlaneWords,
} from '#engine/standstill.ts'
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
  const { turns: seen, machines, isControlPlaneReady } = world
  const all = waitingForTurn(machines)
  if (!seen.turns || all.length === 0) return undefined
  const { held } = seen.turns
  if (spec?.rolloutStrategy.paused) {
    const message = `rolloutStrategy.paused is set, so ${namesOf(all)} is not changed yet`
    return { ...rollingOut(machines), ready: no('Paused', message) }
  }
  const allowed = all.filter((machine) => mayHaveTurn(machine, world))
  const waiting = allowed.filter((machine) => !whoStops(machine, world))
  const next = nextInPool({ spec, machines, held, waiting })
  if (next.length === 0) return allowed.length > waiting.length ? standstill(world) : undefined
  if (!isControlPlaneReady) {
    const name = spec?.controlPlaneRef?.name
    const message = waitsForControlPlaneWords(name, whatIsMissing(machines))
    return { ...rollingOut(machines), ready: no('WaitsForControlPlane', message) }
  }
  return { steps: [givingTo(next, seen.turns)], ...rollingOut(machines) }
}

/**
 * On whom the same came to a stand. Another Talos, or other kubelets, are those of the whole cluster; a configuration is
 * that of the pool.
 */
function whoStops({ status }: Machine, world: World): Stop | undefined {
  const { machines, elsewhere, rejecting } = world
  const { work } = status?.pending ?? {}
  switch (work) {
    case undefined:
      return undefined
    case 'upgrade':
      return stoppedBy(work, [...machines, ...elsewhere])
    case 'kubernetes':
      return stoppedBy(work, [...machines, ...elsewhere]) ?? rejecting[0]
    case 'configuration':
      return stoppedBy(work, machines) ?? rejecting[0]
  }
}

/** What is said while nobody is changed because of what became of another one; undefined if there is none. */
export function standstill(world: World): Decision | undefined {
  const waiting = waitingForTurn(world.machines)
  const [stop] = waiting.flatMap((machine) => whoStops(machine, world) ?? [])
  if (!stop) return undefined
  const names = namesOf(waiting.filter((machine) => whoStops(machine, world)))
  const message = stoppedWords(names, stop.name, stop.message)
  return { ...rollingOut(world.machines), ready: no('RolloutStopped', message) }
}

/** Talos stays as it is while Kubernetes is moved anywhere in the cluster, and kubelets stay as they are while Talos is upgraded. */
const mayHaveTurn = (
  { status }: Machine,
  { isKubernetesMoving, mayKubeletsMove }: World,
): boolean => {
  switch (status?.pending?.work) {
    case 'upgrade':
      return !isKubernetesMoving
    case 'kubernetes':
      return mayKubeletsMove
    default:
      return true
  }
}

/** What is said when all that wait for a turn wait for the other of the two; undefined if they do not. */
export function heldBack(world: World): Decision | undefined {
  const { machines } = world
  const waiting = waitingForTurn(machines)
  if (waiting.length === 0 || waiting.some((machine) => mayHaveTurn(machine, world)))
    return undefined
  const isOfTalos = waiting.every(({ status }) => status?.pending?.work === 'upgrade')
  const [reason, what] = isOfTalos
    ? [UPGRADE_PENDING, 'Talos and Kubernetes are not upgraded at once, and Kubernetes comes first']
    : [KUBERNETES_PENDING, 'other kubelets wait until the control plane lets workers have them']
  return { ...rollingOut(machines), ready: no(reason, `${what}. ${whatIsMissing(machines)}`) }
}

const namesOf = (machines: readonly Machine[]): string =>
  machines
    .map(({ metadata }) => metadata.name)
    .sort()
    .join(', ')

/** What is said while machines are changed. A pool that is only being changed works as before. */
export const rollingOut = (machines: readonly Machine[]) => ({
  state: machines.every((one) => isWell(one) || isLeaving(one))
    ? ('Ready' as const)
    : ('Pending' as const),
  ready: no('RollingOut', `machines are changed in turn. ${whatIsMissing(machines)}`),
})
