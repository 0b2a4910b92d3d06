import { Secret } from '#base/secret.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { type ConfigFacts, configFacts } from './config-facts.ts'

/** A configuration as a machine holds it. */
export interface HeldConfig {
  readonly text: Secret<string>
  readonly config: MachineConfig
  /** Left out while it is not enough to boot with: it lacks the document with `machine` and `cluster`. */
  readonly facts: ConfigFacts | undefined
}

/** Reads a configuration as the version that the machine runs does. Throws a ConfigError. */
export function heldConfig(text: string, talosVersion: string): HeldConfig {
  const config = readConfig(text, { talosVersion })
  return {
    text: new Secret(text),
    config,
    facts: config.legacy && configFacts(config, talosVersion),
  }
}
