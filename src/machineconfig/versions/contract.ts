import { ConfigError } from '#machineconfig/config-error.ts'
import { type Release, releases } from './releases.ts'
import { parseVersion, type Version, versionText } from './version.ts'

/** What belongs to this version, if it is one that is served. */
export const releaseOf = ({ major, minor }: Version): Release | undefined =>
  major === 1 ? releases.find((release) => release.minor === minor) : undefined

/** The same for a text. Throws when it is no version, or one that is not served. */
export function releaseFor(talosVersion: string): Release {
  const version = parseVersion(talosVersion)
  if (!version) {
    throw new ConfigError(
      `${JSON.stringify(talosVersion.slice(0, 40))} is not a version of Talos: write it like "v1.13.0"`,
    )
  }
  const release = releaseOf(version)
  if (release) return release
  throw new ConfigError(
    `Talos ${versionText(version)} is not served: only v1.${releases.at(0)?.minor} to v1.${releases.at(-1)?.minor} are`,
  )
}

/** The contract that a version of Talos asks for: the minor version of Talos 1.x. Throws as `releaseFor`. */
export const contractOf = (talosVersion: string): number => releaseFor(talosVersion).minor
