import type { Decision, Rule } from '#controllers/machine/decision.ts'
import type { Boot, Member } from '#controllers/machine/world.ts'
import { installerOf } from '#engine/installer.ts'
import { type UpgradeRecord, upgradeRecord } from '#engine/upgrade-record.ts'
import { drainFirst } from './disruption.ts'
import { hasLifecycle, installing, isToBeUpgraded, upgrading } from './upgrade-aim.ts'

// So long a machine may take from being told to be on its way.
const ON_ITS_WAY_MS = 120_000
const MOST_TRIES = 3
// An installation goes on though nobody hears of it, and until it is over the machine takes no other.
const TELL_AGAIN_MS = 60_000

/** Since v1.13 the new version is installed while the old one runs on. */
export const installBeside: Rule = (machine, world, now) => {
  const { seen, long } = world
  if (!isToBeUpgraded(machine, seen, world) || !seen.boot || !hasLifecycle(seen)) return undefined
  const image = installerOf(machine)
  const record = upgradeRecord(machine)
  if (record?.phase === 'restarting') return undefined
  const call = long?.what === installing(image) ? long : undefined
  if (call?.is === 'done') return undefined
  if (call?.is === 'under way') return upgrading(`${image} is installed beside what runs`)
  // Whoever said no will say so again; an answer that was lost, or never came, is another matter.
  if (call?.is === 'failed' && !isWorthAnother(call.failure.outcome)) {
    return inVain(image, call.failure.message)
  }
  const isOfThis = record?.image === image
  if (isOfThis && now.getTime() - record.at.getTime() < TELL_AGAIN_MS) {
    return upgrading(`it was told to install ${image}, did not answer, and is told again later`)
  }
  return telling(seen, seen.boot, { image, record, now, by: 'lifecycle' })
}

const isWorthAnother = (outcome: string | undefined): boolean =>
  outcome === 'lost' || outcome === 'unreachable' || outcome === 'not-ready'

/** Pods go elsewhere, and then it boots what is installed. */
export const bootNew: Rule = (machine, world, now) => {
  const { seen } = world
  if (!isToBeUpgraded(machine, seen, world) || !seen.boot || !hasLifecycle(seen)) return undefined
  const record = upgradeRecord(machine)
  if (!record) return undefined
  const isTold = record.phase === 'restarting'
  if (isTold && now.getTime() - record.at.getTime() < ON_ITS_WAY_MS) {
    return upgrading('it was told to boot')
  }
  const drain = drainFirst(machine, world, { now, state: 'Upgrading' })
  if (drain) return drain
  const next: UpgradeRecord = { ...record, phase: 'restarting', boot: seen.boot.id, at: now }
  return {
    steps: [{ do: 'restart', uuid: seen.uuid, record: next }],
    ...upgrading('it is told to boot what is installed'),
  }
}

/** Before v1.13 one call does it all; its own drain finds nothing left to do. */
export const upgradeAtOnce: Rule = (machine, world, now) => {
  const { seen } = world
  if (!isToBeUpgraded(machine, seen, world) || !seen.boot || hasLifecycle(seen)) return undefined
  const record = upgradeRecord(machine)
  if (record && now.getTime() - record.at.getTime() < ON_ITS_WAY_MS) {
    return upgrading('it was told to upgrade itself')
  }
  const drain = drainFirst(machine, world, { now, state: 'Upgrading' })
  return drain ?? telling(seen, seen.boot, { image: installerOf(machine), record, now, by: 'all' })
}

interface Telling {
  image: string
  record: UpgradeRecord | undefined
  now: Date
  by: 'lifecycle' | 'all'
}

/** Tells it to install the image, unless that was in vain often enough. */
function telling(
  { uuid, version }: Member,
  { id: boot }: Boot,
  { image, record, now, by }: Telling,
): Decision {
  const times = record?.image === image ? record.times + 1 : 1
  if (times > MOST_TRIES) return inVain(image, `it was told ${MOST_TRIES} times, and did not`)
  const next: UpgradeRecord = {
    ...{ phase: 'installing', image, from: version, boot, times, at: now },
  }
  return {
    steps: [{ do: 'install', uuid, image, by, record: next }],
    ...upgrading(`it is told to install ${image}`),
  }
}

const inVain = (image: string, why: string): Decision => ({
  steps: [{ do: 'noteUpgradeFailed', image, why }],
  ...upgrading('it cannot be'),
})
