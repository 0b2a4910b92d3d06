import { expect, test } from 'vitest'
import { fieldsAt } from '#apiserver/objects.ts'
import {
  aControlPlane,
  aControlPlaneNode,
  aKubernetes,
  aNode,
  factsOf,
  settled,
  someSecrets,
} from '#simulator/kubernetes/a-cluster.cases.ts'
import type { ClusterFacts } from '#simulator/kubernetes/cluster-kubernetes.ts'
import { anAdmin } from '#test/an-admin.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import { manifestNames, manifestsOf } from './manifests.ts'

const { addOnImages } = aControlPlane('cp-1')

async function manifests(more: Partial<ClusterFacts> = {}, proxy = addOnImages.proxy) {
  const facts = factsOf(await someSecrets(), more)
  return manifestsOf({ facts, images: { ...addOnImages, proxy } })
}

test('what a cluster does without has no manifest', async () => {
  const without = { hasKubeProxy: false, hasCoreDns: false, cni: 'none' } as const
  const bare = (await manifests(without)).map(([name]) => name)

  expect(bare).toEqual([
    ...['01-csr-node-bootstrap', '01-csr-approver-role-binding', '01-csr-renewal-role-binding'],
    ...['11-kube-config-in-cluster', '11-talos-node-rbac-template'],
  ])
  expect(manifestNames(factsOf(await someSecrets(), without))).toEqual(bare)
  expect((await manifests()).map(([name]) => name)).toEqual(
    expect.arrayContaining(['05-flannel', '10-kube-proxy', '11-core-dns', '11-core-dns-svc']),
  )
})

test('manifests hold whole objects, with the images of the configuration', async () => {
  const all = new Map(await manifests({}, 'example.test/kube-proxy:v9'))

  expect(all.get('10-kube-proxy')).toEqual([
    {
      ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
      metadata: { name: 'kube-proxy', namespace: 'kube-system' },
    },
    expect.objectContaining({
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' },
      metadata: { name: 'kube-proxy' },
    }),
    expect.objectContaining({ apiVersion: 'apps/v1', kind: 'DaemonSet' }),
  ])
  expect(JSON.stringify(all.get('10-kube-proxy'))).toContain('"example.test/kube-proxy:v9"')
})

const PLURALS: Readonly<Record<string, string>> = {
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  ConfigMap: 'configmaps',
  DaemonSet: 'daemonsets',
  Deployment: 'deployments',
  Service: 'services',
  ServiceAccount: 'serviceaccounts',
}

test('a cluster keeps what it has until somebody applies other manifests, and takes them', async () => {
  const clock = new FakeClock()
  await using cluster = await aKubernetes({ clock })
  const { kubernetes } = cluster
  const next = 'registry.k8s.io/kube-proxy:v1.35.1'
  kubernetes.kubeletUp(aControlPlaneNode('cp-1'))
  kubernetes.kubeletUp(aNode('worker-1'))
  kubernetes.controlPlaneUp(aControlPlane('cp-1'))
  await until('an API', async () => kubernetes.isUp, Boolean)
  const pass = async () => {
    await settled(kubernetes)
    await clock.advance(2_000)
  }
  for (let times = 0; times < 3; times++) await pass()
  const send = await anAdmin(await someSecrets(), Number(kubernetes.portAt('127.0.0.1')))
  const proxies = async () => {
    const path = '/api/v1/namespaces/kube-system/pods?labelSelector=k8s-app%3Dkube-proxy'
    const { body } = await send({ method: 'GET', path })
    return JSON.stringify(body).match(/"image":"[^"]+","imageID/g)
  }

  kubernetes.controlPlaneUp(aControlPlane('cp-1', { addOnImages: { ...addOnImages, proxy: next } }))
  for (let times = 0; times < 3; times++) await pass()
  const before = await proxies()
  const statuses: number[] = []
  for (const object of (await manifests({}, next)).flatMap(([, objects]) => objects)) {
    const { apiVersion, kind } = object
    const { name, namespace } = fieldsAt(object, 'metadata')
    const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`
    const place = namespace ? `/namespaces/${namespace}` : ''
    const { status } = await send({
      method: 'PATCH',
      path: `${root}${place}/${PLURALS[String(kind)]}/${name}?fieldManager=talos&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: object,
    })
    statuses.push(status)
  }
  for (let times = 0; times < 8; times++) await pass()

  expect(before).toEqual(Array(2).fill(`"image":"${addOnImages.proxy}","imageID`))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(await proxies()).toEqual(Array(2).fill(`"image":"${next}","imageID`))
})
