import { releaseOf } from './contract.ts'
import { compareVersions, isNewer, parseVersion, type Version, versionText } from './version.ts'

// Talos compares with x.y.99, so no patch release that exists is too new.
const ABOVE_EVERY_PATCH = 99

// How many minor versions a kubelet may be behind, and what it was before Kubernetes 1.28.
const KUBELET_SKEW = 3
const OLD_KUBELET_SKEW = 2
const WIDER_SKEW_SINCE = { major: 1, minor: 28, patch: 0 }

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

/** Why a cluster cannot go from one version of Kubernetes to another, and what to do; undefined if it can. */
export function kubernetesPathProblem(from: string, to: string): string | undefined {
  const running = parseVersion(from)
  const target = parseVersion(to)
  if (!running) return `${quoted(from)} is not a version of Kubernetes`
  if (!target) return `${quoted(to)} is not a version of Kubernetes`
  const way = `Kubernetes v${versionText(running)} cannot become v${versionText(target)}`
  if (isNewer(running, target)) {
    return `${way}: an older version may not understand what a newer one has stored; ask for v${versionText(running)} or newer`
  }
  if (target.major !== running.major) return `${way}: no way to another major version is known`
  if (target.minor > running.minor + 1) {
    return `${way}: it is upgraded by one minor version at a time; upgrade to ${nextMinor(running)} first`
  }
  return undefined
}

const nextMinor = ({ major, minor }: Version): string => `v${major}.${minor + 1}`

/**
 * Why a kubelet cannot be part of a cluster whose oldest API server is of this version, and what to do; undefined if
 * it can. Patch releases do not count.
 */
export function kubeletSkewProblem(kubelet: string, apiServer: string): string | undefined {
  const [node, server] = [parseVersion(kubelet), parseVersion(apiServer)]
  if (!node) return `${quoted(kubelet)} is not a version of Kubernetes`
  if (!server) return `${quoted(apiServer)} is not a version of Kubernetes`
  const pair = `the kubelet's v${versionText(node)} does not go with the API server's v${versionText(server)}`
  if (node.major !== server.major) return `${pair}: no way to another major version is known`
  if (node.minor > server.minor) {
    return `${pair}: a kubelet is never newer; upgrade the API server first`
  }
  const most = compareVersions(server, WIDER_SKEW_SINCE) < 0 ? OLD_KUBELET_SKEW : KUBELET_SKEW
  if (server.minor - node.minor <= most) return undefined
  return `${pair}: a kubelet is at most ${most} minor versions older; upgrade it to ${oldestFor(server, most)} or newer first`
}

const oldestFor = ({ major, minor }: Version, most: number): string => `v${major}.${minor - most}`

const quoted = (text: string): string => JSON.stringify(text.slice(0, 40))
