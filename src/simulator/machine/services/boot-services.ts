import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { runApid } from './apid.ts'
import { bringUp } from './bring-up.ts'
import { runEtcd } from './etcd.ts'
import { runKubelet } from './kubelet.ts'
import { networkIsReady, timeIsSynced } from './readiness.ts'
import type { ServiceBody } from './services.ts'

/** Starts everything that a configured machine runs. */
export function startBootServices(inside: MachineInside, boot: Boot): void {
  const { services } = boot
  const isControlPlane = inside.facts?.type === 'controlplane'
  services.load('apid', true)
  services.load('kubelet', true)
  services.load('cri', true)
  if (isControlPlane) {
    services.load('trustd', true)
    services.load('etcd', true)
  }
  services.start('apid', runApid(inside, boot))
  services.start('cri', runCri(inside, boot))
  services.start('trustd', runTrustd(inside, boot))
  services.start('etcd', runEtcd(inside, boot))
  services.start('kubelet', runKubelet(inside, boot))
}

const runCri =
  (inside: MachineInside, boot: Boot): ServiceBody =>
  (service, signal) =>
    bringUp(
      { inside, boot, service, signal },
      {
        waits: { for: 'network', until: () => networkIsReady(inside, boot, signal) },
        takes: 'startContainerRuntime',
        checks: 'firstHealthCheck',
      },
    )

const runTrustd =
  (inside: MachineInside, boot: Boot): ServiceBody =>
  async (service, signal) => {
    await bringUp(
      { inside, boot, service, signal },
      {
        waits: {
          for: 'service "containerd" to be "up", time sync, network',
          until: async () => {
            await boot.services.whenUp(['containerd'], signal)
            await timeIsSynced(inside, boot, signal)
          },
        },
        takes: 'startService',
        checks: 'firstHealthCheck',
      },
    )
    boot.cluster?.changed()
  }
