import { expect, test } from 'vitest'
import { defaultImages, defaultKubernetes, installerImage } from './images.ts'

const SCHEMATIC = '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba'

test('images follow both versions', () => {
  expect(defaultImages({ talosVersion: 'v1.13.0', kubernetesVersion: 'v1.36.3' })).toEqual({
    kubelet: 'ghcr.io/siderolabs/kubelet:v1.36.3',
    apiServer: 'registry.k8s.io/kube-apiserver:v1.36.3',
    controllerManager: 'registry.k8s.io/kube-controller-manager:v1.36.3',
    scheduler: 'registry.k8s.io/kube-scheduler:v1.36.3',
    proxy: 'registry.k8s.io/kube-proxy:v1.36.3',
    coreDns: 'registry.k8s.io/coredns/coredns:v1.14.6',
    etcd: 'registry.k8s.io/etcd:v3.6.12',
    flannel: 'ghcr.io/siderolabs/flannel:0.28.8',
    pause: 'registry.k8s.io/pause:3.10.1',
  })
})

test('older machines have etcd from elsewhere and no pause image', () => {
  const images = defaultImages({ talosVersion: 'v1.7', kubernetesVersion: '1.30.5' })

  expect(images.etcd).toBe('gcr.io/etcd-development/etcd:v3.5.13')
  expect(images).not.toHaveProperty('pause')
})

test('each version of Talos has its Kubernetes', () => {
  expect(defaultKubernetes('v1.9.5')).toBe('1.32.4')
  expect(() => defaultKubernetes('v1.99.0')).toThrow('Talos 1.99.0 is not served')
})

test.each([
  [{ talosVersion: 'v1.10.6' }, 'ghcr.io/siderolabs/installer:v1.10.6'],
  [
    { talosVersion: '1.13.0', schematic: SCHEMATIC },
    `factory.talos.dev/installer/${SCHEMATIC}:v1.13.0`,
  ],
  [
    { talosVersion: '1.13.0', schematic: SCHEMATIC, platform: 'metal' },
    `factory.talos.dev/metal-installer/${SCHEMATIC}:v1.13.0`,
  ],
  [
    {
      talosVersion: '1.13.0',
      schematic: SCHEMATIC,
      platform: 'metal',
      secureBoot: true,
      factory: 'images.example.com',
    },
    `images.example.com/metal-installer-secureboot/${SCHEMATIC}:v1.13.0`,
  ],
])('%j is installed by %s', (choice, image) => {
  expect(installerImage(choice)).toBe(image)
})

test('there is no plain installer for SecureBoot', () => {
  expect(() => installerImage({ talosVersion: 'v1.13.0', secureBoot: true })).toThrow(
    'needs a schematic',
  )
})
