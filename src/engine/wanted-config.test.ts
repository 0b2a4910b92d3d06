import { beforeAll, describe, expect, test } from 'vitest'
import { CONTRACT, KUBE_VERSION } from '#api/labels.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { toPlain } from '#machineconfig/write/plain.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { aControlPlane, aMachine, aMachineSpec, aWorker } from './pool.cases.ts'
import {
  configFingerprint,
  type MachineOrigin,
  wantedConfig,
  wantedRecord,
} from './wanted-config.ts'

const now = new Date('2026-11-16T07:00:00Z')
let bundle: SecretsBundle
let other: SecretsBundle
beforeAll(async () => {
  bundle = await generateBundle({ talosVersion: 'v1.6', now })
  other = await generateBundle({ talosVersion: 'v1.6', now })
})

const origin = (changes: Partial<MachineOrigin> = {}): MachineOrigin => ({
  controlPlane: aControlPlane(),
  machine: aMachine(),
  bundle,
  installDisk: '/dev/vda',
  ...changes,
})

/** The documents as they are written. */
function written(changes: Partial<MachineOrigin> = {}) {
  // biome-ignore lint/suspicious/noExplicitAny: any path of the documents may be looked at
  return toPlain(wantedConfig(origin(changes))) as any[] // it is JSON
}

const withSpec = (spec: Parameters<typeof aMachineSpec>[0], changes = {}) => ({
  machine: aMachine({ machineSpec: aMachineSpec(spec), ...changes }),
})

/** A cluster of which this is written down. */
const madeFor = (annotations: Record<string, string>): Partial<MachineOrigin> => {
  const { metadata, ...rest } = aControlPlane()
  return { controlPlane: { ...rest, metadata: { ...metadata, annotations } } }
}

function refusal(changes: Partial<MachineOrigin>): string {
  try {
    wantedConfig(origin(changes))
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'it is not refused'
}

describe('a control plane is configured', () => {
  test('as its cluster says', () => {
    const [{ machine, cluster }] = written({
      controlPlane: aControlPlane({
        podCIDR: ['10.1.0.0/16'],
        serviceCIDR: ['10.2.0.0/16'],
        clusterDomain: 'one.example.org',
        kubeVersion: 'v1.34.1',
        cni: { name: 'none' },
      }),
    })

    expect(machine).toMatchObject({
      type: 'controlplane',
      install: { disk: '/dev/vda', wipe: false, image: 'ghcr.io/siderolabs/installer:v1.13.0' },
      kubelet: { image: 'ghcr.io/siderolabs/kubelet:v1.34.1' },
    })
    expect(cluster).toMatchObject({
      clusterName: 'prod',
      controlPlane: { endpoint: 'https://192.0.2.10:6443' },
      network: {
        cni: { name: 'none' },
        dnsDomain: 'one.example.org',
        podSubnets: ['10.1.0.0/16'],
        serviceSubnets: ['10.2.0.0/16'],
      },
    })
  })

  test('with pod security, which nobody takes away', () => {
    const [{ cluster }] = written()

    expect(cluster.apiServer.admissionControl).toMatchObject([{ name: 'PodSecurity' }])
  })

  test('at an endpoint of its name if none is given', () => {
    const { endpoint: _, ...spec } = aControlPlane().spec ?? {}
    const controlPlane = { ...aControlPlane(), spec } as MachineOrigin['controlPlane'] // a spec without one

    expect(written({ controlPlane })[0].cluster.controlPlane.endpoint).toBe('https://prod:6443')
  })

  test('with names in its certificate that Talos cannot know', () => {
    const machine = aMachine({ endpoint: '203.0.113.7' })

    expect(written({ machine })[0].machine.certSANs).toEqual(['203.0.113.7', '192.0.2.10'])
  })

  test.each([
    [{ flannel: { extraArgs: ['--x'] } }, { name: 'flannel', flannel: { extraArgs: ['--x'] } }],
    [
      { name: 'flannel', flannel: { kubeNetworkPoliciesEnabled: true } },
      { name: 'flannel', flannel: { kubeNetworkPoliciesEnabled: true } },
    ],
    [
      { name: 'custom', urls: ['https://example.org/a.yaml'] },
      { name: 'custom', urls: ['https://example.org/a.yaml'] },
    ],
    [{}, undefined],
  ] as const)('with the network %j', (cni, expected) => {
    const controlPlane = aControlPlane({ cni: structuredClone(cni) as object }) // it is read-only

    expect(written({ controlPlane })[0].cluster.network.cni).toEqual(expected)
  })
})

describe('a worker is configured', () => {
  const worker = aWorker({ kubeVersion: 'v1.34.0' })

  test('without the keys of the cluster and with its own address alone', () => {
    const [{ machine, cluster }] = written({ worker })

    expect(machine).toMatchObject({ type: 'worker', certSANs: ['192.0.2.1'] })
    expect(machine.ca).not.toHaveProperty('key', expect.stringMatching(/./))
    expect(cluster).not.toHaveProperty('etcd')
  })

  test('with the kubelet of its pool, never ahead of the control plane', () => {
    const image = (over: Partial<MachineOrigin> = {}) =>
      written({ worker, ...over })[0].machine.kubelet.image

    expect(image()).toMatch(/:v1\.34\.0$/)
    expect(image(madeFor({ [KUBE_VERSION]: 'v1.33.2' }))).toMatch(/:v1\.33\.2$/)
  })
})

describe('one machine', () => {
  test('is installed as its spec says, with its own version', () => {
    const { machine } = withSpec(
      { installDisk: '/dev/nvme0n1', wipe: true, image: 'registry.example/installer' },
      { version: 'v1.13.2' },
    )

    expect(written({ machine })[0].machine.install).toMatchObject({
      disk: '/dev/nvme0n1',
      wipe: true,
      image: 'registry.example/installer:v1.13.2',
    })
  })

  test('may be without network, with a cache of images, and with workloads', () => {
    const documents = written(
      withSpec({ airGap: true, imageCache: true, allowSchedulingOnControlPlanes: true }),
    )

    expect(documents[0]).toMatchObject({
      machine: { time: { disabled: true }, features: { imageCache: { localEnabled: true } } },
      cluster: { discovery: { enabled: false }, allowSchedulingOnControlPlanes: true },
    })
    expect(documents).toContainEqual(
      expect.objectContaining({ kind: 'VolumeConfig', name: 'IMAGECACHE' }),
    )
  })

  test('has registries, then patches in their order, then documents', () => {
    const documents = written(
      withSpec({
        registries: { mirrors: { 'docker.io': { endpoints: ['https://mirror.example'] } } },
        configPatches: [
          { machine: { env: { A: '1', B: '1' } } },
          { machine: { env: { B: '2' }, registries: { config: {} } } },
        ],
        additionalConfig: [
          { apiVersion: 'v1alpha1', kind: 'WatchdogTimerConfig', device: '/dev/watchdog0' },
        ],
      }),
    )

    expect(documents[0].machine).toMatchObject({
      env: { A: '1', B: '2' },
      registries: { mirrors: { 'docker.io': { endpoints: ['https://mirror.example'] } } },
    })
    expect(documents.at(-1)).toMatchObject({ kind: 'WatchdogTimerConfig' })
  })

  test('that is behind its cluster is spoken to in the form of its version', () => {
    const machine = aMachine({ version: 'v1.11.2' })
    const controlPlane = aControlPlane({ kubeVersion: 'v1.33.0' })

    const documents = written({ machine, controlPlane })

    expect(documents).toHaveLength(1)
    expect(documents[0].machine.install.image).toMatch(/:v1\.11\.2$/)
  })

  test('needs a disk, which a patch may select', () => {
    const { installDisk: _, ...without } = origin()
    const selecting = withSpec({
      configPatches: [{ machine: { install: { diskSelector: { type: 'nvme' } } } }],
    })

    expect(() => wantedConfig(without)).toThrow(
      'either install disk or diskSelector should be defined',
    )
    expect(() => wantedConfig({ ...without, ...selecting })).not.toThrow()
  })
})

describe('what is wrong is named', () => {
  test.each<[string | RegExp, () => Partial<MachineOrigin>]>([
    [
      'machineSpec.configPatches[1]: ',
      () => withSpec({ configPatches: [{ machine: { env: {} } }, { machine: { nope: 1 } }] }),
    ],
    ['machineSpec.registries: ', () => withSpec({ registries: { nope: 1 } })],
    [
      'machineSpec.additionalConfig[0]: ',
      () => withSpec({ additionalConfig: [{ kind: 'Nope', apiVersion: 'v1' }] }),
    ],
    [
      'machine.type: a patch changes it',
      () => withSpec({ configPatches: [{ machine: { type: 'worker' } }] }),
    ],
    [
      'v1alpha1.Config: ',
      () => withSpec({ configPatches: [{ machine: { nodeTaints: { a: 'b:Never' } } }] }),
    ],
    [
      /^machineSpec\.additionalConfig\[0\]: .*kind UserVolumeConfig needs Talos v1\.10 or newer/,
      () => ({
        controlPlane: aControlPlane({ kubeVersion: 'v1.31.0' }),
        ...withSpec(
          {
            additionalConfig: [
              {
                apiVersion: 'v1alpha1',
                kind: 'UserVolumeConfig',
                name: 'a',
                provisioning: { diskSelector: { match: 'true' }, minSize: '1GB' },
              },
            ],
          },
          { version: 'v1.9.0' },
        ),
      }),
    ],
    [
      'Talos 1.99.0 is not served',
      () => ({
        machine: aMachine({ version: 'v1.99.0' }),
        controlPlane: aControlPlane({ version: 'v1.99.0' }),
      }),
    ],
    [
      'kubelet image is not valid',
      () => ({ controlPlane: aControlPlane({ kubeVersion: 'v1.20.0' }) }),
    ],
    [
      'image caches need Talos v1.9 or newer',
      () => ({
        controlPlane: aControlPlane({ kubeVersion: 'v1.30.0' }),
        ...withSpec({ imageCache: true }, { version: 'v1.8.0' }),
      }),
    ],
    [
      'cni.urls: only a network',
      () => ({ controlPlane: aControlPlane({ cni: { urls: ['https://a.example'] } }) }),
    ],
    [
      'cni.flannel: the network is `name: none`',
      () => ({ controlPlane: aControlPlane({ cni: { name: 'none', flannel: {} } }) }),
    ],
    [
      'cni: `custom` needs the URLs',
      () => ({ controlPlane: aControlPlane({ cni: { name: 'custom' } }) }),
    ],
    [
      'should have scheme https://',
      () => ({ controlPlane: aControlPlane({ endpoint: 'http://192.0.2.1' }) }),
    ],
    [
      'TalosMachine one has no spec',
      () => ({ machine: { apiVersion: '', kind: '', metadata: { name: 'one' } } }),
    ],
    [
      'TalosControlPlane one has no spec',
      () => ({ controlPlane: { apiVersion: '', kind: '', metadata: { name: 'one' } } }),
    ],
  ])('%s', (message, changes) => {
    expect(refusal(changes())).toMatch(message)
  })
})

describe('a configuration that is given', () => {
  const given = (changes: Partial<MachineOrigin> = {}) => writeConfig(wantedConfig(origin(changes)))

  test('is used as it is, without patches', () => {
    const configText = given(withSpec({ configPatches: [{ machine: { env: { A: '1' } } }] }))
    const patched = withSpec({ configPatches: [{ machine: { env: { B: '1' } } }] })

    const config = wantedConfig(origin({ configText: `\n\n${configText}\n`, ...patched }))

    expect(writeConfig(config)).toBe(configText)
  })

  test('is one of the right role', () => {
    expect(refusal({ configText: given({ worker: aWorker() }) })).toBe(
      'configRef: it is the configuration of a worker, and this machine is a control plane',
    )
    expect(refusal({ configText: given(), worker: aWorker() })).toMatch(
      'and this machine is a worker',
    )
    expect(refusal({ configText: given().replace('type: controlplane', 'type: init') })).toMatch(
      'of an init node',
    )
    expect(refusal({ configText: 'machine: {}' })).toMatch('without `machine.type`')
  })

  test('is one of this cluster, and no other is told by its secrets', () => {
    const message = refusal({ configText: given({ bundle: other }) })
    const workers = refusal({
      configText: given({ bundle: other, worker: aWorker() }),
      worker: aWorker(),
    })

    expect(message).toMatch(
      /^configRef: it is the configuration of another cluster: cluster\.id, cluster\.secret, cluster\.token, the encryption key of etcd, machine\.token, cluster\.etcd\.ca, cluster\.ca, cluster\.aggregatorCA, cluster\.serviceAccount\.key, machine\.ca differ/,
    )
    expect(workers).toMatch('machine.token, cluster.token, machine.ca, cluster.ca differ')
    expect(message).not.toMatch(other.cluster.id)
    expect(message).not.toMatch(other.trustdToken.open())
  })

  test('of a worker of this cluster is taken', () => {
    const worker = aWorker()

    expect(refusal({ configText: given({ worker }), worker })).toBe('it is not refused')
  })

  test.each([
    ['', 'configRef: it holds no configuration'],
    ['  \n', 'configRef: it holds no configuration'],
    ['a: [', 'configRef: '],
    ['machine:\n  nope: 1\n', 'configRef: '],
    ['x'.repeat(1024 ** 2 + 1), 'configRef: it is larger than 1 MiB'],
  ])('is refused if it is none (case %#)', (configText, message) => {
    expect(refusal({ configText })).toMatch(message)
  })

  test('without its keys is refused by name', () => {
    const configText = given().replace(/ {4}etcd:\n {8}ca:\n {12}crt: .*\n {12}key: .*\n/, '')

    expect(refusal({ configText })).toMatch(
      /^configRef: no secrets bundle can be made .*[\s\S]*cluster\.etcd\.ca/,
    )
  })

  test('is judged by the version of the machine', () => {
    const machine = aMachine({ version: 'v1.9.0' })

    expect(refusal({ configText: given(), machine })).toMatch(/^configRef: .*needs Talos v1\./)
  })
})

test('the fingerprint of a configuration changes with it, and only with it', () => {
  const one = configFingerprint(wantedConfig(origin()))
  const same = configFingerprint(wantedConfig(origin()))
  const changed = configFingerprint(wantedConfig(origin(withSpec({ wipe: true }))))

  expect(one).toBe(same)
  expect(changed).not.toBe(one)
  expect(one).toMatch(/^[\w-]{22}$/)
})

describe('a configuration that was made before', () => {
  type Change = () => Partial<MachineOrigin>
  const changes: [what: string, change: Change, plain?: Change][] = [
    ['the name of the cluster', () => ({ controlPlane: named(aControlPlane(), 'another') })],
    [
      'the spec of the cluster',
      () => ({ controlPlane: aControlPlane({ podCIDR: ['10.9.0.0/16'] }) }),
    ],
    ['the role', () => ({ worker: aWorker() })],
    [
      'the spec of the pool',
      () => ({ worker: aWorker({ kubeVersion: 'v1.34.0' }) }),
      () => ({ worker: aWorker() }),
    ],
    ['the spec of the machine', () => ({ machine: aMachine({ endpoint: '192.0.2.77' }) })],
    ['the secrets', () => ({ bundle: other })],
    ['a whole configuration', () => ({ configText: writeConfig(wantedConfig(origin(quieter))) })],
    ['the disk', () => ({ installDisk: '/dev/vdb' })],
    ['the version of Kubernetes', () => madeFor({ [KUBE_VERSION]: 'v1.34.3' })],
    ['the form', () => madeFor({ [CONTRACT]: 'v1.11' })],
  ]
  const quieter = { installDisk: '/dev/vdz' }

  test('is not made again', () => {
    expect(wantedConfig(origin())).toBe(wantedConfig(origin()))
    expect(wantedConfig(origin({ machine: named(aMachine(), 'another') }))).toBe(
      wantedConfig(origin()),
    )
  })

  test.each(changes)(
    'is not taken for one where %s differs',
    (...[, change, plain = () => ({})]) => {
      const texts = [plain(), change(), plain()].map((one) =>
        writeConfig(wantedConfig(origin(one))),
      )

      expect(texts[1]).not.toBe(texts[0])
      expect(texts[2]).toBe(texts[0])
    },
  )

  test('follows from nothing that it is not remembered by', () => {
    const read = new Set<string>()
    for (const worker of [undefined, aWorker()]) {
      const seen = {
        controlPlane: noting('controlPlane', aControlPlane(), read),
        machine: noting('machine', aMachine({ endpoint: `192.0.2.${worker ? 8 : 9}` }), read),
        ...(worker && { worker: noting('worker', worker, read) }),
      }
      wantedConfig(origin(seen))
    }
    const keyed = [
      'controlPlane.metadata.annotations',
      'controlPlane.metadata.name',
      'controlPlane.spec',
      'machine.spec',
      'worker.spec',
    ]
    expect([...read].sort()).toEqual([...keyed, 'machine.metadata.name'].sort())
  })
})

const named = <Of extends { metadata: { name: string } }>(object: Of, name: string): Of => ({
  ...object,
  metadata: { ...object.metadata, name },
})

/** The object, which notes what is read of it. */
function noting<Of extends { metadata: object }>(what: string, object: Of, read: Set<string>): Of {
  const note = <Noted extends object>(path: string): ProxyHandler<Noted> => ({
    get: (of, field) => {
      if (field !== 'metadata') read.add(`${path}.${String(field)}`)
      return Reflect.get(of, field)
    },
  })
  const metadata = new Proxy(object.metadata, note(`${what}.metadata`))
  return new Proxy({ ...object, metadata }, note(what))
}

test('what it is made from is the same if what was written down of it is lost, and not if it is edited', () => {
  const of = (annotations: Record<string, string>) => {
    const controlPlane = aControlPlane()
    const metadata = { ...controlPlane.metadata, annotations }
    return wantedRecord(origin({ controlPlane: { ...controlPlane, metadata } })).origin
  }
  const { version = '', kubeVersion = '' } = aControlPlane().spec ?? {}
  const noted = {
    [CONTRACT]: version.split('.').slice(0, 2).join('.'),
    [KUBE_VERSION]: kubeVersion,
  }

  expect(of({})).toBe(of(noted))
  expect(of({ ...noted, [KUBE_VERSION]: kubeVersion.replace(/\d+$/, '7') })).not.toBe(of(noted))
})
