import type { Machine } from '#api/machine.ts'
import { versionIn, wantedSchematic } from '#engine/installer.ts'
import type { Notice } from '#runtime/plan.ts'
import { isToBeChanged } from './rules/configuration.ts'
import type { World } from './world.ts'

/** That an image was edited by which nothing is installed: of one without a schematic nobody can say whether it runs. */
export function installerNotices(machine: Machine, world: World): Notice[] {
  const { change, seen } = world
  if (seen.is !== 'member' || seen.version !== machine.spec?.version) return []
  if (!change?.installer || wantedSchematic(machine) !== undefined) return []
  const { before = '', after } = change.installer
  // Its configuration is changed after an upgrade, by which another image was installed.
  const isUpgraded = versionIn(before) !== undefined && versionIn(before) !== versionIn(after)
  if (isUpgraded || !isToBeChanged(machine, world)) return []
  return [
    {
      ...{ type: 'Warning', reason: 'ImageNotInstalled' },
      message: `the configuration of the machine names ${after} from now on, and the machine goes on with what it runs until the next upgrade: only an image whose schematic machineSpec.image names is installed at the same version, because of any other one nobody can say whether the machine runs it. To have it installed at once, run \`talosctl -n ${machine.spec?.endpoint} upgrade --image ${after}\``,
    },
  ]
}
