import type { Machine } from '#api/machine.ts'
import type { Rule } from '#controllers/machine/decision.ts'
import type { Boot, Member } from '#controllers/machine/world.ts'
import { installerOf, installsBeside, schematicIn, versionIn } from '#engine/installer.ts'
import { isOnItsWay, type UpgradeRecord, upgradeRecord } from '#engine/upgrade-record.ts'
import { asRunning } from './member.ts'
import { upgrading, whatFor } from './upgrade-aim.ts'

/** Who has booted since it was told is what it has become. */
export const upgraded: Rule = (machine, { seen }) => {
  const record = upgradeRecord(machine)
  if (!record || seen.is !== 'member' || !seen.boot || seen.boot.id === record.boot)
    return undefined
  const why = whatIsWrong(machine, seen, record)
  return {
    steps: why
      ? [{ do: 'noteUpgradeFailed', image: record.image, why }]
      : [{ do: 'noteUpgraded', image: record.image }],
    ...upgrading(`it is back with Talos ${seen.version}`),
  }
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
  if (version === machine.spec?.version && isOfSchematic(boot, installerOf(machine)))
    return undefined
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

const isOfSchematic = (boot: Boot | undefined, image: string): boolean => {
  const schematic = schematicIn(image)
  return schematic === undefined || boot?.schematic === schematic
}
