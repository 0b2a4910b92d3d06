import { describe, expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { KUBERNETES_COMPONENTS } from '#machineconfig/versions/kubernetes-components.ts'
import { toPlain } from '#machineconfig/write/plain.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { aBundle, aCluster } from './a-cluster.cases.ts'
import { generateConfig } from './generate-config.ts'
import type { ClusterOptions, Role } from './options.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The legacy document as it is written. */
function written(role: Role, options: Partial<ClusterOptions> = {}) {
  // biome-ignore lint/suspicious/noExplicitAny: any path of the document may be looked at
  const [legacy] = toPlain(generateConfig(role, aCluster(options))) as any[] // it is JSON
  return legacy
}

const kinds = (options: Partial<ClusterOptions>): string[] =>
  generateConfig('worker', aCluster(options)).documents.map(({ kind }) => kind.kind)

test('a worker of v1.13 is configured as talosctl does it', () => {
  expect(writeConfig(generateConfig('worker', aCluster()))).toBe(`version: v1alpha1
debug: false
persist: true
machine:
    type: worker
    token: trustd.token
    ca:
        crt: ${base64('talos certificate')}
        key: ""
    certSANs: []
    kubelet:
        image: ghcr.io/siderolabs/kubelet:v1.36.0
        defaultRuntimeSeccompProfileEnabled: true
        disableManifestsDirectory: true
    install:
        disk: /dev/sda
        image: ghcr.io/siderolabs/installer:v1.13.0
        wipe: false
        grubUseUKICmdline: true
    features:
        diskQuotaSupport: true
        kubePrism:
            enabled: true
            port: 7445
        hostDNS:
            enabled: true
            forwardKubeDNSToHost: true
cluster:
    id: cluster-id
    secret: cluster-secret
    controlPlane:
        endpoint: https://192.0.2.1:6443
    clusterName: one
    network:
        dnsDomain: cluster.local
        podSubnets:
            - 10.244.0.0/16
        serviceSubnets:
            - 10.96.0.0/12
    token: bootstrap.token
    ca:
        crt: ${base64('kubernetes certificate')}
        key: ""
    discovery:
        enabled: true
        registries:
            kubernetes:
                disabled: true
            service: {}
---
apiVersion: v1alpha1
kind: HostnameConfig
auto: stable
`)
})

test('a control plane has all keys of the cluster, and a worker has none', () => {
  const { machine, cluster } = written('controlplane')

  expect(machine.ca).toEqual({ crt: base64('talos certificate'), key: base64('talos key') })
  expect(cluster.ca.key).toBe(base64('kubernetes key'))
  expect(cluster.aggregatorCA.key).toBe(base64('aggregator key'))
  expect(cluster.serviceAccount.key).toBe(base64('service account key'))
  expect(cluster.etcd.ca.key).toBe(base64('etcd key'))
  expect(cluster.secretboxEncryptionSecret).toBe('encryption-secret')
  expect(writeConfig(generateConfig('worker', aCluster()))).not.toMatch(
    new RegExp(`${base64('kubernetes key')}|${base64('talos key')}|encryption-secret|etcd`),
  )
})

test('a control plane runs Kubernetes with Pod Security admission and an audit policy', () => {
  const { apiServer, controllerManager, proxy, scheduler } = written('controlplane').cluster

  expect(apiServer.image).toBe('registry.k8s.io/kube-apiserver:v1.36.0')
  expect(controllerManager).toEqual({ image: 'registry.k8s.io/kube-controller-manager:v1.36.0' })
  expect(proxy).toEqual({ image: 'registry.k8s.io/kube-proxy:v1.36.0' })
  expect(scheduler).toEqual({ image: 'registry.k8s.io/kube-scheduler:v1.36.0' })
  expect(apiServer.admissionControl).toMatchObject([{ name: 'PodSecurity' }])
  expect(apiServer.auditPolicy).toMatchObject({ kind: 'Policy', rules: [{ level: 'Metadata' }] })
})

describe('a component of Kubernetes', () => {
  const images = (options: Partial<ClusterOptions>) => {
    const { machine, cluster } = written('controlplane', options)
    const { apiServer, controllerManager, scheduler, proxy } = cluster
    return [apiServer, controllerManager, scheduler, proxy, machine.kubelet].map(
      ({ image = '' }) => image.split(':')[1],
    )
  }

  test('can be at a version of its own', () => {
    expect(images({ componentVersions: { apiServer: 'v1.36.1', scheduler: '1.36.2' } })).toEqual([
      ...['v1.36.1', 'v1.36.0', 'v1.36.2', 'v1.36.0', 'v1.36.0'],
    ])
    expect(images({ componentVersions: { kubelet: '1.35.4', proxy: '1.35.5' } })).toEqual([
      ...['v1.36.0', 'v1.36.0', 'v1.36.0', 'v1.35.5', 'v1.35.4'],
    ])
  })

  test('can be the only one that is named', () => {
    const options = { kubernetesVersion: '', componentVersions: { controllerManager: '1.36.1' } }

    expect(images(options)).toEqual([undefined, 'v1.36.1', undefined, undefined, undefined])
  })

  test('of a worker is only the kubelet', () => {
    const componentVersions = { apiServer: '1.36.1', kubelet: '1.36.2' }
    const { machine, cluster } = written('worker', { componentVersions })

    expect(machine.kubelet.image).toBe('ghcr.io/siderolabs/kubelet:v1.36.2')
    expect(cluster).not.toHaveProperty('apiServer')
  })
})

test.each([5, 11, 12, 13, 14])(
  'all components at the version of the cluster make no difference to v1.%i',
  (minor) => {
    const componentVersions = Object.fromEntries(
      KUBERNETES_COMPONENTS.map((component) => [component, '1.36.0']),
    )
    for (const role of ['controlplane', 'worker'] as const) {
      const of = (options: Partial<ClusterOptions>) =>
        writeConfig(generateConfig(role, aCluster({ talosVersion: `v1.${minor}`, ...options })))

      expect(of({ componentVersions })).toBe(of({}))
      expect(of({ componentVersions, kubernetesVersion: '1.35.0' })).toBe(of({}))
    }
  },
)

test('an old cluster keeps the key with which its secrets lie in etcd', () => {
  const secrets = { ...aBundle, encryption: { as: 'aescbc' as const, secret: new Secret('old') } }
  const { cluster } = written('controlplane', { secrets })

  expect(cluster.aescbcEncryptionSecret).toBe('old')
  expect(cluster).not.toHaveProperty('secretboxEncryptionSecret')
})

test.each([5, 6, 7, 8, 9, 10, 11, 12, 13, 14])(
  'a configuration for v1.%i can be read back',
  (minor) => {
    for (const role of ['controlplane', 'worker'] as const) {
      const config = generateConfig(
        role,
        aCluster({ talosVersion: `v1.${minor}.0`, kubeSpan: true }),
      )
      const again = readConfig(writeConfig(config))

      expect(toPlain(again)).toEqual(toPlain(config))
    }
  },
)

describe('what a version brought', () => {
  const of = (minor: number, role: Role = 'controlplane') =>
    written(role, { talosVersion: `v1.${minor}` })
  const feature = (name: string) => (minor: number) => of(minor).machine.features[name]
  const apiServer = (name: string) => (minor: number) => of(minor).cluster.apiServer[name]
  const prism = { enabled: true, port: 7445 }
  const forwarded = { enabled: true, forwardKubeDNSToHost: true }
  const label = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' }
  const ukiArguments = (minor: number) => of(minor).machine.install.grubUseUKICmdline

  test.each<{ what: string; since: number; look: (minor: number) => unknown; turns: unknown[] }>([
    { what: 'KubePrism', since: 6, look: feature('kubePrism'), turns: [undefined, prism] },
    { what: 'host DNS', since: 7, look: feature('hostDNS'), turns: [undefined, { enabled: true }] },
    {
      what: 'it for pods',
      since: 8,
      look: feature('hostDNS'),
      turns: [{ enabled: true }, forwarded],
    },
    {
      what: 'the name of the cluster for workers',
      since: 8,
      look: (minor) => of(minor, 'worker').cluster.clusterName,
      turns: [undefined, 'one'],
    },
    {
      what: 'control planes without load balancers',
      since: 8,
      look: (minor) => of(minor).machine.nodeLabels,
      turns: [undefined, label],
    },
    { what: 'kernel arguments of images', since: 12, look: ukiArguments, turns: [undefined, true] },
    { what: 'roles without asking', since: 12, look: feature('rbac'), turns: [true, undefined] },
    {
      what: 'another place for the host name',
      since: 12,
      look: feature('stableHostname'),
      turns: [true, undefined],
    },
    {
      what: 'the check of certificates without asking',
      since: 12,
      look: feature('apidCheckExtKeyUsage'),
      turns: [true, undefined],
    },
    {
      what: 'the end of pod security policies',
      since: 12,
      look: apiServer('disablePodSecurityPolicy'),
      turns: [true, undefined],
    },
    {
      what: 'the endpoint in the certificate without asking',
      since: 12,
      look: apiServer('certSANs'),
      turns: [['192.0.2.1'], undefined],
    },
    {
      what: 'no network when there is nothing in it',
      since: 13,
      look: (minor) => of(minor).machine.network,
      turns: [{}, undefined],
    },
  ])('v1.$since: $what', ({ since, look, turns }) => {
    expect([look(since - 1), look(since)]).toEqual(turns)
  })
})

test('v1.14 gets the form of v1.13', () => {
  const of = (talosVersion: string) =>
    writeConfig(
      generateConfig('controlplane', aCluster({ talosVersion, install: { image: 'x:1' } })),
    )

  expect(of('v1.14.0')).toBe(of('v1.13.0'))
})

describe('KubeSpan', () => {
  test('is a document of its own from v1.13 on', () => {
    expect(kinds({ kubeSpan: true })).toEqual(['', 'HostnameConfig', 'KubeSpanConfig'])
    expect(written('worker', { kubeSpan: true }).machine.network).toBeUndefined()
  })

  test('is part of the network before', () => {
    const options = { kubeSpan: false, talosVersion: 'v1.12' }

    expect(kinds(options)).toEqual(['', 'HostnameConfig'])
    expect(written('worker', options).machine.network).toEqual({ kubespan: { enabled: false } })
  })
})

describe('mirrors of registries', () => {
  const registryMirrors = { 'docker.io': ['https://b.example', 'https://a.example'], 'a.io': [] }

  test('are documents of their own from v1.12 on, by name', () => {
    const [, ...others] = toPlain(
      generateConfig('worker', aCluster({ registryMirrors, talosVersion: 'v1.12' })),
    )

    expect(others).toMatchObject([
      { kind: 'RegistryMirrorConfig', name: 'a.io' },
      {
        kind: 'RegistryMirrorConfig',
        name: 'docker.io',
        endpoints: [{ url: 'https://b.example' }, { url: 'https://a.example' }],
      },
      { kind: 'HostnameConfig' },
    ])
  })

  test('are part of the machine before', () => {
    const options = { registryMirrors, talosVersion: 'v1.11' }

    expect(kinds(options)).toEqual([''])
    expect(written('worker', options).machine.registries.mirrors).toEqual({
      'a.io': { endpoints: [] },
      'docker.io': { endpoints: ['https://b.example', 'https://a.example'] },
    })
  })
})

test('names go into both certificates, after the endpoint', () => {
  const of = (talosVersion: string) =>
    written('controlplane', { talosVersion, additionalSans: ['a.example'] })

  expect(of('v1.13').machine.certSANs).toEqual(['a.example'])
  expect(of('v1.13').cluster.apiServer.certSANs).toEqual(['a.example'])
  expect(of('v1.11').cluster.apiServer.certSANs).toEqual(['192.0.2.1', 'a.example'])
})

test('an IPv6 endpoint is a name without brackets', () => {
  const { cluster } = written('controlplane', {
    talosVersion: 'v1.10',
    endpoint: 'https://[2001:db8::1]:6443',
  })

  expect(cluster.controlPlane.endpoint).toBe('https://[2001:db8::1]:6443')
  expect(cluster.apiServer.certSANs).toEqual(['2001:db8::1'])
})

describe('how a machine is installed', () => {
  const install = (options: Partial<ClusterOptions>) => written('worker', options).machine.install

  test('by the installer of its version, unless told', () => {
    expect(install({ talosVersion: '1.9' }).image).toBe('ghcr.io/siderolabs/installer:v1.9.0')
    expect(install({ install: { image: 'mine' } }).image).toBe('mine')
  })

  test('without a disk and an image when both are empty', () => {
    expect(install({ install: { disk: '', image: '' } })).toEqual({
      wipe: false,
      grubUseUKICmdline: true,
    })
  })

  test('with everything that can be asked for', () => {
    const all = { disk: '/dev/vda', wipe: true, bootloader: false }

    expect(install({ install: all })).toMatchObject(all)
  })

  test('with own kernel arguments instead of those of the image, as both is refused', () => {
    const options = install({ install: { extraKernelArgs: ['console=ttyS0'] } })

    expect(options.extraKernelArgs).toEqual(['console=ttyS0'])
    expect(options).not.toHaveProperty('grubUseUKICmdline')
  })
})

describe('the network of a cluster', () => {
  const network = (options: Partial<ClusterOptions>) => written('worker', options).cluster.network

  test('has the subnets that are asked for', () => {
    const subnets = { podSubnets: ['10.1.0.0/16', 'fd00:1::/56'], serviceSubnets: ['fd00:2::/112'] }

    expect(network(subnets)).toMatchObject(subnets)
  })

  test('has a default for those subnets that are not asked for', () => {
    expect(network({ podSubnets: ['10.1.0.0/16'] })).toMatchObject({
      podSubnets: ['10.1.0.0/16'],
      serviceSubnets: ['10.96.0.0/12'],
    })
  })

  test('has the default subnets when none is asked for', () => {
    expect(network({ podSubnets: [], serviceSubnets: [] })).toEqual(network({}))
  })

  test('has the DNS domain that is asked for', () => {
    expect(network({ dnsDomain: 'a.example' }).dnsDomain).toBe('a.example')
    expect(network({ dnsDomain: '' }).dnsDomain).toBe('')
  })

  test.each<[ClusterOptions['cni'] & object, unknown]>([
    [{ name: 'none' }, { name: 'none' }],
    [
      { name: 'custom', urls: ['https://a/b'] },
      { name: 'custom', urls: ['https://a/b'] },
    ],
    [{ name: 'flannel' }, { name: 'flannel' }],
    [
      { name: 'flannel', extraArgs: ['--a'] },
      { name: 'flannel', flannel: { extraArgs: ['--a'] } },
    ],
    [
      { name: 'flannel', kubeNetworkPolicies: false },
      { name: 'flannel', flannel: { kubeNetworkPoliciesEnabled: false } },
    ],
  ])('is made by %j', (cni, expected) => {
    expect(network({ cni }).cni).toEqual(expected)
  })
})

test('other options of the cluster are where Talos looks for them', () => {
  const options = {
    localApiServerPort: 7443,
    allowSchedulingOnControlPlanes: true,
    discovery: false,
    sysctls: { a: '1' },
    persist: false,
    debug: true,
    kubernetesVersion: '',
  }
  const config = written('controlplane', options)

  expect(config).toMatchObject({ debug: true, persist: false })
  expect(config.machine.sysctls).toEqual({ a: '1' })
  expect(config.machine.kubelet).not.toHaveProperty('image')
  expect(config.cluster.controlPlane.localAPIServerPort).toBe(7443)
  expect(config.cluster.allowSchedulingOnControlPlanes).toBe(true)
  expect(config.cluster.discovery.enabled).toBe(false)
  expect(config.cluster.proxy).toEqual({})
  expect(written('worker', options).cluster).not.toHaveProperty('allowSchedulingOnControlPlanes')
  expect(written('worker', options).cluster.controlPlane).not.toHaveProperty('localAPIServerPort')
})

describe('what no cluster can be made from is refused', () => {
  test.each<[Partial<ClusterOptions>, string]>([
    [{ clusterName: '' }, 'a cluster needs a name'],
    [{ talosVersion: 'v1.4' }, 'Talos 1.4.0 is not served: only v1.5 to v1.14 are'],
    [
      { kubernetesVersion: 'latest' },
      '"latest" is not a version of Kubernetes: write it like "1.36.0"',
    ],
    [
      { kubernetesVersion: 'v1.36' },
      '"v1.36" is not a version of Kubernetes: write it like "1.36.0"',
    ],
    [
      { componentVersions: { proxy: '1.36' } },
      '"1.36" is not a version of Kubernetes: write it like "1.36.0"',
    ],
    ...['10.0.0.0', '10.0.0.0/33', '10.0.0.0/08', 'fd00::/129', 'a/8', '10.0.0/8', '/8'].map(
      (subnet): [Partial<ClusterOptions>, string] => [
        { podSubnets: ['10.0.0.0/8', subnet] },
        `podSubnets[1]: "${subnet}" is not an address range like "10.244.0.0/16"`,
      ],
    ),
    [
      { serviceSubnets: ['10.0.0.0/8', '11.0.0.0/8'] },
      'serviceSubnets: one IPv4 range, one IPv6 range, or one of each is possible',
    ],
    [{ cni: { name: 'custom', urls: [] } }, 'cni: `custom` needs the URLs of its manifests'],
    [
      { cni: { name: 'flannel', extraArgs: ['--a'] }, talosVersion: 'v1.5' },
      'arguments of flannel need Talos v1.6 or newer',
    ],
    [
      { cni: { name: 'flannel', kubeNetworkPolicies: true }, talosVersion: 'v1.12' },
      'network policies with flannel need Talos v1.13 or newer',
    ],
    [{ additionalSans: ['a', ''] }, 'additionalSans[1]: "" is no name or address'],
    [{ additionalSans: ['a b'] }, 'additionalSans[0]: "a b" is no name or address'],
    ...[0, 65_536, 1.5].map((localApiServerPort): [Partial<ClusterOptions>, string] => [
      { localApiServerPort },
      'localApiServerPort: must be between 1 and 65535',
    ]),
    [
      { registryMirrors: { 'docker.io': ['https://a.example', 'mirror:5000'] } },
      'the mirror "mirror:5000" of "docker.io" is not a URL like "https://mirror.example:5000"',
    ],
  ])('%j', (options, message) => {
    expect(() => generateConfig('worker', aCluster(options))).toThrow(new ConfigError(message))
  })
})
