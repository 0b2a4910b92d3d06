import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import type { Boot, Member, World } from '#controllers/machine/world.ts'
import { installerOf, installsBeside, schematicIn, versionIn } from '#engine/installer.ts'
import { failureOf, isOnItsWay, type UpgradeRecord, upgradeRecord } from '#engine/upgrade-record.ts'
import { asRunning } from './member.ts'
import { installing, upgrading, whatFor } from './upgrade-aim.ts'

/** Who has booted since it was told is what it has become. */
export const upgraded: Rule = (machine, world) => {
  const { seen } = world
  const record = upgradeRecord(machine)
  if (seen.is !== 'member') return undefined
  if (!record) return isRefuted(machine, world) ? back(seen, installerOf(machine)) : undefined
  if (!seen.boot || seen.boot.id === record.boot) return undefined
  return back(seen, record.image, whatIsWrong(machine, seen, record))
}

const back = ({ version }: Member, image: string, why?: string): Decision => ({
  steps: why ? [{ do: 'noteUpgradeFailed', image, why }] : [{ do: 'noteUpgraded', image }],
  ...upgrading(`it is back with Talos ${version}`),
})

/** Whether it runs by now what was said of it that it does not: somebody has upgraded it by other means. */
const isRefuted = (machine: Machine, world: World): boolean =>
  world.seen.is === 'member' &&
  failureOf(machine, installerOf(machine)) !== undefined &&
  isAsWanted(machine, world.seen) &&
  whatFor(machine, world) === undefined

/**
 * Before v1.13 one call does it all. It is answered when the machine has fetched the image, which may take minutes, and then the
 * machine is on its way, or when the answer was lost: whatever is wanted of it by now, nobody can call it back.
 */
export const upgradesItself: Rule = (machine, { seen, long }, now) => {
  const record = upgradeRecord(machine)
  if (!record || seen.is !== 'member' || installsBeside(seen.version)) return undefined
  if (long?.what !== installing(record.image)) return undefined
  if (long.is === 'under way') {
    return upgrading(`it was told to upgrade itself, and fetches ${record.image}`)
  }
  const isGoing = long.is === 'done' || long.failure.outcome === 'lost'
  return isGoing
    ? {
        steps: [{ do: 'noteUpgrade', record: { ...record, at: now } }],
        ...upgrading('it was told to upgrade itself'),
      }
    : undefined
}

/** What a machine was told, and is not to do any more, is forgotten as soon as nothing of it can come up. */
export const takenBack: Rule = (machine, world, now) => {
  const { seen, turn } = world
  const record = upgradeRecord(machine)
  if (!record || seen.is !== 'member' || seen.boot?.id !== record.boot) return undefined
  if (whatFor(machine, world)) return undefined
  if (!installsBeside(seen.version) && isOnItsWay(record, now)) {
    return upgrading('it was told to upgrade itself, and cannot be called back')
  }
  const { state, ready } = asRunning(machine, world) ?? {}
  return {
    steps: [{ do: 'dropUpgrade' }],
    ...(turn === undefined
      ? { ...(state && { state }), ...(ready && { ready }), pace: 'soon' }
      : upgrading(`its next boot is one of Talos ${seen.version}, which it runs`)),
  }
}

/** Judged by what it was told, and by nothing if it is as it should be by now. */
function whatIsWrong(
  machine: Machine,
  { version, boot }: Member,
  { image, from }: UpgradeRecord,
): string | undefined {
  if (isAsWanted(machine, { version, boot })) return undefined
  const given = versionIn(image) ?? machine.spec?.version
  if (version !== given) {
    return version === from
      ? `it booted, and runs Talos ${version}: what it was given did not come up, and what was there before did`
      : `it booted, and runs Talos ${version}, which is neither what it was given (${image}) nor what was there before (${from})`
  }
  return isOfSchematic(boot, image)
    ? undefined
    : `it runs the schematic ${boot?.schematic ?? 'of no image factory'}, and ${schematicIn(image)} was installed`
}

const isAsWanted = (
  machine: Machine,
  { version, boot }: Pick<Member, 'version' | 'boot'>,
): boolean => version === machine.spec?.version && isOfSchematic(boot, installerOf(machine))

const isOfSchematic = (boot: Boot | undefined, image: string): boolean => {
  const schematic = schematicIn(image)
  return schematic === undefined || boot?.schematic === schematic
}
