import { createHash } from 'node:crypto'
import type { Secret } from '#base/secret.ts'
import { RecentlyUsed } from '#engine/recently-used.ts'
import { configFingerprint } from '#engine/wanted-config.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'

// One for each machine of a large fleet; 100 bytes each.
const MOST = 10_000

/**
 * Fingerprints of the configurations that machines have. To read one takes milliseconds, and it seldom changes: what
 * became of the same text is remembered, by a hash of it.
 */
export class ConfigFingerprints {
  readonly #known = new RecentlyUsed<string>(MOST)

  /** Undefined: it cannot be read, so nobody can compare it. Of a newer Talos, perhaps. */
  of(text: Secret<string>): string | undefined {
    const key = createHash('sha256').update(text.open()).digest('base64url')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = fingerprintIn(text)
    if (found !== undefined) this.#known.set(key, found)
    return found
  }
}

function fingerprintIn(text: Secret<string>): string | undefined {
  try {
    return configFingerprint(readConfig(text.open()))
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}
