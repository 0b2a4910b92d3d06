import type { ValueMap } from '#machineconfig/document.ts'
import { certificateAndKey, certificateOnly } from './certificates.ts'
import { componentImage } from './component-image.ts'
import { installImage } from './install-image.ts'
import type { ClusterOptions, InstallOptions, Role } from './options.ts'

const KUBE_PRISM_PORT = 7445
const DEFAULT_DISK = '/dev/sda'

/** What stands under `machine`. */
export function machineSection(role: Role, options: ClusterOptions, form: number): ValueMap {
  const { secrets, sysctls = {} } = options
  return {
    type: role,
    token: secrets.trustdToken.open(),
    ca: role === 'worker' ? certificateOnly(secrets.talos) : certificateAndKey(secrets.talos),
    certSANs: options.additionalSans ?? [],
    kubelet: {
      ...componentImage(options, 'kubelet'),
      defaultRuntimeSeccompProfileEnabled: true,
      disableManifestsDirectory: true,
    },
    ...(form < 13 && { network: legacyNetwork(options) }),
    install: installSection(options, form),
    ...(Object.keys(sysctls).length > 0 && { sysctls }),
    ...(form < 12 && legacyRegistries(options)),
    features: features(form),
    ...(role === 'controlplane' &&
      form >= 8 && {
        nodeLabels: { 'node.kubernetes.io/exclude-from-external-load-balancers': '' },
      }),
  }
}

const legacyNetwork = ({ kubeSpan }: ClusterOptions): ValueMap =>
  kubeSpan === undefined ? {} : { kubespan: { enabled: kubeSpan } }

function installSection(options: ClusterOptions, form: number): ValueMap {
  const { install = {}, talosVersion } = options
  const { disk = DEFAULT_DISK, extraKernelArgs = [] } = install
  const image = install.image ?? installImage(undefined, talosVersion)
  return {
    ...(disk && { disk }),
    ...(extraKernelArgs.length > 0 && { extraKernelArgs }),
    ...(image && { image }),
    ...bootloader(install),
    wipe: install.wipe ?? false,
    // Talos refuses both at once, and without the wish it takes the arguments that are given here.
    ...(form >= 12 && extraKernelArgs.length === 0 && { grubUseUKICmdline: true }),
  }
}

const bootloader = ({ bootloader: wanted }: InstallOptions): ValueMap =>
  wanted === undefined ? {} : { bootloader: wanted }

function legacyRegistries({ registryMirrors = {} }: ClusterOptions): ValueMap {
  const mirrors = Object.entries(registryMirrors).map(([host, endpoints]) => [host, { endpoints }])
  return mirrors.length === 0 ? {} : { registries: { mirrors: Object.fromEntries(mirrors) } }
}

const features = (form: number): ValueMap => ({
  ...(form < 12 && { rbac: true, stableHostname: true, apidCheckExtKeyUsage: true }),
  diskQuotaSupport: true,
  ...(form >= 6 && { kubePrism: { enabled: true, port: KUBE_PRISM_PORT } }),
  ...(form >= 7 && {
    hostDNS: { enabled: true, ...(form >= 8 && { forwardKubeDNSToHost: true }) },
  }),
})
