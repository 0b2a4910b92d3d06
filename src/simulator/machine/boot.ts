import type { Cancel } from '#base/clock.ts'
import type { Secret } from '#base/secret.ts'
import { contractOf } from '#machineconfig/versions/contract.ts'
import type { SimulatedCluster } from '#simulator/clusters/simulated-cluster.ts'
import type { HeldConfig } from './held-config.ts'
import type { StoredImage } from './image-store.ts'
import type { TalosImage } from './kept/system-disk.ts'
import type { Sequencer } from './sequences/sequencer.ts'
import type { Services } from './services/services.ts'
import { Stage } from './stage.ts'
import { OPEN, type WayIn } from './way-in.ts'

/** How etcd is to begin, if not by joining others. */
export interface EtcdBootstrap {
  readonly recovers: boolean
  readonly skipHashCheck: boolean
}

export interface BootOptions {
  readonly id: string
  readonly newNodeId: string
  readonly image: TalosImage
  readonly over: AbortController
  readonly services: Services
  readonly sequencer: Sequencer
}

/** Everything that a boot makes anew, and that is gone with the next one. */
export class Boot {
  /** As `/proc/sys/kernel/random/boot_id` tells it. */
  readonly id: string
  /** Its name among others, unless an earlier boot has left one on the disk. */
  readonly newNodeId: string
  readonly image: TalosImage
  /** Of the version that runs. */
  readonly minor: number
  readonly services: Services
  readonly sequencer: Sequencer
  readonly stage = new Stage()
  /** Aborted when the machine goes down, however that comes. */
  readonly over: AbortController
  config: HeldConfig | undefined
  /** Saved as soon as there is a disk to save it on. */
  unsavedConfig: Secret<string> | undefined
  /** It was not enough to boot with, or there was none. */
  isInMaintenance = false
  /** Has passed the moment at which it has to be installed. */
  hasBootDisk = false
  isTimeSynced = false
  isNetworkReady = false
  wayIn: WayIn = OPEN
  isKexecReady = false
  /** A configuration was taken that needs the reboot that is under way. */
  isRebootingForConfig = false
  isInstalling = false
  /** It restarts by itself, as soon as it can. */
  isRestartDue = false
  /** By name. Those of pods, and of services that run in containers, outlive it. */
  readonly images = new Map<string, StoredImage>()
  etcdBootstrap: EtcdBootstrap | undefined
  hasStaticPods = false
  cluster: SimulatedCluster | undefined
  /** Takes back a configuration that was only tried. */
  tryRollback: Cancel | undefined

  constructor({ id, newNodeId, image, over, services, sequencer }: BootOptions) {
    this.id = id
    this.newNodeId = newNodeId
    this.image = image
    this.minor = contractOf(image.version)
    this.over = over
    this.services = services
    this.sequencer = sequencer
  }

  get signal(): AbortSignal {
    return this.over.signal
  }

  /** Whether there is all that it takes to boot. */
  get isConfigured(): boolean {
    return this.config?.facts !== undefined
  }
}
