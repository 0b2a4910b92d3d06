import type { ClusterOptions } from '#machineconfig/generate/options.ts'

/** One way to ask for a configuration: of talosctl, and of us. */
export interface OptionSet {
  title: string
  endpoint: string
  flags: string[]
  options: Partial<ClusterOptions>
}

// Its own version, whatever `--talos-version` says.
const DEFAULTS = {
  kubernetesVersion: '1.36.0',
  install: { image: 'ghcr.io/siderolabs/installer:v1.13.0' },
}

const set = (
  title: string,
  flags: string[],
  options: Partial<ClusterOptions> & { endpoint?: string } = {},
): OptionSet => {
  const { endpoint = 'https://192.0.2.1:6443', ...rest } = options
  const install = { ...DEFAULTS.install, ...rest.install }
  return { title, endpoint, flags, options: { ...DEFAULTS, ...rest, install } }
}

const patch = (value: unknown): string[] => ['--config-patch', JSON.stringify(value)]

const network = (value: unknown): string[] => patch({ cluster: { network: value } })

/** What a patch of talosctl says, we have options for: the results must be the same. */
export const optionSets: OptionSet[] = [
  set('nothing special', []),
  set('an endpoint by name, without a port', [], { endpoint: 'https://cluster.example.org' }),
  set('an endpoint by IPv6 address', [], { endpoint: 'https://[2001:db8::1]:6443' }),
  set('an endpoint with a path and another scheme in capitals', [], {
    endpoint: 'HTTPS://Cluster.Example.org:443/api/v1',
  }),
  set('a version of Kubernetes', ['--kubernetes-version', 'v1.31.2'], {
    kubernetesVersion: 'v1.31.2',
  }),
  set(
    'components of Kubernetes at versions of their own',
    [
      ...patch({ machine: { kubelet: { image: 'ghcr.io/siderolabs/kubelet:v1.35.4' } } }),
      '--config-patch-control-plane',
      JSON.stringify({
        cluster: {
          apiServer: { image: 'registry.k8s.io/kube-apiserver:v1.36.3' },
          controllerManager: { image: 'registry.k8s.io/kube-controller-manager:v1.36.2' },
          scheduler: { image: 'registry.k8s.io/kube-scheduler:v1.36.1' },
          proxy: { image: 'registry.k8s.io/kube-proxy:v1.35.5' },
        },
      }),
    ],
    {
      componentVersions: {
        ...{ apiServer: 'v1.36.3', controllerManager: '1.36.2', scheduler: '1.36.1' },
        ...{ proxy: 'v1.35.5', kubelet: '1.35.4' },
      },
    },
  ),
  set('no version of Kubernetes', ['--kubernetes-version', ''], { kubernetesVersion: '' }),
  set('another disk', ['--install-disk', '/dev/nvme0n1'], { install: { disk: '/dev/nvme0n1' } }),
  set('neither a disk nor an image', ['--install-disk', '', '--install-image', ''], {
    install: { disk: '', image: '' },
  }),
  set('another image', ['--install-image', 'registry.example:5000/installer/abc:v1.9.1'], {
    install: { image: 'registry.example:5000/installer/abc:v1.9.1' },
  }),
  set('an image without a tag', ['--install-image', 'registry.example:5000/installer'], {
    install: { image: 'registry.example:5000/installer' },
  }),
  set('further names', ['--additional-sans', 'a.example,192.0.2.9,2001:db8::9'], {
    additionalSans: ['a.example', '192.0.2.9', '2001:db8::9'],
  }),
  set('a DNS domain', ['--dns-domain', 'cluster.example'], { dnsDomain: 'cluster.example' }),
  set(
    'mirrors of registries',
    [
      ...['--registry-mirror', 'docker.io=https://mirror.example'],
      ...['--registry-mirror', 'docker.io=http://192.0.2.3:5000/v2/proxy'],
      ...['--registry-mirror', '*=https://all.example'],
      ...['--registry-mirror', 'Ghcr.io=https://ghcr.example'],
    ],
    {
      registryMirrors: {
        'docker.io': ['https://mirror.example', 'http://192.0.2.3:5000/v2/proxy'],
        '*': ['https://all.example'],
        'Ghcr.io': ['https://ghcr.example'],
      },
    },
  ),
  set('KubeSpan', ['--with-kubespan'], { kubeSpan: true }),
  set('no discovery', ['--with-cluster-discovery=false'], { discovery: false }),
  set('not kept', patch({ persist: false, debug: true }), { persist: false, debug: true }),
  set('no network of its own', network({ cni: { name: 'none' } }), { cni: { name: 'none' } }),
  set(
    'a custom network',
    network({ cni: { name: 'custom', urls: ['https://cni.example/a.yaml'] } }),
    { cni: { name: 'custom', urls: ['https://cni.example/a.yaml'] } },
  ),
  set(
    'IPv4 and IPv6',
    network({ podSubnets: ['10.1.0.0/16', 'fd00:1::/56'], serviceSubnets: ['10.2.0.0/16'] }),
    { podSubnets: ['10.1.0.0/16', 'fd00:1::/56'], serviceSubnets: ['10.2.0.0/16'] },
  ),
  set('how to install', patch({ machine: { install: { wipe: true, bootloader: false } } }), {
    install: { wipe: true, bootloader: false },
  }),
  set(
    'settings of the kernel',
    patch({ machine: { sysctls: { 'net.core.somaxconn': '65535' } } }),
    {
      sysctls: { 'net.core.somaxconn': '65535' },
    },
  ),
  set(
    'the API server at another port, and workloads on control planes',
    [
      '--config-patch-control-plane',
      JSON.stringify({
        cluster: {
          controlPlane: { localAPIServerPort: 7443 },
          allowSchedulingOnControlPlanes: true,
        },
      }),
    ],
    { localApiServerPort: 7443, allowSchedulingOnControlPlanes: true },
  ),
]

/** Options that contracts of long ago did not have. */
export const newerOptionSets: (OptionSet & { since: number })[] = [
  {
    since: 6,
    ...set(
      'flannel with arguments',
      network({ cni: { name: 'flannel', flannel: { extraArgs: ['--iface=eth1', '--ip-masq'] } } }),
      { cni: { name: 'flannel', extraArgs: ['--iface=eth1', '--ip-masq'] } },
    ),
  },
  {
    since: 13,
    ...set(
      'flannel with network policies',
      network({ cni: { name: 'flannel', flannel: { kubeNetworkPoliciesEnabled: true } } }),
      { cni: { name: 'flannel', kubeNetworkPolicies: true } },
    ),
  },
]
