import { describe, expect, test } from 'vitest'
import { ConfigError } from '#machineconfig/config-error.ts'
import { aCluster } from '#machineconfig/generate/a-cluster.cases.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import type { ComponentVersions } from './kubernetes-components.ts'
import { kubernetesImages, versionOfImage, withKubernetesVersions } from './kubernetes-images.ts'

const read = (text: string): MachineConfig => readConfig(text, { talosVersion: 'v1.14.0' })

const everything = (version: string): ComponentVersions => ({
  ...{ apiServer: version, controllerManager: version, scheduler: version },
  ...{ proxy: version, kubelet: version },
})

const legacy = (cluster: string, machine = 'kubelet: {}'): MachineConfig =>
  read(`version: v1alpha1
machine:
  type: controlplane
  ${machine}
cluster:
  ${cluster}
`)

const DOCUMENTS = `version: v1alpha1
machine:
  type: controlplane
---
apiVersion: v1alpha1
kind: KubeletConfig
image: example.test:5000/kubelet:v1.36.0-slim
---
apiVersion: v1alpha1
kind: KubeAPIServerConfig
image: example.test/api:v1.36.0
extraArgs:
  v: "4"
---
apiVersion: v1alpha1
kind: KubeControllerManagerConfig
image: example.test/manager:v1.36.0
---
apiVersion: v1alpha1
kind: KubeSchedulerConfig
image: example.test/scheduler:v1.36.0
---
apiVersion: v1alpha1
kind: KubeProxyConfig
image: example.test/proxy:v1.36.0
`

describe('the images of a configuration', () => {
  test('are those of all components on a control plane', () => {
    expect(kubernetesImages(generateConfig('controlplane', aCluster()))).toEqual({
      apiServer: 'registry.k8s.io/kube-apiserver:v1.36.0',
      controllerManager: 'registry.k8s.io/kube-controller-manager:v1.36.0',
      scheduler: 'registry.k8s.io/kube-scheduler:v1.36.0',
      proxy: 'registry.k8s.io/kube-proxy:v1.36.0',
      kubelet: 'ghcr.io/siderolabs/kubelet:v1.36.0',
    })
  })

  test('are the kubelet alone on a worker, whatever else it speaks of', () => {
    const kubelet = { kubelet: 'ghcr.io/siderolabs/kubelet:v1.36.0' }
    const worker = read('machine:\n  type: worker\ncluster:\n  apiServer:\n    image: a:v1.36.0\n')

    expect(kubernetesImages(generateConfig('worker', aCluster()))).toEqual(kubelet)
    expect(kubernetesImages(worker)).toEqual({})
  })

  test('are in documents of their own from v1.14 on', () => {
    expect(kubernetesImages(read(DOCUMENTS))).toEqual({
      apiServer: 'example.test/api:v1.36.0',
      controllerManager: 'example.test/manager:v1.36.0',
      scheduler: 'example.test/scheduler:v1.36.0',
      proxy: 'example.test/proxy:v1.36.0',
      kubelet: 'example.test:5000/kubelet:v1.36.0-slim',
    })
  })

  test('are absent where none is named', () => {
    const unnamed = generateConfig('controlplane', aCluster({ kubernetesVersion: '' }))

    expect(kubernetesImages(unnamed)).toEqual({})
    expect(kubernetesImages(legacy('proxy: {mode: ipvs}'))).toEqual({})
  })

  test.each([
    ['kube-proxy', legacy('proxy: {disabled: true, image: "a:v1.36.0"}')],
    [
      'the controller manager',
      legacy(
        'controllerManager: {image: "a:v1.36.0"}',
        'controlPlane: {controllerManager: {disabled: true}}',
      ),
    ],
    [
      'the scheduler',
      legacy('scheduler: {image: "a:v1.36.0"}', 'controlPlane: {scheduler: {disabled: true}}'),
    ],
    [
      'kube-proxy, in a document of its own,',
      read(
        'machine: {type: controlplane}\n---\napiVersion: v1alpha1\nkind: KubeProxyConfig\nenabled: false\nimage: a:v1.36.0\n',
      ),
    ],
  ])('are absent where %s is switched off', (_what, config) => {
    expect(kubernetesImages(config)).toEqual({})
    expect(writeConfig(withKubernetesVersions(config, everything('1.37.0')))).toBe(
      writeConfig(config),
    )
  })

  test('are there where something is said to be switched on', () => {
    const config = legacy('proxy: {disabled: false, image: "a:v1.36.0"}')

    expect(kubernetesImages(config)).toEqual({ proxy: 'a:v1.36.0' })
  })
})

const DIGEST = `@sha256:${'a'.repeat(64)}`

test.each([
  ['registry.k8s.io/kube-apiserver:v1.36.0', 'v1.36.0'],
  ['example.test:5000/mirror/kubelet:v1.36.10', 'v1.36.10'],
  ['ghcr.io/siderolabs/kubelet:v1.36.0-fat', 'v1.36.0'],
  ['ghcr.io/siderolabs/kubelet:v1.36.0-slim', 'v1.36.0'],
  ['ghcr.io/siderolabs/kubelet:v1.37.0-rc.0', 'v1.37.0-rc.0'],
  ['ghcr.io/siderolabs/kubelet:v1.37.0-rc.0-slim', 'v1.37.0-rc.0'],
  [`registry.k8s.io/kube-proxy:v1.36.0${DIGEST}`, 'v1.36.0'],
  [`ghcr.io/siderolabs/kubelet:v1.36.0-fat${DIGEST}`, 'v1.36.0'],
  [`registry.k8s.io/kube-proxy${DIGEST}`, undefined],
  ['registry.k8s.io/kube-proxy:latest', undefined],
  ['registry.k8s.io/kube-proxy:v1.36', undefined],
  ['registry.k8s.io/kube-proxy:1.36.0', undefined],
  ['registry.k8s.io/kube-proxy:v1.36.0-mine', undefined],
  ['v1.36.0:5000/kube-proxy', undefined],
  ['registry.k8s.io/kube-proxy', undefined],
  ['', undefined],
])('the version of the image %s is %s', (image, version) => {
  expect(versionOfImage(image)).toBe(version)
})

describe('a configuration for other versions', () => {
  const kubelet = (image: string): MachineConfig =>
    legacy('{}', `kubelet: {extraArgs: {v: "4"}, image: "${image}", clusterDNS: [10.0.0.1]}`)
  const moved = (image: string, version: string): string | undefined =>
    kubernetesImages(withKubernetesVersions(kubelet(image), { kubelet: version })).kubelet

  test.each([
    ['a:v1.36.0', 'v1.36.1', 'a:v1.36.1'],
    ['a:v1.36.9', '1.36.10', 'a:v1.36.10'],
    ['example.test:5000/b/c:v1.36.0', 'v1.37.0', 'example.test:5000/b/c:v1.37.0'],
    ['a:v1.36.0-slim', 'v1.36.1', 'a:v1.36.1-slim'],
    ['a:v1.36.0-fat', 'v1.36.1', 'a:v1.36.1-fat'],
    [`a:v1.36.0${DIGEST}`, 'v1.36.1', 'a:v1.36.1'],
    [`a:v1.36.0-slim${DIGEST}`, 'v1.36.1', 'a:v1.36.1-slim'],
    ['a:v1.37.0-rc.0', 'v1.37.0', 'a:v1.37.0'],
    ['a:v1.37.0-rc.9', 'v1.37.0-rc.10', 'a:v1.37.0-rc.10'],
  ])('has %s at %s as %s', (image, version, expected) => {
    expect(moved(image, version)).toBe(expected)
  })

  test.each([
    ['a:v1.36.1', 'v1.36.1'],
    [`a:v1.36.1${DIGEST}`, 'v1.36.1'],
    ['a:v1.36.1', 'v1.36.0'],
    ['a:v1.36.1', 'v1.35.9'],
    ['a:v1.37.0', 'v1.37.0-rc.1'],
    ['a:latest', 'v1.36.1'],
    ['a', 'v1.36.1'],
    [`a${DIGEST}`, 'v1.36.1'],
    ['a:v1.36.0-mine', 'v1.36.1'],
  ])('leaves %s as it is when %s is asked for', (image, version) => {
    expect(moved(image, version)).toBe(image)
  })

  test('is what would be generated for them', () => {
    for (const role of ['controlplane', 'worker'] as const) {
      const of = (kubernetesVersion: string) =>
        generateConfig(role, aCluster({ kubernetesVersion }))

      expect(writeConfig(withKubernetesVersions(of('1.35.0'), everything('1.36.0')))).toBe(
        writeConfig(of('1.36.0')),
      )
    }
  })

  test('differs in those that are asked for alone, and nothing is changed in place', () => {
    const before = generateConfig('controlplane', aCluster())
    const text = writeConfig(before)

    const after = withKubernetesVersions(before, { scheduler: '1.36.1' })

    expect(writeConfig(before)).toBe(text)
    expect(writeConfig(after)).toBe(
      text.replace('kube-scheduler:v1.36.0', 'kube-scheduler:v1.36.1'),
    )
    expect(withKubernetesVersions(before, {})).toBe(before)
  })

  test('keeps documents and fields in their order', () => {
    const config = read(DOCUMENTS)
    const after = withKubernetesVersions(config, everything('1.37.0'))

    expect(writeConfig(after)).toBe(writeConfig(config).replaceAll('v1.36.0', 'v1.37.0'))
    expect(after.documents.map(({ kind, fields }) => [kind.kind, Object.keys(fields)])).toEqual(
      config.documents.map(({ kind, fields }) => [kind.kind, Object.keys(fields)]),
    )
  })

  test('names no image that was not named', () => {
    const config = legacy('apiServer: {certSANs: [a]}')

    expect(withKubernetesVersions(config, everything('1.37.0'))).toBe(config)
  })

  test('is refused for what is no version', () => {
    const config = generateConfig('worker', aCluster())

    expect(() => withKubernetesVersions(config, { kubelet: 'latest' })).toThrow(
      new ConfigError('"latest" is not a version of Kubernetes'),
    )
  })
})
