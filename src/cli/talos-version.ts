import { ConfigError } from '#machineconfig/config-error.ts'
import { contractOf } from '#machineconfig/versions/contract.ts'

/** What is meant when no version is given: the newest that is no pre-release. */
export const DEFAULT_TALOS_VERSION = 'v1.13.9'

/** What --talos-version says. Throws unless it is a version that is served. */
export function talosVersionOf(text = DEFAULT_TALOS_VERSION): string {
  const version = text.replace(/^v?/, 'v')
  if (!/^v\d+\.\d+($|\.)/.test(version)) {
    throw new ConfigError(`invalid talos-version: error parsing version ${JSON.stringify(version)}`)
  }
  try {
    contractOf(version)
    return version
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(`invalid talos-version: ${error.message}`)
  }
}
