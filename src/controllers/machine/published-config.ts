import type { Machine } from '#api/machine.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'

/** Whether an older operator configured the machine: only those write that, and it goes when the machine is taken over. */
export const wasConfiguredBefore = ({ status }: Machine): boolean => Boolean(status?.config)

/**
 * The disk that an older operator picked: it wrote that nowhere but into the configuration. Undefined if
 * the spec says which, or if it cannot be found.
 */
export function diskPickedBefore({ spec, status }: Machine): string | undefined {
  if (!spec || spec.machineSpec?.installDisk !== undefined || !status?.config) return undefined
  return diskIn(status.config, spec.version)
}

/** The disk that Talos is installed on by a configuration. Undefined if that does not name one. */
export function diskIn(config: string, talosVersion: string): string | undefined {
  try {
    const { legacy } = readConfig(config, { talosVersion })
    return new ConfigPlace(legacy?.fields).text('machine', 'install', 'disk') || undefined
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}
