import { naturalOrder } from '#base/natural-order.ts'

const FORM = /^v?(\d{1,5})\.(\d{1,5})(?:\.(\d{1,5})(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)?$/

/** A version of Talos or of Kubernetes. `patch` is 0 when the text has none. */
export interface Version {
  readonly major: number
  readonly minor: number
  readonly patch: number
  /** What follows the hyphen: `alpha.2`. */
  readonly prerelease?: string
}

/** Reads `v1.13.0`, `1.13.0-alpha.2`, `v1.13`. Undefined for anything else. */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch = '0', prerelease] = FORM.exec(text) ?? []
  if (major === undefined || minor === undefined) return undefined
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    ...(prerelease && { prerelease: prerelease.slice(1) }),
  }
}

/** Below zero when `one` is older. Pre-releases do not count, as in all of Talos' own comparisons. */
export const compareVersions = (one: Version, other: Version): number =>
  one.major - other.major || one.minor - other.minor || one.patch - other.patch

/** Whether `one` is newer, pre-releases told apart: `1.37.0` is newer than `1.37.0-rc.1`, and that than `1.37.0-rc.0`. */
export function isNewer(one: Version, other: Version): boolean {
  const difference = compareVersions(one, other)
  if (difference !== 0) return difference > 0
  if (one.prerelease === undefined || other.prerelease === undefined) {
    return one.prerelease === undefined && other.prerelease !== undefined
  }
  return naturalOrder(one.prerelease, other.prerelease) > 0
}

/** `1.13.0-alpha.2`: without the `v`. */
export const versionText = ({ major, minor, patch, prerelease }: Version): string =>
  `${major}.${minor}.${patch}${prerelease ? `-${prerelease}` : ''}`

/** `v1.13` of `v1.13.2`; what is no version stays as it is. */
export function minorText(text: string): string {
  const version = parseVersion(text)
  return version ? `v${version.major}.${version.minor}` : text
}
