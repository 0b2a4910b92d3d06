import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigMap, Pod, Secret } from '#api/foreign.ts'
import type { KubeClient } from '#kube/client.ts'
import { CLUSTER, type FollowedCluster, followedCluster } from '#test/followed-cluster.ts'
import type { ClusterNodes } from './cluster-nodes.ts'

// What an upgrade of Kubernetes asks of a cluster, and brings to it. Against the embedded API.

const { signal } = new AbortController()

let cluster: FollowedCluster
let client: KubeClient
let nodes: ClusterNodes

beforeAll(async () => {
  cluster = await followedCluster()
  ;({ client, nodes } = cluster)
})
afterAll(() => cluster[Symbol.asyncDispose]())

test('what Talos runs on a node is told by its pods there', async () => {
  const made = await client.create(Pod, {
    metadata: {
      ...{ namespace: 'kube-system', name: 'kube-apiserver-n1' },
      ...{ labels: { 'k8s-app': 'kube-apiserver' } },
    },
    spec: { nodeName: 'n1', containers: [{ name: 'kube-apiserver', image: 'a:v1.36.0' }] },
  })
  const told = { app: 'kube-apiserver', image: 'a:v1.36.0' }
  expect(await nodes.staticPodsOn(CLUSTER, 'n1', signal)).toEqual([
    { ...told, isReady: false, why: '' },
  ])

  const { namespace = '', name } = made.metadata
  const waiting = { reason: 'ImagePullBackOff' }
  await client.patch(
    Pod,
    { namespace, name, subresource: 'status' },
    {
      type: 'merge',
      body: { status: { containerStatuses: [{ name: 'kube-apiserver', state: { waiting } }] } },
    },
  )
  expect(await nodes.staticPodsOn(CLUSTER, 'n1', signal)).toEqual([
    { ...told, isReady: false, why: 'ImagePullBackOff' },
  ])
  expect(await nodes.staticPodsOn(CLUSTER, 'n2', signal)).toEqual([])
})

test('objects of an API that goes are found, and of one that was never there are none', async () => {
  const maps = { resource: 'configmaps', version: 'v1', group: '' }
  const gone = { resource: 'workloads', version: 'v1alpha2', group: 'scheduling.k8s.io' }
  await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'any' } })

  expect(await nodes.hasObjectsOf(CLUSTER, maps, signal)).toBe(true)
  expect(await nodes.hasObjectsOf(CLUSTER, gone, signal)).toBe(false)
})

const manifest = (kind: string, name: string, more: object = {}) => ({
  ...{ apiVersion: 'v1', kind, metadata: { name, namespace: 'kube-system' } },
  ...more,
})

test('manifests are written as often as one likes, whatever others wrote in them', async () => {
  const config = manifest('ConfigMap', 'kube-proxy', { data: { a: '1' } })
  expect(await nodes.applyManifests(CLUSTER, [config], signal)).toEqual([])
  await client.patch(
    ConfigMap,
    { namespace: 'kube-system', name: 'kube-proxy' },
    {
      type: 'merge',
      body: { data: { a: '2', b: '2' } },
    },
  )
  expect(await nodes.applyManifests(CLUSTER, [config], signal)).toEqual([])

  const found = await client.get(ConfigMap, { namespace: 'kube-system', name: 'kube-proxy' })
  expect(Object(found).data).toEqual({ a: '1', b: '2' })
})

test('what the cluster does not take is told, without what is secret, and keeps no other back', async () => {
  const failed = await nodes.applyManifests(
    CLUSTER,
    [
      manifest('Nothing', 'unknown'),
      manifest('Secret', 'token', { data: { token: 'not base64, and secret' } }),
      manifest('ConfigMap', 'good'),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'mine' } },
    ],
    signal,
  )

  expect(failed).toEqual([
    { what: 'Secret kube-system/token', why: 'the cluster refuses it' },
    { what: 'Nothing kube-system/unknown', why: 'the cluster does not know v1 Nothing' },
  ])
  expect(await client.find(ConfigMap, { namespace: 'kube-system', name: 'good' })).toBeDefined()
  expect(await client.find(Secret, { namespace: 'kube-system', name: 'token' })).toBeUndefined()
})
