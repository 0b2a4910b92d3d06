import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { untilTrue } from '#simulator/machine/listeners.ts'
import { SimulatedImages } from '#simulator/machine/simulated-images.ts'
import { start } from './bring-up.ts'
import { timeIsSynced } from './readiness.ts'
import type { ServiceBody } from './services.ts'

const NOT_SERVED =
  'Get "http://127.0.0.1:10248/healthz": dial tcp 127.0.0.1:10248: connect: connection refused'

/** The kubelet. It is well once an API server has let it in, at least once since its disk was wiped. */
export const runKubelet =
  (inside: MachineInside, boot: Boot): ServiceBody =>
  async (service, signal) => {
    await start(
      { inside, boot, service, signal },
      {
        waits: {
          for: 'service "cri" to be "up", time sync, network',
          until: async () => {
            await boot.services.whenUp(['cri'], signal)
            await timeIsSynced(inside, boot, signal)
          },
        },
        prepares: async () => {
          const image = inside.facts?.images.kubelet
          if (image) await new SimulatedImages(inside).ensure(image, 'system', signal)
        },
        takes: 'startKubelet',
      },
    )
    const { cluster } = boot
    const { ephemeral } = inside.storage
    const isLetIn = () =>
      ephemeral.hasKubeletCertificate || (cluster?.halfOf(inside)?.kubernetes.isUp ?? false)
    if (!isLetIn()) service.checked(false, NOT_SERVED)
    if (cluster) await untilTrue(isLetIn, signal, (listener) => cluster.changes.add(listener))
    await inside.takes('kubeletHealthCheck', signal)
    ephemeral.hasKubeletCertificate = true
    service.checked(true)
  }
