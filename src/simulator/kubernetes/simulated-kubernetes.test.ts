import { expect, test } from 'vitest'
import { type Fields, fieldsAt, isFields, listAt } from '#apiserver/objects.ts'
import { anAdmin } from '#test/an-admin.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import {
  aComponent,
  aControlPlane,
  aControlPlaneNode,
  aKubernetes,
  aNode,
  settled,
  someSecrets,
} from './a-cluster.cases.ts'
import type { ClusterFacts } from './cluster-kubernetes.ts'
import type { SimulatedKubernetes } from './simulated-kubernetes.ts'

async function aCluster(facts: Partial<ClusterFacts> = {}) {
  const clock = new FakeClock()
  const { kubernetes, ...rest } = await aKubernetes({ clock, facts })
  kubernetes.kubeletUp(aControlPlaneNode('cp-1'))
  kubernetes.kubeletUp(aNode('worker-1'))
  kubernetes.kubeletUp(aNode('worker-2'))
  kubernetes.controlPlaneUp(aControlPlane('cp-1'))
  await until('an API', async () => kubernetes.isUp, Boolean)
  const pass = async (ms: number) => {
    await settled(kubernetes)
    await clock.advance(ms)
    await settled(kubernetes)
  }
  // The network starts, then what waits for ready nodes does.
  await pass(1_500)
  await pass(1_500)
  return { kubernetes, clock, pass, ...rest }
}

const objectsIn = async (kubernetes: SimulatedKubernetes, prefix: string): Promise<Fields[]> => {
  const { entries } = await kubernetes.snapshot()
  return entries
    .filter(({ key }) => key.startsWith(`/registry/${prefix}`))
    .map(({ value }): Fields => JSON.parse(Buffer.from(value).toString()))
}

const nodeNamed = async (kubernetes: SimulatedKubernetes, name: string): Promise<Fields> =>
  (await objectsIn(kubernetes, `nodes/${name}`))[0] ?? {}

const taintsOf = (node: Fields): string[] =>
  listAt(fieldsAt(node, 'spec'), 'taints')
    .filter(isFields)
    .map(({ key, effect }) => `${key}:${effect}`)

test('nodes become ready when the network of the cluster runs on them', async () => {
  await using cluster = await aCluster()
  const { kubernetes } = cluster

  expect(kubernetes.node('cp-1')).toMatchObject({ isReady: true, isUnschedulable: false })
  expect(kubernetes.node('worker-1')?.podCidrs).toHaveLength(1)
  const node = await nodeNamed(kubernetes, 'cp-1')
  expect(fieldsAt(fieldsAt(node, 'status'), 'nodeInfo')).toMatchObject({
    osImage: 'Talos (v1.13.0)',
    systemUUID: '11111111-2222-3333-4444-555555555555',
    bootID: 'boot-of-cp-1',
  })
  expect(taintsOf(node)).toEqual(['node-role.kubernetes.io/control-plane:NoSchedule'])
})

test('without a network of its own a cluster waits for somebody to install one', async () => {
  await using cluster = await aCluster({ cni: 'none' })

  expect(cluster.kubernetes.node('worker-1')?.isReady).toBe(false)
  expect(taintsOf(await nodeNamed(cluster.kubernetes, 'worker-1'))).toContain(
    'node.kubernetes.io/not-ready:NoSchedule',
  )
})

test('nothing waits and nothing is written while nothing happens', async () => {
  await using cluster = await aCluster()
  const { kubernetes, clock, pass } = cluster
  await pass(200_000)
  const { revision } = await kubernetes.snapshot()

  await pass(3_600_000)

  expect((await kubernetes.snapshot()).revision).toBe(revision)
  expect(clock.waiting).toBe(0)
})

test('how long a cluster remembers what changed goes by the time of its clients', async () => {
  const [clock, wallClock] = [new FakeClock(), new FakeClock()]
  await using cluster = await aKubernetes({ clock, wallClock })
  const { kubernetes } = cluster
  kubernetes.controlPlaneUp(aControlPlane('cp-1'))
  await until('an API', async () => kubernetes.isUp, Boolean)
  await settled(kubernetes)

  await clock.advance(200_000)
  await settled(kubernetes)
  expect(wallClock.waiting).toBe(1)
  await wallClock.advance(90_000)
  expect(wallClock.waiting).toBe(0)
})

test('a watch lasts as long as its client asked, whatever haste the fleet is in', async () => {
  const [clock, wallClock] = [new FakeClock(), new FakeClock()]
  await using cluster = await aKubernetes({ clock, wallClock })
  const { kubernetes } = cluster
  kubernetes.controlPlaneUp(aControlPlane('cp-1'))
  await until('an API', async () => kubernetes.isUp, Boolean)
  const send = await anAdmin(await someSecrets(), Number(kubernetes.portAt('127.0.0.1')))
  let isOver = false

  const watching = send({ method: 'GET', path: '/api/v1/nodes?watch=true&timeoutSeconds=60' })
  void watching.then(() => {
    isOver = true
  })
  await until('the watch to be open', async () => wallClock.waiting, Boolean)
  await clock.advance(3_600_000)
  await settled(kubernetes)
  expect(isOver).toBe(false)
  await wallClock.advance(61_000)

  expect(await watching).toMatchObject({ status: 200 })
})

test('a node whose kubelet is silent is lost after its grace, its pods later, and both come back', async () => {
  await using cluster = await aCluster()
  const { kubernetes, pass } = cluster
  kubernetes.kubeletDown('worker-1')

  await pass(39_000)
  expect(kubernetes.node('worker-1')?.isReady).toBe(true)
  await pass(2_000)
  expect(kubernetes.node('worker-1')?.isReady).toBe(false)
  expect(taintsOf(await nodeNamed(kubernetes, 'worker-1'))).toEqual([
    'node.kubernetes.io/unreachable:NoSchedule',
    'node.kubernetes.io/unreachable:NoExecute',
  ])

  kubernetes.kubeletUp(aNode('worker-1', { bootId: 'next' }))
  await pass(0)
  expect(kubernetes.node('worker-1')?.isReady).toBe(true)
  expect(taintsOf(await nodeNamed(kubernetes, 'worker-1'))).toEqual([])
})

test('a node that somebody deletes is registered again only when its kubelet starts', async () => {
  await using cluster = await aCluster()
  const { kubernetes, pass } = cluster
  const content = await kubernetes.snapshot()
  const others = content.entries.filter(({ key }) => key !== '/registry/nodes/worker-1')
  await kubernetes.restore({ ...content, entries: others })
  await until('an API', async () => kubernetes.isUp, Boolean)
  await pass(2_000)
  expect(kubernetes.node('worker-1')).toBeUndefined()

  kubernetes.kubeletUp(aNode('worker-1', { labels: { zone: 'a' } }))
  await pass(2_000)
  expect(kubernetes.node('worker-1')).toBeUndefined()

  kubernetes.kubeletDown('worker-1')
  kubernetes.kubeletUp(aNode('worker-1', { labels: { zone: 'a' } }))
  await pass(2_000)
  expect(kubernetes.node('worker-1')?.labels.zone).toBe('a')
})

test('labels that a machine names no more go, and those of others stay', async () => {
  await using cluster = await aCluster()
  const { kubernetes, pass } = cluster
  kubernetes.kubeletUp(aNode('worker-1', { labels: { zone: 'a', disk: 'fast' } }))
  await pass(0)
  kubernetes.kubeletUp(aNode('worker-1', { labels: { zone: 'b' } }))
  await pass(0)

  const labels = kubernetes.node('worker-1')?.labels
  expect(labels).toMatchObject({ zone: 'b', 'kubernetes.io/hostname': 'worker-1' })
  expect(labels).not.toHaveProperty('disk')
})

test('static pods are shown to the API, and again when their configuration is another', async () => {
  await using cluster = await aCluster()
  const { kubernetes, pass } = cluster
  const facts = aControlPlane('cp-1')
  const image = 'registry.k8s.io/kube-apiserver:v1.35.1'
  const apiServer = aComponent('kube-apiserver', { image, configVersion: '7' })
  const components = { ...facts.components, 'kube-apiserver': apiServer }

  kubernetes.controlPlaneUp({ ...facts, components })
  await pass(0)

  const [pod = {}] = await objectsIn(kubernetes, 'pods/kube-system/kube-apiserver-cp-1')
  expect(fieldsAt(pod, 'metadata')).toMatchObject({
    annotations: { 'talos.dev/config-version': '7' },
    labels: { 'k8s-app': 'kube-apiserver', component: 'kube-apiserver', tier: 'control-plane' },
  })
  expect(fieldsAt(pod, 'spec').containers).toMatchObject([{ image }])
  expect(kubernetes.staticPods('cp-1').map(({ id, isReady }) => [id, isReady])).toEqual([
    ['kube-system/kube-apiserver-cp-1', true],
    ['kube-system/kube-controller-manager-cp-1', true],
    ['kube-system/kube-scheduler-cp-1', true],
  ])
})

test('without quorum nobody answers and nothing happens, and what was there is there afterwards', async () => {
  await using cluster = await aCluster()
  const { kubernetes, pass } = cluster
  const told: boolean[] = []
  kubernetes.onChange(() => told.push(kubernetes.isUp))
  const ready = kubernetes.node('worker-2')

  kubernetes.setQuorum(false)
  await until(
    'an end',
    async () => kubernetes.isUp,
    (isUp) => !isUp,
  )
  expect(kubernetes.staticPods('cp-1')[0]?.isReady).toBe(false)
  expect(kubernetes.node('worker-2')).toEqual(ready)
  const { revision } = await kubernetes.snapshot()
  kubernetes.kubeletDown('worker-2')
  expect(kubernetes.node('worker-2')).toBeUndefined()
  await pass(60_000)
  expect((await kubernetes.snapshot()).revision).toBe(revision)

  kubernetes.setQuorum(true)
  await until('an API', async () => kubernetes.isUp, Boolean)
  await pass(0)
  expect(kubernetes.node('worker-1')?.isReady).toBe(true)
  expect(kubernetes.node('worker-2')?.isReady).toBe(false)
  expect(told).toContain(false)
})

test('a restored snapshot brings objects back, and the revision with them', async () => {
  await using cluster = await aCluster()
  const { kubernetes, pass } = cluster
  const before = await kubernetes.snapshot()
  await kubernetes.cordonAndDrain('worker-1', 0)
  kubernetes.kubeletUp(aNode('worker-3'))
  await pass(2_000)
  expect(kubernetes.node('worker-1')?.isUnschedulable).toBe(true)
  const after = (await kubernetes.snapshot()).revision

  kubernetes.kubeletDown('worker-3')
  await kubernetes.restore(before)

  const { revision } = await kubernetes.snapshot()
  expect(revision).toBeLessThan(after)
  expect(kubernetes.node('worker-1')?.isUnschedulable).toBe(false)
  expect(kubernetes.node('worker-3')).toBeUndefined()
})

test('Talos undoes only its own cordon', async () => {
  await using cluster = await aCluster()
  const { kubernetes, pass } = cluster
  const draining = kubernetes.cordonAndDrain('worker-1', 60_000)
  await pass(10_000)
  await draining
  expect(kubernetes.node('worker-1')).toMatchObject({
    isUnschedulable: true,
    annotations: { 'talos.dev/cordoned': 'true' },
  })
  const dns = (await objectsIn(kubernetes, 'pods/kube-system/coredns')).map(
    (pod) => fieldsAt(pod, 'spec').nodeName,
  )
  expect(dns).not.toContain('worker-1')

  await kubernetes.uncordon('worker-1')
  expect(kubernetes.node('worker-1')).toMatchObject({ isUnschedulable: false })
  expect(kubernetes.node('worker-1')?.annotations).not.toHaveProperty('talos.dev/cordoned')
})
