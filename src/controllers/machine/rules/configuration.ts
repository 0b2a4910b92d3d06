import { CONFIG_REJECTED, CONSENT } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import type { ConfigChange, World } from '#controllers/machine/world.ts'
import { configRecord, rejectionOf, type TriedMode, triedWith } from '#engine/config-record.ts'
import { CONFIG_PENDING } from '#engine/pending.ts'
import { CONFIG_REJECTED_REASON } from '#engine/standstill.ts'
import { takesAllAtOnce } from '#machineconfig/diff/classify.ts'
import { no } from '#runtime/plan.ts'
import { drainFirst, lettingGo } from './disruption.ts'
import { asRunning } from './member.ts'

/**
 * How what a machine has came to differ from what it is to have. `edited`: the spec was. `drifted`: the machine was, by
 * somebody else. `regenerated`: neither was, and this release of the operator writes the same otherwise. `unknown`: nobody
 * here ever gave it a configuration.
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
  return seen.fingerprint === record.config ? 'regenerated' : 'drifted'
}

// After that a machine takes a configuration back that it was given for a try.
export const TRY_MS = 120_000
// A network is not what it is to be at once.
const TRIED_FOR_MS = 30_000
// So long a machine may take from being told to reboot to being on its way.
const ON_ITS_WAY_MS = 120_000
// A machine that loses what it is given may be asked for ever.
const MOST_TRIES = 3

/** What it takes is written down, or it could not be told from what others do to it. */
export const noteConfig: Rule = (machine, world, now) => {
  const { seen, wanted, turn } = world
  if (seen.is !== 'member' || wanted.is !== 'known') return undefined
  const record = configRecord(machine)
  const { fingerprint: config, origin } = wanted
  const isNoted = record?.config === config && record.origin === origin
  if (standingOf(machine, world) !== 'same' || isNoted) return undefined
  const tried = triedWith(machine, config)
  // It has it for a try alone, and takes it back unless it is told to keep it.
  const isTried = tried?.mode === 'try' && record?.config !== config
  if (isTried && now.getTime() - tried.at.getTime() < TRIED_FOR_MS) return changing('tries it')
  return {
    steps: isTried
      ? [{ do: 'keepConfig', uuid: seen.uuid, config: { origin, config } }]
      : [{ do: 'noteConfig', config: { origin, config } }],
    ...(turn === undefined ? asItRuns(machine, world) : changing('has its new configuration')),
    pace: 'soon',
  }
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

/** What was tried in vain is not tried for ever. */
export const triedInVain: Rule = (machine, world, now) => {
  const { change, wanted, turn, seen } = world
  if (!change || turn === undefined || wanted.is !== 'known' || seen.is !== 'member')
    return undefined
  const tried = triedWith(machine, wanted.fingerprint)
  if (!tried || isKubeletHeldBack(world)) return undefined
  const sinceMs = now.getTime() - tried.at.getTime()
  const isOver = sinceMs >= TRY_MS
  const isThatBoot = tried.mode === 'reboot' && tried.boot === seen.boot?.id
  if (isThatBoot && sinceMs < ON_ITS_WAY_MS) return rebooting()
  if (tried.mode === 'try' && !isOver) return { ...changing('tries it'), pace: 'soon' }
  if (tried.mode !== 'try' && tried.times < MOST_TRIES) return undefined
  const why =
    tried.mode === 'try'
      ? 'it was tried, the machine could not be reached with it, and took it back by itself'
      : `it was told ${tried.times} times to take it, said yes, and has another one`
  return {
    steps: [{ do: 'noteRejected', config: wanted.fingerprint, why }],
    ...changing('does not keep it'),
    pace: 'soon',
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

/** Since v1.14 a machine takes at once what needs a reboot, and does not reboot by itself. */
export const bootConfig: Rule = (machine, world, now) => {
  const { seen, wanted, turn } = world
  if (turn === undefined || seen.is !== 'member' || wanted.is !== 'known') return undefined
  if (standingOf(machine, world) !== 'same') return undefined
  const tried = triedWith(machine, wanted.fingerprint)
  if (tried?.mode !== 'reboot' || tried.boot === undefined || tried.boot !== seen.boot?.id)
    return undefined
  if (now.getTime() - tried.at.getTime() < ON_ITS_WAY_MS && !takesAllAtOnce(seen.version))
    return rebooting()
  const drain = drainFirst(machine, world, { now, state: 'Available' })
  return drain ?? { steps: [{ do: 'restart', uuid: seen.uuid }], ...rebooting() }
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
const rebooting = (what = 'it reboots for it'): Decision => ({
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
