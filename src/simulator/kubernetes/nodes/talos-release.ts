/** What a release of Talos brings along. */
export interface TalosRelease {
  readonly kernel: string
  readonly containerd: string
}

// By minor version, as the last patch release that was looked at has it.
const RELEASES: Readonly<Record<string, readonly [string, string]>> = {
  '1.5': ['6.1.61', '1.6.23'],
  '1.6': ['6.1.82', '1.7.13'],
  '1.7': ['6.6.43', '1.7.18'],
  '1.8': ['6.6.60', '2.0.0'],
  '1.9': ['6.12.18', '2.0.3'],
  '1.10': ['6.12.40', '2.0.5'],
  '1.11': ['6.12.62', '2.1.5'],
  '1.12': ['6.18.9', '2.1.6'],
  '1.13': ['6.18.24', '2.2.3'],
  '1.14': ['6.18.36', '2.3.2'],
}

const NEWEST = ['6.18.36', '2.3.2'] as const

/** Of `v1.13.0`. A version that is not known has what the newest has. */
export function talosRelease(version: string): TalosRelease {
  const minor = /^v(\d+\.\d+)/.exec(version)?.[1] ?? ''
  const [kernel, containerd] = RELEASES[minor] ?? NEWEST
  return { kernel: `${kernel}-talos`, containerd }
}
