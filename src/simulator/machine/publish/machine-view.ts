import type { Affiliate } from '#simulator/clusters/affiliates.ts'
import type { NodeView, StaticPodView } from '#simulator/kubernetes/cluster-kubernetes.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import type { ConfigFacts } from '#simulator/machine/config-facts.ts'
import type { MachineStage } from '#simulator/machine/event-log.ts'
import type { Hardware } from '#simulator/machine/hardware.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { TalosService } from '#simulator/machine/services/talos-service.ts'

/** All of a machine that follows into what it shows, at one moment. */
export interface MachineView {
  readonly address: string
  readonly hostname: string
  readonly nodeId: string
  readonly platform: 'metal' | 'container'
  readonly hardware: Hardware
  readonly disks: Hardware['disks']
  readonly version: string
  readonly minor: number
  readonly schematic: string | undefined
  /** Of the schematic, by their names. */
  readonly extensions: readonly string[]
  readonly bootId: string
  readonly stage: MachineStage
  readonly isInMaintenance: boolean
  readonly isRestartDue: boolean
  readonly isTimeSynced: boolean
  readonly isNetworkReady: boolean
  /** The texts of the configurations, which hold secrets. */
  readonly activeText: string | undefined
  readonly persistentText: string | undefined
  readonly facts: ConfigFacts | undefined
  readonly services: readonly TalosService[]
  readonly systemDisk: string | undefined
  readonly hasBootDisk: boolean
  readonly metaValues: readonly (readonly [key: number, value: Uint8Array])[]
  readonly affiliates: readonly Affiliate[]
  readonly etcdMemberId: bigint | undefined
  readonly hasStaticPods: boolean
  readonly isApiUp: boolean
  readonly node: NodeView | undefined
  readonly staticPods: readonly StaticPodView[]
  /** Where the API servers of its cluster are. */
  readonly apiServers: readonly string[]
}

/** Looks at a machine that runs. */
export function viewOf(inside: MachineInside, boot: Boot): MachineView {
  const { storage, facts, hostname } = inside
  const { cluster, config, image } = boot
  const kubernetes = cluster?.halfOf(inside)?.kubernetes
  return {
    address: inside.address,
    hostname,
    nodeId: inside.nodeId,
    platform: inside.platform,
    hardware: inside.hardware,
    disks: inside.disks,
    version: image.version,
    minor: boot.minor,
    schematic: image.schematic,
    extensions: inside.world.extensions.get(image.schematic ?? '') ?? [],
    bootId: boot.id,
    stage: boot.stage.current,
    isInMaintenance: boot.isInMaintenance,
    isRestartDue: boot.isRestartDue,
    isTimeSynced: boot.isTimeSynced,
    isNetworkReady: boot.isNetworkReady,
    activeText: config?.text.open(),
    persistentText: (storage.state.config ?? boot.unsavedConfig)?.open(),
    facts,
    services: boot.services.list,
    systemDisk: inside.isInstalled ? storage.systemDisk.path : undefined,
    hasBootDisk: boot.hasBootDisk,
    metaValues: storage.meta.entries,
    affiliates: cluster?.affiliates.list ?? [],
    etcdMemberId: boot.services.isIn('etcd', 'Running')
      ? storage.ephemeral.etcd?.memberId
      : undefined,
    hasStaticPods: boot.hasStaticPods,
    isApiUp: kubernetes?.isUp ?? false,
    node: kubernetes?.node(hostname),
    staticPods: kubernetes?.staticPods(hostname) ?? [],
    apiServers: (cluster?.controlPlanes ?? [])
      .filter(({ etcdPlace }) => etcdPlace)
      .map(({ address }) => address),
  }
}
