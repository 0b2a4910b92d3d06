import { onAbort } from '#base/on-abort.ts'
import { durationMs } from '#simulator/timing.ts'
import type { WireFaults } from '#simulator/wire/wire-faults.ts'
import type { Boot } from './boot.ts'
import type { MachineInside } from './inside.ts'
import { OPEN, type WayIn } from './way-in.ts'

/** Lets the network be as the configuration says, in its own time: an answer that is due gets out before. */
export function followNetwork(inside: MachineInside, boot: Boot): void {
  if (isSame(boot.wayIn, wayInOf(inside, boot))) return
  const { clock } = inside.world
  const cancel = clock.after(durationMs('changeNetwork', inside.random), () => {
    leave()
    settle(inside, boot)
  })
  const leave = onAbort(boot.signal, cancel)
}

function settle(inside: MachineInside, boot: Boot): void {
  const [before, now] = [boot.wayIn, wayInOf(inside, boot)]
  boot.wayIn = now
  if (isSame(before, now)) return
  if (before.hasAddress !== now.hasAddress) {
    inside.record(now.hasAddress ? 'has its address again' : 'loses its address')
  }
  if (before.letsApiIn !== now.letsApiIn) {
    inside.record(now.letsApiIn ? 'lets new callers in again' : 'lets no new callers in')
  }
  inside.ways.tell()
  boot.cluster?.changed()
  inside.changed()
}

function wayInOf({ platform, address }: MachineInside, { config }: Boot): WayIn {
  const network = config?.facts?.network
  // The network of a container is not for Talos to change.
  if (!network || platform === 'container') return OPEN
  return { hasAddress: network.keeps(address), letsApiIn: network.letsApiIn }
}

const isSame = (one: WayIn, other: WayIn): boolean =>
  one.hasAddress === other.hasAddress && one.letsApiIn === other.letsApiIn

/** What is between a machine and its callers: faults, and what its configuration has done. */
export function wireTo(inside: MachineInside): WireFaults {
  const faults = inside.world.faults.wireOf(inside)
  return {
    get isUnreachable() {
      return faults.isUnreachable
    },
    get isBlackHole() {
      return faults.isBlackHole || !inside.wayIn.hasAddress
    },
    get ignoresNew() {
      return faults.ignoresNew || !inside.wayIn.letsApiIn
    },
    latencyMs: faults.latencyMs,
    losesReply: faults.losesReply,
    onChange: (listener) => {
      const cancels = [faults.onChange(listener), inside.ways.add(listener)]
      return () => {
        for (const cancel of cancels) cancel()
      }
    },
  }
}
