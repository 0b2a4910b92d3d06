/** What belongs to one minor version of Talos 1.x. */
export interface Release {
  readonly minor: number
  /** The minor versions of Kubernetes 1.x that it runs, both included. */
  readonly kubernetes: readonly [oldest: number, newest: number]
  /** Without `v`. */
  readonly defaultKubernetes: string
  /** The host must be at least 1.`upgradeFrom`.0 … */
  readonly upgradeFrom: number
  /** … and older than 1.`upgradeBelow`.0. */
  readonly upgradeBelow: number
  /** Tags of what Talos itself chooses; the images of Kubernetes have its version. */
  readonly tags: { readonly etcd: string; readonly coreDns: string; readonly flannel: string }
  /** Talos sets no pause image before v1.8. */
  readonly pause?: string
}

const release = (
  minor: number,
  upgrade: readonly [from: number, below: number],
  rest: Omit<Release, 'minor' | 'upgradeFrom' | 'upgradeBelow'>,
): Release => ({ minor, upgradeFrom: upgrade[0], upgradeBelow: upgrade[1], ...rest })

/** Every minor version that is served, oldest first, as of its last patch release that was read. */
export const releases: readonly Release[] = [
  release(5, [2, 7], {
    kubernetes: [26, 28],
    defaultKubernetes: '1.28.3',
    tags: { etcd: 'v3.5.10', coreDns: 'v1.10.1', flannel: 'v0.22.1' },
  }),
  release(6, [3, 8], {
    kubernetes: [24, 29],
    defaultKubernetes: '1.29.7',
    tags: { etcd: 'v3.5.11', coreDns: 'v1.11.1', flannel: 'v0.23.0' },
  }),
  release(7, [4, 9], {
    kubernetes: [25, 30],
    defaultKubernetes: '1.30.5',
    tags: { etcd: 'v3.5.13', coreDns: 'v1.11.1', flannel: 'v0.25.3' },
  }),
  release(8, [5, 10], {
    kubernetes: [26, 31],
    defaultKubernetes: '1.31.4',
    tags: { etcd: 'v3.5.17', coreDns: 'v1.11.3', flannel: 'v0.25.7' },
    pause: '3.10',
  }),
  release(9, [8, 11], {
    kubernetes: [27, 32],
    defaultKubernetes: '1.32.4',
    tags: { etcd: 'v3.5.21', coreDns: 'v1.12.0', flannel: 'v0.26.5' },
    pause: '3.10',
  }),
  release(10, [8, 12], {
    kubernetes: [28, 33],
    defaultKubernetes: '1.33.6',
    tags: { etcd: 'v3.5.26', coreDns: 'v1.12.1', flannel: 'v0.26.7' },
    pause: '3.10',
  }),
  release(11, [9, 13], {
    kubernetes: [29, 34],
    defaultKubernetes: '1.34.1',
    tags: { etcd: 'v3.6.5', coreDns: 'v1.12.4', flannel: 'v0.27.4' },
    pause: '3.10',
  }),
  release(12, [10, 14], {
    kubernetes: [30, 35],
    defaultKubernetes: '1.35.4',
    tags: { etcd: 'v3.6.11', coreDns: 'v1.14.2', flannel: 'v0.27.4' },
    pause: '3.10.1',
  }),
  release(13, [11, 15], {
    kubernetes: [31, 36],
    defaultKubernetes: '1.36.3',
    tags: { etcd: 'v3.6.12', coreDns: 'v1.14.6', flannel: '0.28.8' },
    pause: '3.10.1',
  }),
  release(14, [12, 16], {
    kubernetes: [32, 37],
    defaultKubernetes: '1.37.0-rc.0',
    tags: { etcd: '3.7.1', coreDns: 'v1.14.6', flannel: '0.28.9' },
    pause: '3.10.2',
  }),
]
