/** What a release of Talos brings along. */
export interface TalosRelease {
  readonly kernel: string
  readonly containerd: string
  readonly flannel: string
  readonly coredns: string
}

// By minor version, as the last patch release that was looked at has it.
const RELEASES: Readonly<Record<string, readonly [string, string, string, string]>> = {
  '1.5': ['6.1.61', '1.6.23', 'v0.22.1', 'v1.10.1'],
  '1.6': ['6.1.82', '1.7.13', 'v0.23.0', 'v1.11.1'],
  '1.7': ['6.6.43', '1.7.18', 'v0.25.3', 'v1.11.1'],
  '1.8': ['6.6.60', '2.0.0', 'v0.25.7', 'v1.11.3'],
  '1.9': ['6.12.18', '2.0.3', 'v0.26.5', 'v1.12.0'],
  '1.10': ['6.12.40', '2.0.5', 'v0.26.7', 'v1.12.1'],
  '1.11': ['6.12.62', '2.1.5', 'v0.27.4', 'v1.12.4'],
  '1.12': ['6.18.9', '2.1.6', 'v0.27.4', 'v1.13.2'],
  '1.13': ['6.18.24', '2.2.3', 'v0.28.4', 'v1.14.2'],
  '1.14': ['6.18.36', '2.3.2', 'v0.28.5', 'v1.14.2'],
}

const NEWEST = ['6.18.36', '2.3.2', 'v0.28.5', 'v1.14.2'] as const

/** Of `v1.13.0`. A version that is not known has what the newest has. */
export function talosRelease(version: string): TalosRelease {
  const minor = /^v(\d+\.\d+)/.exec(version)?.[1] ?? ''
  const [kernel, containerd, flannel, coredns] = RELEASES[minor] ?? NEWEST
  return { kernel: `${kernel}-talos`, containerd, flannel, coredns }
}
