import { TURNS } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Rule } from '#controllers/control-plane/decision.ts'
import { hasBegun, hasLeft } from '#controllers/control-plane/machine-facts.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { etcdSeen, memberOf } from '#engine/etcd-members.ts'
import { keepsTalos } from '#engine/kubelet-moves.ts'
import { isWell, waitingForTurn } from '#engine/pending.ts'
import { whatIsMissing } from '#engine/pool-machines.ts'
import { stuck } from '#engine/stuck.ts'
import { givingTo, turnSteps } from '#engine/turn-steps.ts'
import { no } from '#runtime/plan.ts'

/** Turns that are over are ended before anybody else is touched, and whoever has one is told. */
export const turns: Rule = (_controlPlane, { turns: seen, machines }) => {
  if (!seen.turns) return turnsUnreadable(machines)
  const steps = turnSteps(seen, machines)
  return steps.length === 0 ? undefined : { steps, ...rollingOut(machines) }
}

const turnsUnreadable = (machines: readonly Machine[]) => ({
  state: serving(machines),
  ready: stuck(
    'TurnsUnreadable',
    `the annotation ${TURNS} says whose turn it is to be changed, and cannot be read: nothing is changed, and no machine goes. If no machine is in the middle of something, remove it`,
  ),
})

/**
 * One machine of a control plane is changed at a time, and only while all others are well and the API answers: so what is
 * wrong with a change is wrong with one machine. Only one that is not well may be changed in spite of that, to mend it.
 */
export const giveTurn: Rule = (controlPlane, world) => {
  const { turns: seen, machines, api } = world
  const [next, ...more] = waitingForTurn(machines).filter(
    // Talos stays as it is while Kubernetes is upgraded, or workers get other kubelets.
    ({ status }) => status?.pending?.work !== 'upgrade' || !keepsTalos(controlPlane),
  )
  if (!seen.turns || seen.turns.held.length > 0 || !next || !hasBegun(machines)) return undefined
  if (controlPlane.spec?.rolloutStrategy.paused) {
    const names = [next, ...more].map(({ metadata }) => metadata.name).sort()
    return {
      state: serving(machines),
      ready: no(
        'Paused',
        `rolloutStrategy.paused is set, so ${names.join(', ')} is not changed yet`,
      ),
    }
  }
  const others = machines.filter((one) => one !== next && !hasLeft(one))
  // What they, or the API, are waited for, is said by those rules that come after.
  if (!others.every(isWell) || (isWell(next) && !mayBeReached(api, next))) return undefined
  // A configuration with an endpoint that leads to another cluster would mend nobody.
  if (api.is === 'silent' && api.isForeign) return undefined
  const problem = rebootProblem(next, machines)
  if (problem) return { state: serving(machines), ready: problem, again: 'later' }
  return { steps: [givingTo([next], seen.turns)], ...rollingOut(machines) }
}

/**
 * Whether the API answers, or may do so once this machine is changed: where it has never answered, it may be that no machine
 * has that endpoint yet, an address that they share or a name that their certificates lack. If that was not it, one machine was
 * changed and no other is: a turn does not end before the nodes are seen. For another Talos a node has to be drained, by that API.
 */
const mayBeReached = (api: World['api'], { status }: Machine): boolean =>
  api.is === 'answering' ||
  (api.is === 'silent' &&
    api.isUnheard === true &&
    api.reason !== 'Refused' &&
    status?.pending?.work !== 'upgrade')

/** Of one member alone there is no majority to keep; of two each is needed. */
function rebootProblem(next: Machine, machines: readonly Machine[]) {
  const { voters, quorum, isListed } = etcdSeen(machines)
  const own = memberOf(next)
  const left = voters.filter(({ id, isWell: isUp }) => isUp && !own.includes(id))
  const isBearable = left.length >= quorum || (isListed && voters.length === 1)
  if (next.status?.pending?.needs !== 'reboot' || isBearable) return undefined
  return stuck(
    'QuorumWouldBeLost',
    `${next.metadata.name} would have to reboot, and stays up: etcd has ${voters.length} members and needs ${quorum} of them, and without it ${left.length} would be well. Add a machine to the control plane, or take one out, so that one more or less can be borne`,
  )
}

/** Whoever has a turn is not done with it. */
export const isTurnHeld = ({ turns: { turns: known } }: World): boolean =>
  known === undefined || known.held.length > 0

/** What is said while machines are changed. */
export const rollingOut = (machines: readonly Machine[]) => ({
  state: serving(machines),
  ready: no('RollingOut', `machines are changed one after the other. ${whatIsMissing(machines)}`),
})

/** A cluster that is only being changed serves as before. */
const serving = (machines: readonly Machine[]) =>
  machines.every(isWell) ? ('Ready' as const) : ('Bootstrapped' as const)
