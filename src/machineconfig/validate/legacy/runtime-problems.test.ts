import { expect, test } from 'vitest'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { ConfigDocument, ValueMap } from '#machineconfig/document.ts'
import { documentKind } from '#machineconfig/shapes/shapes.ts'
import { runtimeProblems } from './runtime-problems.ts'

function legacy(fields: ValueMap): ConfigDocument {
  const kind = documentKind('')
  if (!kind) throw new ConfigError('there is no legacy document')
  return { kind, fields }
}

const judged = (image: string, talosVersion = 'v1.13.0'): string[] =>
  runtimeProblems(legacy({ machine: { kubelet: { image } } }), { talosVersion })

test('the kubelet is one that Talos goes with', () => {
  expect(judged('ghcr.io/siderolabs/kubelet:v1.36.0')).toEqual([])
  expect(judged('')).toEqual([])
  expect(judged('localhost:5000/kubelet:v1.36.0@sha256:abc')).toEqual([])
  expect(judged('ghcr.io/siderolabs/kubelet:v1.37.0')).toEqual([
    'kubelet image is not valid: version of Kubernetes 1.37.0 is too new to be used with Talos 1.13.0',
  ])
})

test('older versions of Talos do not look', () => {
  expect(judged('kubelet:v1.37.0', 'v1.10.6')).toEqual([])
  expect(judged('kubelet:v1.37.0', 'v1.11.0')).toHaveLength(1)
  expect(judged('kubelet:v1.37.0', 'x')).toEqual([])
  expect(runtimeProblems(legacy({}), { talosVersion: 'v1.13.0' })).toEqual([])
})

test.for([
  ['kubelet', 'invalid image reference: "kubelet"'],
  ['kubelet:vx', 'Invalid character(s) found in major number "x"'],
  ['kubelet:v1.x', 'Invalid character(s) found in minor number "x"'],
  ['kubelet:v1.36.x-y', 'Invalid character(s) found in patch number "x"'],
  ['kubelet:v1.36.0.1', 'invalid version'],
] as const)('the image %s has no version', ([image, why]) => {
  expect(judged(image)).toEqual([
    `kubelet image is not valid: failed to parse Kubernetes version from image reference "${image}": ${why}`,
  ])
})

test('the images of the control plane matter on control planes', () => {
  const image = 'x:v1.20.0'
  const cluster = { apiServer: { image }, controllerManager: { image }, scheduler: { image } }
  const problems = (type: string) =>
    runtimeProblems(legacy({ machine: { type }, cluster }), { talosVersion: 'v1.13.0' })
  const why =
    'image is not valid: version of Kubernetes 1.20.0 is too old to be used with Talos 1.13.0'
  expect(problems('worker')).toEqual([])
  expect(problems('controlplane')).toEqual([
    `kube-apiserver ${why}`,
    `kube-controller-manager ${why}`,
    `kube-scheduler ${why}`,
  ])
  expect(
    runtimeProblems(legacy({ machine: { type: 'init' } }), { talosVersion: 'v1.13.0' }),
  ).toEqual([])
})
