import { ConfigError } from '#machineconfig/config-error.ts'
import { installerImage } from '#machineconfig/versions/images.ts'
import { parseVersion, versionText } from '#machineconfig/versions/version.ts'

/**
 * The image that installs a version of Talos: the one that is named, with the version as its tag if it
 * has none, or the plain one. Empty stays empty: none is named in the configuration then. Throws if the
 * version is none.
 */
export function installImage(image: string | undefined, talosVersion: string): string {
  const version = parseVersion(talosVersion)
  if (!version) {
    throw new ConfigError(`${JSON.stringify(talosVersion.slice(0, 40))} is not a version of Talos`)
  }
  const text = versionText(version)
  if (image === undefined) return installerImage({ talosVersion: text })
  return image === '' || hasTag(image) ? image : `${image}:v${text}`
}

/** A colon before the last slash belongs to the port of a registry. */
const hasTag = (image: string): boolean => /[:@][^/]*$/.test(image)
