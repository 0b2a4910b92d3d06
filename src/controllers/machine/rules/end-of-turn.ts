import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import type { World } from '#controllers/machine/world.ts'
import { triedWith } from '#engine/config-record.ts'
import { asItRuns, changing } from './configuration.ts'
import { uncordonSteps } from './disruption.ts'
import { metaWaitsForConsent } from './import.ts'
import { kubeletHeldBack } from './kubernetes.ts'
import { asRunning } from './member.ts'
import { upgradeHeldBack } from './upgrade.ts'

// A machine that was given a wrong configuration may be well for a moment longer.
const MIN_READY_SECONDS = 30

/** Pods come to it again before its turn is over, and whatever becomes of that. */
export const undoCordon: Rule = (machine, world, now) => {
  if (world.seen.is !== 'member') return undefined
  const steps = uncordonSteps(machine, world)
  if (steps.length === 0) return undefined
  return { steps, ...asItRuns(machine, world), ...stillWaiting(machine, world, now), pace: 'soon' }
}

/** Its turn is over when it has been well for a while: what is wrong with it is wrong with no other one then. */
export const endTurn: Rule = (machine, world, now) => {
  const { turn, seen, wanted } = world
  if (turn === undefined || seen.is !== 'member') return undefined
  const otherwise = asRunning(machine, world)
  if (otherwise?.ready) return { ...otherwise, pace: 'soon' }
  const tried = wanted.is === 'known' ? triedWith(machine, wanted.fingerprint) : undefined
  const isSettled = !tried || now.getTime() - tried.at.getTime() >= settledAfterMs(world)
  if (!isSettled || !seen.isReady) {
    const waits = seen.unmet.length > 0 ? `, it waits for: ${seen.unmet.join('; ')}` : ''
    return { ...changing(`has its new configuration, and is watched for a moment${waits}`) }
  }
  const isTaken = tried !== undefined && tried.times > 0 && tried.config === seen.fingerprint
  return {
    steps: [{ do: 'endTurn', turn, ...(isTaken && { took: tried.config }) }],
    state: 'Available',
    ...stillWaiting(machine, world, now),
    pace: 'soon',
  }
}

function settledAfterMs({ parent }: World): number {
  const of = parent.is === 'there' ? (parent.worker ?? parent.controlPlane) : undefined
  return (of?.spec?.rolloutStrategy.minReadySeconds ?? MIN_READY_SECONDS) * 1_000
}

/** What rules that come after these have to say: without it a machine would be Ready for one pass, and then wait again. */
function stillWaiting(
  machine: Machine,
  world: World,
  now: Date,
): Pick<Decision, 'ready' | 'pending'> {
  const { ready, pending } =
    metaWaitsForConsent(machine, world, now) ??
    kubeletHeldBack(machine, world, now) ??
    upgradeHeldBack(machine, world, now) ??
    {}
  return { ...(ready && { ready }), ...(pending && { pending }) }
}
