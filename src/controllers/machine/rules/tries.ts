import type { Machine } from '#api/machine.ts'
import type { Rule } from '#controllers/machine/decision.ts'
import type { World } from '#controllers/machine/world.ts'
import { configRecord, lastTried, type Tried, triedWith } from '#engine/config-record.ts'
import { CONFIG_REJECTED_REASON } from '#engine/standstill.ts'
import { isOnItsWay } from '#engine/upgrade-record.ts'
import { takesAllAtOnce } from '#machineconfig/diff/classify.ts'
import { no } from '#runtime/plan.ts'
import { asItRuns, changing, isKubeletHeldBack, rebooting, standingOf } from './configuration.ts'
import { drainFirst, takingPodsAgain } from './disruption.ts'

// What becomes of what a machine was told to take. It was written down before, and counts until that is known.

// After that a machine takes a configuration back that it was given for a try.
export const TRY_MS = 120_000
// A network is not what it is to be at once.
const TRIED_FOR_MS = 30_000
// A machine that loses what it is given may be asked for ever.
const MOST_TRIES = 3

/** Since v1.14 a machine takes at once what needs a reboot, and does not reboot by itself. */
export const bootConfig: Rule = (machine, world, now) => {
  const { seen, wanted, turn } = world
  if (turn === undefined || seen.is !== 'member' || wanted.is !== 'known') return undefined
  if (standingOf(machine, world) !== 'same') return undefined
  const tried = triedWith(machine, wanted.fingerprint)
  if (!tried || !isForThisBoot(tried, world)) return undefined
  const { boots = 0 } = tried
  const isTold = boots > 0 || !takesAllAtOnce(seen.version)
  if (isTold && isOnItsWay(tried, now)) return rebooting()
  if (boots >= MOST_TRIES) {
    return { ...doesNotBoot(machine), steps: takingPodsAgain(machine, world, now) }
  }
  const drain = drainFirst(machine, world, { now, state: 'Available' })
  const restart = { do: 'restart' as const, uuid: seen.uuid, times: boots + 1 }
  return drain ?? { steps: [restart], ...rebooting() }
}

const doesNotBoot = ({ spec }: Machine) => ({
  state: 'Available' as const,
  ready: no(
    CONFIG_REJECTED_REASON,
    `the machine has the configuration that the spec asks for, and has to boot for it: it was told ${MOST_TRIES} times to boot, and did not. Boot it with \`talosctl -n ${spec?.endpoint} reboot\`, or by its power button; it goes on by itself then. No other machine is changed before`,
  ),
  pace: 'soon' as const,
})

/** What it takes is written down, or it could not be told from what others do to it. */
export const noteConfig: Rule = (machine, world, now) => {
  const { seen, wanted, turn } = world
  if (seen.is !== 'member' || wanted.is !== 'known') return undefined
  if (standingOf(machine, world) !== 'same') return undefined
  const { fingerprint: config, origin } = wanted
  const record = configRecord(machine)
  const tried = triedWith(machine, config)
  // It has it for a try alone, and takes it back unless it is told to keep it. Older operators left that open for good.
  const isTried = tried?.mode === 'try' && (turn !== undefined || record?.config !== config)
  if (!isTried && record?.config === config && record.origin === origin) return undefined
  if (isTried && sinceMs(tried, now) < TRIED_FOR_MS) return changing('tries it')
  return {
    steps: isTried
      ? [{ do: 'keepConfig', uuid: seen.uuid, config: { origin, config } }]
      : [{ do: 'noteConfig', config: { origin, config } }],
    ...(turn === undefined ? asItRuns(machine, world) : changing('has its new configuration')),
    pace: 'soon',
  }
}

/** Whoever was told to reboot is about to go down, whatever is wanted since, and takes nothing else before. */
export const goesDown: Rule = (machine, world, now) => {
  const tried = lastTried(machine)
  if (!tried || world.turn === undefined) return undefined
  return isForThisBoot(tried, world) && isOnItsWay(tried, now) ? rebooting() : undefined
}

/** Whether it was told to boot, and has not since. */
const isForThisBoot = ({ mode, boot }: Tried, { seen }: World): boolean =>
  mode === 'reboot' && seen.is === 'member' && boot !== undefined && boot === seen.boot?.id

/** What was tried in vain is not tried for ever. */
export const triedInVain: Rule = (machine, world, now) => {
  const { change, wanted, turn } = world
  if (!change || turn === undefined || wanted.is !== 'known') return undefined
  const tried = triedWith(machine, wanted.fingerprint)
  if (!tried || isKubeletHeldBack(world)) return undefined
  if (tried.mode === 'try' && sinceMs(tried, now) < TRY_MS) return changing('tries it')
  const why = whyInVain(tried)
  return why === undefined
    ? undefined
    : {
        steps: [{ do: 'noteRejected', config: wanted.fingerprint, why }],
        ...changing('does not keep it'),
      }
}

/** Undefined: it is worth another try. That a try is over says nothing where nobody looked meanwhile. */
function whyInVain({ mode, times, isCutOff }: Tried): string | undefined {
  if (isCutOff) {
    return 'it was tried, the machine could not be reached with it, and took it back by itself'
  }
  if (times < MOST_TRIES) return undefined
  return mode === 'try'
    ? `it was told ${times} times to try it, and took it back each time before it was told to keep it`
    : `it was told ${times} times to take it, said yes, and has another one`
}

/** What it tries at this moment, if it does not answer with that. */
export const openTry = (machine: Machine, now: Date): Tried | undefined => {
  const tried = lastTried(machine)
  return tried?.mode === 'try' && sinceMs(tried, now) < TRY_MS ? tried : undefined
}

const sinceMs = ({ at }: Tried, now: Date): number => now.getTime() - at.getTime()
