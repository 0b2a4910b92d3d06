import { createHash } from 'node:crypto'
import { ownText } from '#base/own-text.ts'
import type { Secret } from '#base/secret.ts'
import { RecentlyUsed } from '#engine/recently-used.ts'
import { configFingerprint } from '#engine/wanted-config.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { installerIn } from '#machineconfig/read/installer-in.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import type { ComponentVersions } from '#machineconfig/versions/kubernetes-components.ts'
import { versionsIn } from '#machineconfig/versions/kubernetes-images.ts'

// One for each machine of a large fleet; 400 bytes each.
const MOST = 10_000

/** What is looked for in the configuration of a machine. */
interface ConfigRead {
  fingerprint: string
  /** What it makes the machine, as it is written there: Talos takes that from nowhere else. */
  type: string
  /** The versions of Kubernetes that it names, by component. */
  kubernetes: Partial<ComponentVersions>
  /** The image that it names to install Talos by. */
  installer: string | undefined
}

/**
 * What the configurations say that machines have. To read one takes milliseconds, and it seldom changes: what
 * became of the same text is remembered, by a hash of it.
 */
export class ConfigFingerprints {
  readonly #known = new RecentlyUsed<ConfigRead>(MOST)

  /** Undefined: it cannot be read, so nobody can compare it. Of a newer Talos, perhaps. */
  of(text: Secret<string>): ConfigRead | undefined {
    const key = createHash('sha256').update(text.open()).digest('base64url')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = readIn(text)
    if (found !== undefined) this.#known.set(key, found)
    return found
  }
}

function readIn(text: Secret<string>): ConfigRead | undefined {
  try {
    const config = readConfig(text.open())
    const place = new ConfigPlace(config.legacy?.fields)
    const installer = installerIn(config)
    return {
      fingerprint: configFingerprint(config),
      type: ownText(place.text('machine', 'type')),
      kubernetes: versionsIn(config),
      installer: installer && ownText(installer),
    }
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}
