import { checkDocuments } from '#machineconfig/check-documents.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { readDocuments } from './read-documents.ts'

export interface ReadConfigOptions {
  /** The version that the machine runs: what it does not have is refused. */
  readonly talosVersion?: string
}

// What the talosctl of this version takes.
const DEFAULT_VERSION = 'v1.13.9'

/**
 * A machine configuration from its text, strictly: unknown keys and wrong types are refused. Throws a
 * ConfigError with Talos' words. Without a version it is judged as v1.13 does.
 */
export function readConfig(text: string, options: ReadConfigOptions = {}): MachineConfig {
  const talosVersion = options.talosVersion ?? DEFAULT_VERSION
  const { documents } = readDocuments(text, { talosVersion })
  if (documents.length === 0) throw new ConfigError('config not found')
  checkDocuments(documents)
  return new MachineConfig(documents)
}
