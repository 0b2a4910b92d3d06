import { ConfigError } from '#machineconfig/config-error.ts'
import type { ConfigDocument, ValueMap } from '#machineconfig/document.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { isMap } from '#machineconfig/write/zero-value.ts'
import { checkNames, tooNew } from './check-options.ts'
import { checkedHostName } from './host-name.ts'
import { installImage } from './install-image.ts'
import { newDocument } from './new-document.ts'
import type { ClusterOptions, InstallOptions } from './options.ts'

/** What is asked of one machine, on top of what holds for its cluster. */
export interface MachineOptions {
  /** The version that it installs, which may be another than that of the cluster's configuration. */
  readonly talosVersion?: string
  readonly installDisk?: string
  readonly wipe?: boolean
  /** Without a tag it gets that of the version. */
  readonly image?: string
  readonly bootloader?: boolean
  readonly extraKernelArgs?: readonly string[]
  /** No discovery service, and no time servers but those that are named here. */
  readonly airGap?: boolean
  readonly imageCache?: boolean
  readonly allowSchedulingOnControlPlanes?: boolean
  readonly discovery?: boolean
  readonly kubelet?: {
    readonly image?: string
    readonly extraArgs?: Readonly<Record<string, string>>
  }
  readonly timeServers?: readonly string[]
  readonly hostname?: string
  /** Into the certificate of the machine's own API. */
  readonly certSans?: readonly string[]
}

/** The options of the cluster with those of the machine that talosctl knows as well. */
export function clusterOptionsFor(
  cluster: ClusterOptions,
  machine: MachineOptions,
): ClusterOptions {
  const { allowSchedulingOnControlPlanes = cluster.allowSchedulingOnControlPlanes ?? false } =
    machine
  const { discovery = cluster.discovery ?? true, airGap = false } = machine
  return {
    ...cluster,
    allowSchedulingOnControlPlanes,
    discovery: discovery && !airGap,
    install: installFor(cluster, machine),
  }
}

function installFor(cluster: ClusterOptions, machine: MachineOptions): InstallOptions {
  const { installDisk: disk, wipe, bootloader, extraKernelArgs } = machine
  return {
    ...cluster.install,
    image: installImage(
      machine.image ?? cluster.install?.image,
      machine.talosVersion ?? cluster.talosVersion,
    ),
    ...(disk !== undefined && { disk }),
    ...(wipe !== undefined && { wipe }),
    ...(bootloader !== undefined && { bootloader }),
    ...(extraKernelArgs && { extraKernelArgs }),
  }
}

/** A generated configuration with what talosctl has no flag for. */
export function withMachineOptions(
  config: MachineConfig,
  options: MachineOptions,
  form: number,
): MachineConfig {
  if (options.imageCache && form < 9) throw new ConfigError(tooNew('image caches', 9))
  checkNames('certSans', options.certSans)
  checkNames('timeServers', options.timeServers)
  const documents = config.documents.map((document) => changed(document, options, form))
  const cache = options.imageCache ? [imageCacheVolume()] : []
  return new MachineConfig([...documents, ...cache])
}

function changed(document: ConfigDocument, options: MachineOptions, form: number): ConfigDocument {
  if (document.kind.kind === 'HostnameConfig' && options.hostname !== undefined) {
    // Unless it is turned off, Talos calls the two a contradiction.
    return newDocument('HostnameConfig', {
      auto: 'off',
      hostname: checkedHostName(options.hostname),
    })
  }
  if (document.kind.kind !== '') return document
  const machine = mapUnder(document.fields, 'machine')
  return {
    ...document,
    fields: {
      ...document.fields,
      machine: { ...machine, ...machineParts(machine, options, form) },
    },
  }
}

function machineParts(machine: ValueMap, options: MachineOptions, form: number): ValueMap {
  const { hostname, imageCache, certSans = [] } = options
  const { certSANs = [] } = machine
  return {
    ...(Array.isArray(certSANs) && { certSANs: [...certSANs, ...certSans] }),
    ...(options.kubelet && { kubelet: kubeletWith(mapUnder(machine, 'kubelet'), options.kubelet) }),
    ...(hostname !== undefined &&
      form < 12 && {
        network: { ...mapUnder(machine, 'network'), hostname: checkedHostName(hostname) },
      }),
    ...timeWith(options),
    ...(imageCache && {
      features: { ...mapUnder(machine, 'features'), imageCache: { localEnabled: true } },
    }),
  }
}

function kubeletWith(
  kubelet: ValueMap,
  { image, extraArgs = {} }: NonNullable<MachineOptions['kubelet']>,
): ValueMap {
  return {
    ...kubelet,
    ...(image && { image }),
    ...(Object.keys(extraArgs).length > 0 && { extraArgs }),
  }
}

function timeWith({ airGap, timeServers = [] }: MachineOptions): ValueMap {
  if (timeServers.length > 0) return { time: { servers: timeServers } }
  return airGap ? { time: { disabled: true } } : {}
}

const imageCacheVolume = (): ConfigDocument =>
  newDocument('VolumeConfig', {
    name: 'IMAGECACHE',
    provisioning: { diskSelector: { match: 'system_disk' } },
  })

function mapUnder(fields: ValueMap, key: string): ValueMap {
  const value = fields[key]
  return isMap(value) ? value : {}
}
