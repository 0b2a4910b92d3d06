import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import type { World } from '#controllers/machine/world.ts'
import { versionIn } from '#engine/installer.ts'
import { isStillAtIt, type LongCall } from '#engine/long-calls.ts'
import { isOnItsWay, type UpgradeRecord } from '#engine/upgrade-record.ts'
import { drainFirst } from './disruption.ts'
import { fetchFirst } from './fetch-first.ts'
import {
  type Aim,
  aimOf,
  bootedAim,
  installing,
  isInstalling,
  pulling,
  upgrading,
} from './upgrade-aim.ts'

const MOST_TRIES = 3
// An installation goes on though nobody hears of it, and until it is over the machine takes no other.
const TELL_AGAIN_MS = 60_000

/** Before anything is taken down the image is there: a version that does not exist costs nobody anything. */
export const pullImage: Rule = (machine, world, now) => {
  const aim = aimOf(machine, world)
  return aim && !aim.record ? fetched(aim, machine, { world, now }) : undefined
}

function fetched(
  { seen, image, last }: Aim,
  machine: Machine,
  { world, now }: Around,
): Decision | undefined {
  // To fetch another one would end it in the middle.
  if (isInstalling(world.long)) return upgrading('what it was told before is installed')
  if (last?.phase === 'restarting' && isOnItsWay(last, now)) return upgrading('it was told to boot')
  return fetchFirst(machine, world, {
    ...{ now, call: pulling(image), names: image, meanwhile: upgrading },
    step: { do: 'pullImage', uuid: seen.uuid, image },
    mistakable: 'the version or the image',
  })
}

type BootedAim = NonNullable<ReturnType<typeof bootedAim>>

interface Around {
  world: World
  now: Date
}

/**
 * Since v1.13 the new version is installed while the old one runs on: once in a boot, as far as that can be known, because a
 * machine that boots by GRUB writes the next one over the system that runs.
 */
export const installBeside: Rule = (machine, world, now) => {
  const aim = bootedAim(machine, world)
  if (!aim?.isBeside || (aim.record && aim.record.phase !== 'installing')) return undefined
  const around = { world, now }
  return (
    heardOf(aim, around) ??
    // It is told by the name that it has fetched it by, which may be gone since it was told before.
    fetched(aim, machine, around) ??
    telling(aim, around)
  )
}

/** What is known of an installation that it was told. Undefined: nothing, and it is time to tell it. */
function heardOf(aim: BootedAim, { world, now }: Around): Decision | undefined {
  const { image, record } = aim
  const call = world.long?.what === installing(image) ? world.long : undefined
  if (call?.is === 'under way') return upgrading(`${image} is installed beside what runs`)
  // Before anything else: whoever does not know of it would have it installed once more.
  if (call?.is === 'done') return noting(toldNow(aim, { world, now, phase: 'installed', times: 0 }))
  // It goes on with what it was told before, so that this time was none.
  if (call && record && isStillAtIt(call))
    return noting({ ...record, times: record.times - 1, at: now })
  // Whoever said no will say so again; an answer that was lost, or never came, is another matter.
  if (call && !isWorthAnother(call)) return inVain(aim, call.failure.message, leftOf(aim))
  if (!record || now.getTime() - lastHeardMs(record, call) >= TELL_AGAIN_MS) return undefined
  return upgrading(
    `it was told to install ${image}, did not say that it has, and is told again later`,
  )
}

/** What is true of a machine that does not install what it is told: what was there before stays there. */
const leftOf = ({ is, record }: Aim): UpgradeRecord | undefined =>
  is === 'take back' && record ? { ...record, times: 0 } : undefined

const noting = (record: UpgradeRecord): Decision => ({
  steps: [{ do: 'noteUpgrade', record }],
  ...upgrading(
    record.phase === 'installed'
      ? `${record.image} is installed beside what runs`
      : 'it is still at an installation that it was told before',
  ),
})

type Failed = Extract<LongCall, { is: 'failed' }>

const lastHeardMs = ({ at }: UpgradeRecord, call: Failed | undefined): number =>
  Math.max(at.getTime(), call?.at.getTime() ?? 0)

const isWorthAnother = ({ failure: { outcome } }: Failed): boolean =>
  outcome === 'lost' || outcome === 'unreachable' || outcome === 'not-ready'

/** Pods go elsewhere, and then it boots what is installed. */
export const bootNew: Rule = (machine, world, now) => {
  const aim = bootedAim(machine, world)
  if (aim?.is !== 'upgrade' || !aim.isBeside) return undefined
  const { record, seen } = aim
  if (!record || record.phase === 'installing') return undefined
  const isTold = record.phase === 'restarting'
  if (isTold && isOnItsWay(record, now)) return upgrading('it was told to boot')
  const times = isTold ? record.times + 1 : 1
  if (times > MOST_TRIES) {
    const why = `it was told ${MOST_TRIES} times to boot what is installed, and did not: it comes up when somebody boots the machine`
    return inVain(aim, why, { ...record, phase: 'installed', times: 0 })
  }
  const drain = drainFirst(machine, world, { now, state: 'Upgrading' })
  if (drain) return drain
  const next = toldNow(aim, { world, now, phase: 'restarting', times })
  return {
    steps: [{ do: 'restart', uuid: seen.uuid, record: next }],
    ...upgrading('it is told to boot what is installed'),
  }
}

/** Before v1.13 one call does it all; its own drain finds nothing left to do. */
export const upgradeAtOnce: Rule = (machine, world, now) => {
  const aim = bootedAim(machine, world)
  if (!aim || aim.isBeside) return undefined
  const refusal = refusalOf(aim, world)
  if (refusal && isOnItsWay(refusal, now)) {
    const why = `it was told to upgrade itself, and did not: ${refusal.failure.message}`
    return upgrading(`${why}. It is told again later`)
  }
  // Whichever image it was told: it is on its way with that.
  if (aim.last && isOnItsWay(aim.last, now)) return upgrading('it was told to upgrade itself')
  const drain = drainFirst(machine, world, { now, state: 'Upgrading' })
  return drain ?? telling(aim, { world, now })
}

/** What a machine said, or what became of its call, that was told to install this image last; undefined if nobody knows. */
const refusalOf = ({ image }: Aim, { long }: World): Failed | undefined =>
  long?.is === 'failed' && long.what === installing(image) ? long : undefined

/** Tells it to install the image, unless that was in vain often enough. */
function telling(aim: BootedAim, { world, now }: Around): Decision {
  const { seen, image, record, isBeside } = aim
  const times = (record?.times ?? 0) + 1
  if (times > MOST_TRIES) {
    // By one call nothing is installed without a boot; beside what runs it may be, though nobody heard of it.
    const kept = isBeside && record ? { ...record, times: 0 } : undefined
    const refusal = isBeside ? undefined : refusalOf(aim, world)
    const why = `it was told ${MOST_TRIES} times, and did not`
    return inVain(aim, refusal ? `${why}: ${refusal.failure.message}` : why, kept)
  }
  const by = isBeside ? ('lifecycle' as const) : ('all' as const)
  const name = isBeside && world.long?.is === 'done' ? world.long.result : image
  const next = toldNow(aim, { world, now, phase: 'installing', times })
  return {
    steps: [{ do: 'install', uuid: seen.uuid, image, by, name, record: next }],
    ...upgrading(`it is told to install ${image}`),
  }
}

interface Telling extends Around {
  phase: UpgradeRecord['phase']
  times: number
}

function toldNow(
  { is, seen, image, boot, record, last }: BootedAim,
  { world: { turn }, now, phase, times }: Telling,
): UpgradeRecord {
  const beside = is === 'take back' ? (record?.from ?? versionIn(last?.image ?? '')) : undefined
  return {
    ...{ phase, image, from: beside ?? seen.version, boot: boot.id, times, at: now },
    ...(turn !== undefined && { turn }),
  }
}

/** `record`: what is still true of it, though it is not what it is to be. */
const inVain = ({ image }: Aim, why: string, record?: UpgradeRecord): Decision => ({
  steps: [{ do: 'noteUpgradeFailed', image, why, ...(record && { record }) }],
  ...upgrading('it cannot be'),
})
