import type { Machine } from '#api/machine.ts'
import { installImage } from '#machineconfig/generate/install-image.ts'
import { upgradeProblem } from '#machineconfig/versions/compatibility.ts'
import { compareVersions, parseVersion, versionText } from '#machineconfig/versions/version.ts'

/** The image that brings a machine to the version that its spec says. */
export const installerOf = ({ spec }: Pick<Machine, 'spec'>): string =>
  installImage(spec?.machineSpec?.image, spec?.version ?? '')

const BESIDE_SINCE = { major: 1, minor: 13, patch: 0 }

/** Whether a machine of this version installs another one while it runs on, and boots that when it is told to. */
export function installsBeside(runs: string): boolean {
  const version = parseVersion(runs)
  return version !== undefined && compareVersions(version, BESIDE_SINCE) >= 0
}

interface Problem {
  reason: string
  message: string
}

/** Why a machine that runs a version of Talos cannot be brought to that of its spec; undefined if it can. */
export function versionProblem(machine: Pick<Machine, 'spec'>, runs: string): Problem | undefined {
  const { spec } = machine
  const [has, wants] = [parseVersion(runs), parseVersion(spec?.version ?? '')]
  if (!has || !wants) return undefined
  const way = `Set spec.version to`
  if (compareVersions(wants, has) < 0) {
    return {
      reason: 'DowngradeRefused',
      message: `the machine runs Talos ${runs}, and versions only go up: ${spec?.version} is older. ${way} ${runs} or a later one`,
    }
  }
  if (wants.major !== has.major || wants.minor > has.minor + 1) {
    return {
      reason: 'UpgradePathUnsupported',
      message: `the machine runs Talos ${runs}, and ${spec?.version} is more than one minor version later, which Talos does not test. ${way} a release of v${has.major}.${has.minor + 1} first, the last one there is`,
    }
  }
  const path = upgradeProblem(runs, spec?.version ?? '')
  if (path) return { reason: 'UpgradePathUnsupported', message: `${path}. Correct spec.version` }
  return tagProblem(installerOf(machine), spec?.version ?? '')
}

/** The tag of an image is the version that it installs, if it is one. */
export function versionIn(image: string): string | undefined {
  const tag = parseVersion(/:(v[^:@/]+)(@|$)/.exec(image)?.[1] ?? '')
  return tag && `v${versionText(tag)}`
}

function tagProblem(image: string, version: string): Problem | undefined {
  const tag = versionIn(image)
  const wanted = parseVersion(version)
  if (!tag || !wanted || tag === `v${versionText(wanted)}`) return undefined
  return {
    reason: 'ImageOfAnotherVersion',
    message: `the image ${image} installs Talos ${tag}, and ${version} is wanted. Take the tag off the image, or make both the same`,
  }
}

// A schematic of the image factory is named by a SHA-256.
const SCHEMATIC = /(?:^|\/)([0-9a-f]{64})(?:[:@]|$)/

/** The schematic that an image is made from, as far as its name says so. */
export const schematicIn = (image: string): string | undefined => SCHEMATIC.exec(image)?.[1]

/** The schematic that a machine is to be of. Undefined: its image has none in its name, and nothing can be compared with it. */
export const wantedSchematic = ({ spec }: Pick<Machine, 'spec'>): string | undefined =>
  schematicIn(spec?.machineSpec?.image ?? '')

/** Where an image comes from, whichever version it is. */
export const repositoryOf = (image: string): string => image.replace(/[:@][^/]*$/, '')

/**
 * Whether a machine keeps its extensions with an image: it has none, or the image is made from the same schematic, or it is
 * from where the one came that it has. Of any other image nobody knows what is in it.
 */
export function keepsExtensions(
  image: string,
  has: { extensions: readonly string[]; schematic: string | undefined; image: string | undefined },
): boolean {
  if (has.extensions.length === 0) return true
  const schematic = schematicIn(image)
  if (schematic !== undefined) return schematic === has.schematic
  return has.image !== undefined && repositoryOf(image) === repositoryOf(has.image)
}
