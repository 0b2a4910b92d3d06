import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import type { MachineView } from './machine-view.ts'
import { placed } from './placed.ts'

const v1alpha1 = placed('runtime', 'v1alpha1.talos.dev')

/** The services that run, and the time of day. */
export const serviceResources = ({ services, isTimeSynced }: MachineView): ShownResource[] => [
  v1alpha1('TimeStatuses', 'node', { synced: isTimeSynced, epoch: 0, syncDisabled: false }),
  ...services
    .filter(({ phase }) => phase === 'Running')
    .map(({ id, health }) =>
      v1alpha1('Services', id, {
        running: true,
        healthy: health.isHealthy,
        unknown: !health.isKnown,
      }),
    ),
]
