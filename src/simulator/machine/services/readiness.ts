import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { untilTrue } from '#simulator/machine/listeners.ts'

/** Resolves when the machine knows what time it is. */
export const timeIsSynced = (
  inside: MachineInside,
  boot: Boot,
  signal: AbortSignal,
): Promise<void> => untilTrue(() => boot.isTimeSynced, signal, inside.onShown)

/** Resolves when it has an address and a name. */
export const networkIsReady = (
  inside: MachineInside,
  boot: Boot,
  signal: AbortSignal,
): Promise<void> => untilTrue(() => boot.isNetworkReady, signal, inside.onShown)
