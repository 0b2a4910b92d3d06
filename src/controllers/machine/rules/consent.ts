import { CONSENT } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { World } from '#controllers/machine/world.ts'
import { installerOf, schematicIn, wantedSchematic } from '#engine/installer.ts'
import { installToken } from '#engine/upgrade-problems.ts'
import { standingOf } from './configuration.ts'

// Who wants an image to be installed that a machine is not known to be made for.

/** Whether somebody said on the object that it may be installed. */
export const isInstallConsented = (machine: Machine, { seen }: Pick<World, 'seen'>): boolean =>
  seen.is === 'member' &&
  seen.boot !== undefined &&
  machine.metadata.annotations?.[CONSENT] ===
    installToken(installerOf(machine), seen.boot.extensions)

/** Whether the image was edited since the machine had what the spec said. */
export const isInstallerEdited = (
  machine: Machine,
  { seen, wanted, change }: Pick<World, 'seen' | 'wanted' | 'change'>,
): boolean =>
  standingOf(machine, { seen, wanted }) === 'edited' &&
  change?.installer !== undefined &&
  schematicIn(change.installer.after) === wantedSchematic(machine)
