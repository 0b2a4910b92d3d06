import { onAbort } from '#base/on-abort.ts'
import type { Boot } from './boot.ts'
import { followNetwork } from './follow-network.ts'
import type { HeldConfig } from './held-config.ts'
import type { MachineInside } from './inside.ts'

/** From now on the machine lives by this configuration: it belongs to the cluster that it names. */
export function acceptConfig(inside: MachineInside, boot: Boot, held: HeldConfig): void {
  const before = boot.cluster
  boot.config = held
  boot.cluster = held.facts && inside.world.clusters.of(held.facts)
  if (before && before !== boot.cluster) before.depart(inside)
  boot.cluster?.arrive(inside)
  if (boot.cluster && boot.cluster !== before) follow(inside, boot)
  followNetwork(inside, boot)
  inside.changed()
}

/** What the cluster does may change what this machine shows. */
function follow(inside: MachineInside, boot: Boot): void {
  const { cluster } = boot
  if (!cluster) return
  const look = () => {
    if (boot.cluster === cluster) inside.changed()
  }
  onAbort(boot.signal, cluster.noticed.add(look))
}

/** Writes a configuration to the disk, or keeps it until there is one. */
export function saveConfig(inside: MachineInside, boot: Boot, { text }: HeldConfig): void {
  if (inside.isInstalled || inside.platform === 'container') {
    inside.storage.state.config = text
    inside.storage.state.nodeId = inside.nodeId
  } else {
    boot.unsavedConfig = text
  }
  inside.changed()
}
