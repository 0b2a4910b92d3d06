import { EphemeralPartition } from './ephemeral-partition.ts'
import { MetaPartition } from './meta-partition.ts'
import { StatePartition } from './state-partition.ts'
import { SystemDisk } from './system-disk.ts'

/** Everything of a machine that a reboot leaves as it is. */
export class Storage {
  readonly systemDisk = new SystemDisk()
  readonly meta = new MetaPartition()
  readonly state = new StatePartition()
  readonly ephemeral = new EphemeralPartition()

  /** The whole system disk. */
  wipe(): void {
    this.systemDisk.wipe()
    this.meta.wipe()
    this.state.wipe()
    this.ephemeral.wipe()
  }
}
