import { CONFIG_REJECTED, CONSENT } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import type { ConfigChange, World } from '#controllers/machine/world.ts'
import {
  configRecord,
  lastTried,
  rejectionOf,
  type TriedMode,
  triedWith,
} from '#engine/config-record.ts'
import { CONFIG_PENDING } from '#engine/pending.ts'
import { CONFIG_REJECTED_REASON } from '#engine/standstill.ts'
import { no } from '#runtime/plan.ts'
import { drainFirst, lettingGo } from './disruption.ts'
import { asRunning } from './member.ts'

/**
 * How what a machine has came to differ from what it is to have. `edited`: the spec was, perhaps back to what it was before
 * the machine took the last edit. `drifted`: the machine was, by somebody else. `regenerated`: neither was, and this release
 * of the operator writes the same otherwise. `unknown`: nobody here ever gave it a configuration.
 */
export type Standing = 'same' | 'edited' | 'drifted' | 'regenerated' | 'unknown'

/** Undefined while they cannot be compared. */
export function standingOf(
  machine: Machine,
  { seen, wanted }: Pick<World, 'seen' | 'wanted'>,
): Standing | undefined {
  if (seen.is !== 'member' || wanted.is !== 'known') return undefined
  if (seen.fingerprint === undefined) return undefined
  if (seen.fingerprint === wanted.fingerprint) return 'same'
  const record = configRecord(machine)
  if (!record) return 'unknown'
  if (record.origin !== wanted.origin) return 'edited'
  if (seen.fingerprint === record.config) return 'regenerated'
  return seen.fingerprint === lastTried(machine)?.config ? 'edited' : 'drifted'
}

/** A machine that said no is not asked again for the same. */
export const rejected: Rule = (machine, world) => {
  const { wanted, turn } = world
  if (wanted.is !== 'known' || standingOf(machine, world) === 'same') return undefined
  const why = rejectionOf(machine, wanted.fingerprint)
  if (why === undefined) return undefined
  return {
    steps: lettingGo(machine, world),
    state: 'Available',
    ready: no(
      CONFIG_REJECTED_REASON,
      `the machine does not take the configuration that the spec asks for, and runs on with what it had: ${why}. Correct the spec. To have the same tried again, remove the annotation ${CONFIG_REJECTED} from this object`,
    ),
    pace: turn === undefined ? 'settled' : 'soon',
  }
}

/** What no machine of ours was ever given is not changed because of that: somebody who knows both has to say so. */
export const waitsForConsent: Rule = (machine, world) => {
  const { change, turn } = world
  if (!change || standingOf(machine, world) !== 'unknown' || isConsented(machine, world)) {
    return undefined
  }
  return {
    // It may have got its turn for another Talos.
    steps: lettingGo(machine, world),
    ...asItRuns(machine, world, {
      reason: 'WaitsForConsent',
      message: `the machine was not configured by this operator, and has another configuration than what the spec says: ${wordsFor(change)}. It is left as it is. Correct the spec, or have the machine changed by annotating this object with ${CONSENT}=${tokenFor(world)}`,
    }),
    pace: turn === undefined ? 'settled' : 'soon',
  }
}

/** One machine after the other is changed, and its control plane or pool says which. */
export const waitsForTurn: Rule = (machine, world) => {
  const { change, turn } = world
  if (!change || turn !== undefined || !isToBeChanged(machine, world)) return undefined
  if (isKubeletHeldBack(world)) return undefined
  return {
    ...asItRuns(machine, world, {
      reason: CONFIG_PENDING,
      message: `the machine is to be given another configuration, and waits for its turn: ${wordsFor(change)}`,
    }),
    pending: {
      work: change.moved.length > 0 ? 'kubernetes' : 'configuration',
      needs: change.needs,
    },
    pace: 'later',
  }
}

/** In its turn it is given what it is to have. */
export const applyConfig: Rule = (machine, world, now) => {
  const { change, wanted, turn, seen } = world
  if (!change || turn === undefined || wanted.is !== 'known' || seen.is !== 'member')
    return undefined
  if (!isToBeChanged(machine, world) || isKubeletHeldBack(world)) return undefined
  const { fingerprint: config } = wanted
  const mode = modeOf(change)
  const drain = mode === 'reboot' && drainFirst(machine, world, { now, state: 'Available' })
  if (drain) return drain
  const times = (triedWith(machine, config)?.times ?? 0) + 1
  return {
    steps: [{ do: 'applyConfig', uuid: seen.uuid, config, mode, times }],
    ...(mode === 'reboot' ? rebooting(wordsFor(change)) : changing(wordsFor(change))),
    pace: 'soon',
  }
}

/** With a reboot in it, nothing can be tried: it goes on after that, or not at all. */
const modeOf = ({ needs, isOfNetwork }: ConfigChange): TriedMode => {
  if (needs === 'reboot') return 'reboot'
  return isOfNetwork ? 'try' : 'live'
}

/** Whether it is to be given what the spec asks for. */
export function isToBeChanged(machine: Machine, world: World): boolean {
  switch (standingOf(machine, world)) {
    case 'edited':
      return true
    case 'drifted':
      return isDriftCorrected(world)
    case 'unknown':
    case 'regenerated':
      return isConsented(machine, world)
    default:
      return false
  }
}

/** Workers get other kubelets only while Talos stays as it is in all of their cluster. Whoever has got one is done with it. */
export const isKubeletHeldBack = ({ change, parent, mayKubeletsMove }: World): boolean =>
  change?.moved.includes('kubelet') === true &&
  parent.is === 'there' &&
  parent.worker !== undefined &&
  !mayKubeletsMove

export const isDriftCorrected = ({ parent }: World): boolean =>
  parent.is === 'there' &&
  (parent.worker ?? parent.controlPlane).spec?.rolloutStrategy.configDrift === 'correct'

const isConsented = ({ metadata }: Machine, world: World): boolean =>
  metadata.annotations?.[CONSENT] === tokenFor(world)

/** Good for exactly this change: it names what the machine has, and what it is to have. */
export const tokenFor = ({ seen, wanted }: Pick<World, 'seen' | 'wanted'>): string =>
  seen.is === 'member' && wanted.is === 'known'
    ? `${seen.fingerprint?.slice(0, 4)}${wanted.fingerprint.slice(0, 4)}`
    : ''

/** What is said while its configuration is changed. */
export const changing = (what: string): Decision => ({
  state: 'Available',
  ready: no('Configuring', `the configuration of the machine is being changed: ${what}`),
  pace: 'soon',
})

/** A machine that installs what it was given is not there for a while. */
export const rebooting = (what = 'it reboots for it'): Decision => ({
  ...changing(what),
  state: 'Installing',
})

/** What is the matter with it besides, or this. */
export function asItRuns(
  machine: Machine,
  world: World,
  otherwise?: { reason: string; message: string },
): Omit<Decision, 'pace'> {
  const { state, ready } = asRunning(machine, world) ?? {}
  const verdict = ready ?? (otherwise && no(otherwise.reason, otherwise.message))
  return { ...(state && { state }), ...(verdict && { ready: verdict }) }
}

const MOST_PLACES = 8

/** Where they differ, without values. */
export const wordsFor = ({ places }: ConfigChange): string =>
  places.length <= MOST_PLACES
    ? places.join(', ')
    : `${places.slice(0, MOST_PLACES).join(', ')} and ${places.length - MOST_PLACES} more`
