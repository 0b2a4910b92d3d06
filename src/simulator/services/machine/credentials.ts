import { gzipSync } from 'node:zlib'
import { durationMs } from '@bufbuild/protobuf/wkt'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { bundleFromConfig } from '#machineconfig/secrets/bundle-from-config.ts'
import { adminCertificate } from '#machineconfig/secrets/certificates.ts'
import { kubeconfigFor } from '#machineconfig/secrets/kubeconfig.ts'
import { writeTalosconfig } from '#machineconfig/secrets/talosconfig-file.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import { clusterAccess } from '#simulator/services/cluster-access.ts'
import { controlPlaneOnly } from '#simulator/services/control-plane-only.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import { tarHead } from '#simulator/services/tar-entry.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'

/** What lets others in: into the cluster's Kubernetes, and into its machines. */
export const credentials: Answers<typeof MachineService> = {
  kubeconfig: async function* (_, { machine, wallClock }) {
    controlPlaneOnly(machine, 'kubeconfig')
    const config = configOf(machine)
    const now = wallClock.now()
    const text = await kubeconfigFor({
      ...clusterAccess(config),
      ca: bundleFromConfig(config).kubernetes,
      now,
    })
    const content = Buffer.from(text.open())
    // Talos never closes its archive, and neither is this one.
    yield {
      bytes: gzipSync(Buffer.concat([tarHead({ name: 'kubeconfig', content, at: now }), content])),
    }
  },
  generateClientConfiguration: async ({ roles, crtTtl }, { machine, wallClock }) => {
    controlPlaneOnly(machine, 'generate client configuration')
    const lifetimeMs = crtTtl ? durationMs(crtTtl) : 0
    if (lifetimeMs <= 0) throw new Refusal('InvalidArgument', 'crt_ttl should be positive')
    const config = configOf(machine)
    const ca = bundleFromConfig(config).talos
    const { certificate, key } = await adminCertificate({
      ca,
      roles,
      lifetimeMs,
      now: wallClock.now(),
    })
    const [only, ...more] = [...new Set(roles)]
    const { clusterName } = clusterAccess(config)
    const isOne = only !== undefined && more.length === 0
    const name = isOne ? `${only.replace(/^os:/, '')}@${clusterName}` : clusterName
    const context = { endpoints: [], nodes: [], ca: ca.certificate, certificate, key }
    const talosconfig = writeTalosconfig({ context: name, contexts: new Map([[name, context]]) })
    return {
      messages: [
        {
          ca: Buffer.from(ca.certificate),
          crt: Buffer.from(certificate),
          key: Buffer.from(key.open()),
          talosconfig: Buffer.from(talosconfig.open()),
        },
      ],
    }
  },
}

function configOf({ config }: Machine): MachineConfig {
  if (!config) throw new Refusal('FailedPrecondition', 'the machine has no configuration')
  return config
}
