import { releaseOf } from './contract.ts'
import { compareVersions, parseVersion, versionText } from './version.ts'

// Talos compares with x.y.99, so no patch release that exists is too new.
const ABOVE_EVERY_PATCH = 99

/** Why Talos `talosVersion` does not run Kubernetes `kubernetesVersion`, in Talos' words; undefined if it does. */
export function kubernetesProblem(
  talosVersion: string,
  kubernetesVersion: string,
): string | undefined {
  const talos = parseVersion(talosVersion)
  const kubernetes = parseVersion(kubernetesVersion)
  if (!talos) return `${quoted(talosVersion)} is not a version of Talos`
  if (!kubernetes) return `${quoted(kubernetesVersion)} is not a version of Kubernetes`
  const release = releaseOf(talos)
  if (!release) return `compatibility with version ${versionText(talos)} is not supported`
  const [oldest, newest] = release.kubernetes
  const pair = `to be used with Talos ${versionText(talos)}`
  if (compareVersions(kubernetes, { major: 1, minor: oldest, patch: 0 }) < 0) {
    return `version of Kubernetes ${versionText(kubernetes)} is too old ${pair}`
  }
  if (compareVersions(kubernetes, { major: 1, minor: newest, patch: ABOVE_EVERY_PATCH }) >= 0) {
    return `version of Kubernetes ${versionText(kubernetes)} is too new ${pair}`
  }
  return undefined
}

/** Why a machine that runs Talos `from` cannot be upgraded to `to`, in Talos' words; undefined if it can. */
export function upgradeProblem(from: string, to: string): string | undefined {
  const host = parseVersion(from)
  const target = parseVersion(to)
  if (!host) return `${quoted(from)} is not a version of Talos`
  if (!target) return `${quoted(to)} is not a version of Talos`
  const release = releaseOf(target)
  if (!release) return `upgrades to version ${versionText(target)} are not supported`
  if (compareVersions(host, { major: 1, minor: release.upgradeFrom, patch: 0 }) < 0) {
    return `host version ${versionText(host)} is too old to upgrade to Talos ${versionText(target)}`
  }
  if (compareVersions(host, { major: 1, minor: release.upgradeBelow, patch: 0 }) >= 0) {
    return `host version ${versionText(host)} is too new to downgrade to Talos ${versionText(target)}`
  }
  return undefined
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 40))
