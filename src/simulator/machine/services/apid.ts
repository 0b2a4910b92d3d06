import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { untilTrue } from '#simulator/machine/listeners.ts'
import { start } from './bring-up.ts'
import type { ServiceBody } from './services.ts'

// From this minor version on the API itself is what answers in maintenance mode.
const FIRST_IN_MAINTENANCE = 13

/**
 * The API. Control planes make their own certificates; workers get theirs from a control plane, and until then nobody
 * gets through to them.
 */
export const runApid =
  (inside: MachineInside, boot: Boot): ServiceBody =>
  async (service, signal) => {
    const isInMaintenance = () => boot.isInMaintenance && boot.minor >= FIRST_IN_MAINTENANCE
    const hasReason = () => boot.isConfigured || isInMaintenance()
    await start(
      { inside, boot, service, signal },
      {
        waits: {
          for: 'service "containerd" to be "up", api certificates',
          until: async () => {
            await boot.services.whenUp(['containerd'], signal)
            await untilTrue(hasReason, signal, inside.onShown)
            if (!isInMaintenance()) await certificates(inside, boot, signal)
          },
        },
        takes: 'startService',
      },
    )
    if (isInMaintenance()) {
      service.checked(true)
      await untilTrue(() => !isInMaintenance(), signal, inside.onShown)
      await certificates(inside, boot, signal)
    }
    inside.door = 'cluster'
    inside.record('the API asks for certificates of the cluster')
    await inside.takes('firstHealthCheck', signal)
    service.checked(true)
  }

async function certificates(inside: MachineInside, boot: Boot, signal: AbortSignal): Promise<void> {
  const { cluster } = boot
  if (inside.facts?.type === 'worker' && cluster) {
    const onChange = (listener: () => void) => cluster.changes.add(listener)
    await untilTrue(() => cluster.hasTrustdFor(inside), signal, onChange)
  }
  await inside.takes('certificates', signal)
}
