import { ConfigError } from '#machineconfig/config-error.ts'

/** A value for the META partition. */
export interface MetaValue {
  readonly key: number
  readonly value: string
}

/** The network of a machine on metal: see `metalNetworkConfig`. */
export const META_METAL_NETWORK = 0x0a

// What Talos keeps for itself (upgrades, encryption, downloads) is not for others to write.
const WRITABLE = new Set([META_METAL_NETWORK, 0x0c, 0x0d, 0x0e, 0x0f, 0x10])

/**
 * The values as installers take them, in INSTALLER_META_BASE64 and as a kernel argument. Throws a
 * ConfigError for keys that are Talos' own and for values that this form cannot hold.
 */
export function encodeMetaValues(values: readonly MetaValue[]): string {
  for (const { key, value } of values) checkMetaValue(key, value)
  const pairs = values.map(({ key, value }) => `0x${key.toString(16)}=${value}`)
  return Buffer.from(pairs.join(';')).toString('base64')
}

function checkMetaValue(key: number, value: string): void {
  if (!WRITABLE.has(key)) throw new ConfigError(`META key ${key} is not for users to write`)
  if (value.includes(';')) {
    throw new ConfigError(`the value of META key ${key} holds a semicolon, which separates values`)
  }
}
