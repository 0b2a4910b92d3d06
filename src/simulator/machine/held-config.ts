import { createHash } from 'node:crypto'
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

// Machines of one role often have the same text, and each reads its own again with every boot.
const held = new Map<string, WeakRef<HeldConfig>>()
const forgotten = new FinalizationRegistry<string>((key) => {
  if (!held.get(key)?.deref()) held.delete(key)
})

/**
 * Reads a configuration as the version that the machine runs does. Throws a ConfigError. As long as some machine holds
 * it, all with the same text and version hold the same one.
 */
export function heldConfig(text: string, talosVersion: string): HeldConfig {
  const key = createHash('sha256').update(`${talosVersion}\n${text}`).digest('base64')
  const known = held.get(key)?.deref()
  if (known) return known
  const read = readHeld(text, talosVersion)
  held.set(key, new WeakRef(read))
  forgotten.register(read, key)
  return read
}

function readHeld(text: string, talosVersion: string): HeldConfig {
  const config = readConfig(text, { talosVersion })
  return {
    text: new Secret(text),
    config,
    facts: config.legacy && configFacts(config, talosVersion),
  }
}
