import { describe, expect, test } from 'vitest'
import { ConfigError } from '#machineconfig/config-error.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { loadPatch } from '#machineconfig/patch/load-patch.ts'
import { toPlain } from '#machineconfig/write/plain.ts'
import { aCluster } from './a-cluster.cases.ts'
import { type MachineRequest, machineConfigFor } from './machine-config-for.ts'
import { type MachineOptions, withMachineOptions } from './machine-options.ts'
import { newLegacyDocument } from './new-document.ts'
import type { ClusterOptions } from './options.ts'

type Request = Omit<Partial<MachineRequest>, 'cluster'> & { cluster?: Partial<ClusterOptions> }

/** The documents as they are written. */
function written({ cluster, ...request }: Request) {
  const config = machineConfigFor({ role: 'worker', cluster: aCluster(cluster), ...request })
  // biome-ignore lint/suspicious/noExplicitAny: any path of the documents may be looked at
  return toPlain(config) as any[] // it is JSON
}

const legacy = (machine: MachineOptions, cluster: Partial<ClusterOptions> = {}) =>
  written({ machine, cluster, role: 'controlplane' })[0]

const install = (machine: MachineOptions, cluster: Partial<ClusterOptions> = {}) =>
  legacy(machine, cluster).machine.install

const patch = (name: string, value: unknown) => loadPatch({ name, value })

test('without options a machine is configured as its cluster says', () => {
  const plain = written({ cluster: { install: { disk: '/dev/vdb' }, discovery: false } })

  expect(plain[0].machine.install.disk).toBe('/dev/vdb')
  expect(plain[0].cluster.discovery.enabled).toBe(false)
  expect(plain.slice(1)).toEqual([
    { apiVersion: 'v1alpha1', kind: 'HostnameConfig', auto: 'stable' },
  ])
})

describe('a machine is installed', () => {
  test('as it is asked for, rather than as the cluster is', () => {
    const machine = {
      installDisk: '/dev/vda',
      wipe: true,
      bootloader: false,
      extraKernelArgs: ['quiet'],
    }
    const cluster = { install: { disk: '/dev/sdz', wipe: false } }

    expect(install(machine, cluster)).toMatchObject({
      disk: '/dev/vda',
      wipe: true,
      bootloader: false,
      extraKernelArgs: ['quiet'],
    })
  })

  test.each([
    [undefined, 'ghcr.io/siderolabs/installer:v1.13.2'],
    ['registry.example:5000/installer', 'registry.example:5000/installer:v1.13.2'],
    ['registry.example:5000/installer:v1.9.1', 'registry.example:5000/installer:v1.9.1'],
    ['installer@sha256:abc', 'installer@sha256:abc'],
  ])('by the image %s of its own version', (image, expected) => {
    const machine = { talosVersion: 'v1.13.2', ...(image && { image }) }

    expect(install(machine).image).toBe(expected)
  })

  test('by the image of the cluster when it has none of its own', () => {
    expect(install({}, { install: { image: 'theirs' } }).image).toBe('theirs:v1.13.0')
  })
})

describe('in an air gap', () => {
  test('there are no time servers and no discovery', () => {
    const { machine, cluster } = legacy({ airGap: true, discovery: true })

    expect(machine.time).toEqual({ disabled: true })
    expect(cluster.discovery.enabled).toBe(false)
  })

  test('there are the time servers that are inside', () => {
    expect(legacy({ airGap: true, timeServers: ['192.0.2.7'] }).machine.time).toEqual({
      servers: ['192.0.2.7'],
    })
  })
})

describe('an image cache', () => {
  test('is a feature and a volume', () => {
    const documents = written({ machine: { imageCache: true } })

    expect(documents[0].machine.features).toMatchObject({
      diskQuotaSupport: true,
      imageCache: { localEnabled: true },
    })
    expect(documents.at(-1)).toEqual({
      apiVersion: 'v1alpha1',
      kind: 'VolumeConfig',
      name: 'IMAGECACHE',
      provisioning: { diskSelector: { match: 'system_disk' } },
    })
  })

  test('came with v1.9', () => {
    const on = (talosVersion: string) => () =>
      written({ machine: { imageCache: true }, cluster: { talosVersion } })

    expect(on('v1.9')).not.toThrow()
    expect(on('v1.8')).toThrow(new ConfigError('image caches need Talos v1.9 or newer'))
  })
})

describe('a host name', () => {
  test('is a document of its own from v1.12 on', () => {
    const [first, second] = written({
      machine: { hostname: 'a' },
      cluster: { talosVersion: '1.12' },
    })

    expect(first.machine.network).toEqual({})
    expect(second).toEqual({
      apiVersion: 'v1alpha1',
      kind: 'HostnameConfig',
      auto: 'off',
      hostname: 'a',
    })
  })

  test('is part of the network before', () => {
    const documents = written({
      machine: { hostname: 'a.example' },
      cluster: { talosVersion: 'v1.11', kubeSpan: true },
    })

    expect(documents).toHaveLength(1)
    expect(documents[0].machine.network).toEqual({
      hostname: 'a.example',
      kubespan: { enabled: true },
    })
  })

  test.each(['', '-a', 'a-', 'a..b', 'a_b', 'a'.repeat(64), `${'a.'.repeat(126)}ab`])(
    'is refused if it is none: %j',
    (hostname) => {
      for (const talosVersion of ['v1.11', 'v1.12']) {
        expect(() => written({ machine: { hostname }, cluster: { talosVersion } })).toThrow(
          new ConfigError(`invalid hostname ${JSON.stringify(hostname.slice(0, 253))}`),
        )
      }
    },
  )
})

test('the kubelet has the image and the arguments that are asked for', () => {
  const { kubelet } = legacy({ kubelet: { image: 'mine:1', extraArgs: { v: '4' } } }).machine

  expect(kubelet).toEqual({
    image: 'mine:1',
    extraArgs: { v: '4' },
    defaultRuntimeSeccompProfileEnabled: true,
    disableManifestsDirectory: true,
  })
  expect(legacy({ kubelet: {} }).machine.kubelet.image).toMatch(/siderolabs\/kubelet/)
})

test('workloads run on control planes if either says so', () => {
  const on = (machine?: boolean, cluster?: boolean) =>
    legacy(
      { ...(machine !== undefined && { allowSchedulingOnControlPlanes: machine }) },
      { ...(cluster !== undefined && { allowSchedulingOnControlPlanes: cluster }) },
    ).cluster.allowSchedulingOnControlPlanes

  expect([on(), on(true), on(undefined, true), on(false, true)]).toEqual([
    undefined,
    true,
    true,
    undefined,
  ])
})

test('names of the machine come after those of the cluster, in its own certificate only', () => {
  const { machine, cluster } = legacy({ certSans: ['b'] }, { additionalSans: ['a'] })

  expect(machine.certSANs).toEqual(['a', 'b'])
  expect(cluster.apiServer.certSANs).toEqual(['a'])
})

test('sections that a configuration lacks are made', () => {
  const empty = new MachineConfig([newLegacyDocument({})])
  const options = { hostname: 'a', imageCache: true, kubelet: { image: 'b:1' }, certSans: ['c'] }

  expect(withMachineOptions(empty, options, 11).legacy?.fields.machine).toEqual({
    network: { hostname: 'a' },
    features: { imageCache: { localEnabled: true } },
    kubelet: { image: 'b:1' },
    certSANs: ['c'],
  })
})

test.each<[MachineOptions, string]>([
  [{ talosVersion: 'latest' }, '"latest" is not a version of Talos'],
  [{ certSans: [' '] }, 'certSans[0]: " " is no name or address'],
  [{ timeServers: ['a', ''] }, 'timeServers[1]: "" is no name or address'],
])('%j is refused', (machine, message) => {
  expect(() => legacy(machine)).toThrow(new ConfigError(message))
})

describe('registries', () => {
  test('are where they always were, whatever the version', () => {
    const registries = { mirrors: { 'docker.io': { endpoints: ['https://a.example'] } } }

    for (const talosVersion of ['v1.5', 'v1.13']) {
      const [document] = written({ registries, cluster: { talosVersion } })
      expect(document.machine.registries).toEqual(registries)
    }
  })

  test('are read strictly', () => {
    expect(() => written({ registries: { mirors: {} } })).toThrow(/^registries: .*unknown keys/)
  })
})

describe('patches', () => {
  test('come after options and registries, in their order', () => {
    const [document] = written({
      machine: { installDisk: '/dev/vda' },
      registries: { mirrors: { a: { endpoints: ['https://registries.example'] } } },
      patches: [
        patch('configPatches[0]', {
          machine: { install: { disk: '/dev/vdb' }, sysctls: { a: '1' } },
        }),
        patch('machine.configPatches[0]', { machine: { sysctls: { a: '2' } } }),
        patch('machine.configPatches[1]', {
          machine: { registries: { mirrors: { a: { endpoints: ['https://patch.example'] } } } },
        }),
      ],
    })

    expect(document.machine.install.disk).toBe('/dev/vdb')
    expect(document.machine.sysctls).toEqual({ a: '2' })
    expect(document.machine.registries.mirrors.a.endpoints.at(-1)).toBe('https://patch.example')
  })
})

describe('additional documents', () => {
  const document = (kind: string, fields: object = {}) => ({
    apiVersion: 'v1alpha1',
    kind,
    ...fields,
  })
  const added = (...values: unknown[]) => ({
    additionalDocuments: values.map((value, at) => ({ name: `additionalConfig[${at}]`, value })),
  })
  const volume = document('UserVolumeConfig', {
    name: 'data',
    provisioning: { minSize: '1GiB', diskSelector: { match: '!system_disk' } },
  })

  test('come last, in their order', () => {
    const kinds = written(added(volume, document('KubeSpanConfig', { enabled: true }))).map(
      ({ kind }) => kind,
    )

    expect(kinds).toEqual([undefined, 'HostnameConfig', 'UserVolumeConfig', 'KubeSpanConfig'])
  })

  test('take the place of generated ones', () => {
    const own = document('HostnameConfig', { auto: 'off', hostname: 'own' })

    const documents = written({
      machine: { hostname: 'other' },
      cluster: { kubeSpan: true },
      ...added(own),
    })

    expect(documents.slice(1)).toMatchObject([own, { kind: 'KubeSpanConfig' }])
  })

  test('may be several of one kind, by name', () => {
    expect(written(added(volume, { ...volume, name: 'more' }))).toHaveLength(4)
  })

  test.each<[string, unknown[], string]>([
    ['twice', [volume, volume], 'duplicate document v1alpha1/UserVolumeConfig/data is not allowed'],
    [
      'twice in place of a generated one',
      [document('HostnameConfig', { auto: 'off' }), document('HostnameConfig', { auto: 'off' })],
      'duplicate document v1alpha1/HostnameConfig/ is not allowed',
    ],
    [
      'of no kind',
      [volume, { machine: {} }],
      'missing kind: what belongs to `machine` and `cluster` is a patch',
    ],
    [
      'that is no object',
      [volume, 'text'],
      'missing kind: what belongs to `machine` and `cluster` is a patch',
    ],
    [
      'that is null',
      [volume, null],
      'missing kind: what belongs to `machine` and `cluster` is a patch',
    ],
    ['of no version', [volume, { kind: 'LinkConfig' }], 'missing apiVersion'],
    ['of an unknown kind', [volume, document('Nonsense')], '"Nonsense" "v1alpha1": not registered'],
    [
      'of a kind that is no text',
      [volume, { apiVersion: 'v1alpha1', kind: 1 }],
      '1 "v1alpha1": not registered',
    ],
    [
      'of another version',
      [volume, { apiVersion: 'v2', kind: 'LinkConfig' }],
      '"LinkConfig" "v2": not registered',
    ],
  ])('are refused %s', (_title, values, message) => {
    expect(() => written(added(...values))).toThrow(
      new ConfigError(`additionalConfig[1]: ${message}`),
    )
  })

  test('are refused if a patch brought the same', () => {
    const request = { patches: [patch('configPatches[0]', volume)], ...added(volume) }

    expect(() => written(request)).toThrow(
      new ConfigError(
        'additionalConfig[0]: duplicate document v1alpha1/UserVolumeConfig/data is not allowed',
      ),
    )
  })

  test('are read strictly', () => {
    expect(() => written(added({ ...volume, nonsense: 1 }))).toThrow(
      /^additionalConfig\[0\]: unknown keys/,
    )
  })
})
