/** Versions as Kubernetes ranks them: `v2`, `v1`, `v1beta2`, `v1alpha1`, then all others by name. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [rankOf(one), rankOf(other)]
  if (!a || !b) return a ? -1 : b ? 1 : compareText(one, other)
  return b.stability - a.stability || b.major - a.major || b.minor - a.minor
}

const VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/

function rankOf(version: string) {
  const match = VERSION.exec(version)
  if (!match) return undefined
  const [, major, word, minor = '0'] = match
  const stability = word === undefined ? 2 : Number(word === 'beta')
  return { stability, major: Number(major), minor: Number(minor) }
}

const compareText = (one: string, other: string): number => (one < other ? -1 : Number(one > other))
