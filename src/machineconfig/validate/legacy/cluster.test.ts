import { expect, test } from 'vitest'
import type { ValueMap } from '#machineconfig/document.ts'
import { clusterProblems } from './cluster.ts'

const V13 = { onControlPlane: true, mayLackControlPlane: false }
const V14 = { ...V13, mayLackControlPlane: true }

const judged = (fields: ValueMap, onControlPlane = true): string[] => [
  ...clusterProblems(
    { controlPlane: { endpoint: 'https://a.example:6443' }, ...fields },
    { ...V13, onControlPlane },
  ),
]

test('a cluster has an endpoint', () => {
  expect([...clusterProblems(undefined, V13)]).toEqual(['cluster instructions are required'])
  expect([...clusterProblems({}, V13)]).toEqual(['cluster controlplane endpoint is required'])
  expect(judged({})).toEqual([])
  expect(judged({ controlPlane: { endpoint: '' } })).toEqual([
    'invalid controlplane endpoint: hostname must not be blank',
  ])
})

test('from v1.14 on its endpoint may be elsewhere, and what needs it goes along', () => {
  expect([...clusterProblems({}, V14)]).toEqual([])
  expect([...clusterProblems({ controlPlane: {} }, V14)]).toEqual([
    expect.stringMatching(/^cluster controlplane endpoint is required \(.*removed/),
  ])
  expect([...clusterProblems({ serviceAccount: { key: 'QQ==' } }, V14)]).toEqual([
    expect.stringMatching(/^\.cluster\.serviceAccount requires the cluster endpoint/),
  ])
})

test('a cluster has a DNS name', () => {
  expect(judged({ network: { dnsDomain: 'cluster.local' } })).toEqual([])
  expect(judged({ network: { dnsDomain: 'a b' } })).toEqual(['"a b" is not a valid DNS name'])
})

test('a cloud that is off has no manifests', () => {
  expect(judged({ externalCloudProvider: { manifests: [] } })).toEqual([])
  expect(judged({ externalCloudProvider: { manifests: ['https://a.example'] } })).toEqual([
    'external cloud provider is disabled, but manifests are provided',
  ])
  const manifests = ['https://a.example', 'x']
  expect(judged({ externalCloudProvider: { enabled: true, manifests } })).toEqual([
    'invalid external cloud provider manifest url "x": hostname must not be blank',
  ])
})

test('etcd and keys are for control planes', () => {
  const fields = { etcd: { ca: { crt: 'QQ==' } }, ca: { key: 'QQ==' } }
  expect(judged(fields)).toEqual([])
  expect(judged(fields, false)).toEqual([
    'etcd config is only allowed on control plane machines',
    'cluster CA key is not allowed on non-controlplane nodes (.cluster.ca)',
  ])
  expect(judged({ ca: { crt: 'QQ==' } }, false)).toEqual([])
  expect(judged({ etcd: {} })).toEqual(['key/cert combination should not be empty'])
})

test('inline manifests have names of their own', () => {
  const inlineManifests = [{ name: 'a' }, { name: 'b' }, { name: 'a' }, { name: ' ' }, {}]
  expect(judged({ inlineManifests })).toEqual([
    'inline manifest name "a" is duplicate',
    "inline manifest name can't be empty",
    "inline manifest name can't be empty",
  ])
})

test('discovery and the components come last', () => {
  const resources = { limits: { gpu: 1 } }
  expect(judged({ discovery: { enabled: true }, scheduler: { resources } })).toEqual([
    'cluster discovery service requires .cluster.id',
    'cluster discovery service requires .cluster.secret',
    'scheduler resource validation failed: unsupported pod resource "gpu"',
  ])
})
