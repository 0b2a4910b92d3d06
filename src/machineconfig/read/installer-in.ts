import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'

/** The image that a configuration names to install Talos by. */
export const installerIn = ({ legacy }: MachineConfig): string | undefined =>
  new ConfigPlace(legacy?.fields).text('machine', 'install', 'image') || undefined
