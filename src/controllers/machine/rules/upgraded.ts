import type { Machine } from '#api/machine.ts'
import type { Rule } from '#controllers/machine/decision.ts'
import type { Member } from '#controllers/machine/world.ts'
import { schematicIn } from '#engine/installer.ts'
import { type UpgradeRecord, upgradeRecord } from '#engine/upgrade-record.ts'
import { upgrading } from './upgrade-aim.ts'

/** Who has booted since it was told is what it has become. */
export const upgraded: Rule = (machine, { seen }) => {
  const record = upgradeRecord(machine)
  if (!record || seen.is !== 'member' || !seen.boot || seen.boot.id === record.boot)
    return undefined
  const why = whatIsWrong(machine, seen, record)
  return {
    steps: why ? [{ do: 'noteUpgradeFailed', image: record.image, why }] : [{ do: 'noteUpgraded' }],
    ...upgrading(`it is back with Talos ${seen.version}`),
  }
}

function whatIsWrong(
  { spec }: Machine,
  { version, boot }: Member,
  { image, from }: UpgradeRecord,
): string | undefined {
  if (version === from && version !== spec?.version) {
    return `it booted, and runs Talos ${version} as before: what it was given did not come up, and it went back to what it had`
  }
  const wanted = schematicIn(image)
  if (wanted === undefined || boot?.schematic === wanted) return undefined
  return `it runs the schematic ${boot?.schematic ?? 'of no image factory'}, and ${wanted} was installed`
}
