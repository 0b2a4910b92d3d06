import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import type { MachineView } from './machine-view.ts'
import { placed } from './placed.ts'

const config = placed('config', 'config.talos.dev')

const FIRST_WITH_PERSISTENT = 10
const LAST_WITH_MAINTENANCE = 12

/** The configurations, as texts: whoever writes them down knows in which form each version does. */
export function configResources(view: MachineView): ShownResource[] {
  const { activeText, persistentText, minor, facts, isInMaintenance } = view
  const activeId = isInMaintenance && minor <= LAST_WITH_MAINTENANCE ? 'maintenance' : 'v1alpha1'
  return [
    ...(activeText === undefined ? [] : [config('MachineConfigs', activeId, activeText)]),
    ...(persistentText === undefined || minor < FIRST_WITH_PERSISTENT
      ? []
      : [config('MachineConfigs', 'persistent', persistentText)]),
    config('MachineTypes', 'machine-type', facts?.type ?? 'unknown'),
  ]
}
