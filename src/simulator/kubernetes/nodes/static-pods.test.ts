import { expect, test } from 'vitest'
import { type Fields, fieldsAt, isFields, listAt } from '#apiserver/objects.ts'
import {
  aComponent,
  aControlPlane,
  aControlPlaneNode,
  aKubernetes,
  settled,
} from '#simulator/kubernetes/a-cluster.cases.ts'
import type {
  ComponentFacts,
  ControlPlaneComponent,
  ControlPlaneFacts,
} from '#simulator/kubernetes/cluster-kubernetes.ts'
import { conditionOf } from '#simulator/kubernetes/pods/pod-view.ts'
import type { SimulatedKubernetes } from '#simulator/kubernetes/simulated-kubernetes.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'

const SHARED = '127.0.0.9'

const first = (more: Partial<ControlPlaneFacts> = {}): ControlPlaneFacts =>
  aControlPlane('cp-1', { furtherAddresses: [SHARED], ...more })

const second = (): ControlPlaneFacts =>
  aControlPlane('cp-2', { address: '127.0.0.2', furtherAddresses: [SHARED] })

const withComponent = (
  name: ControlPlaneComponent,
  more: Partial<ComponentFacts>,
): Partial<ControlPlaneFacts> => ({
  components: { ...aControlPlane('cp-1').components, [name]: aComponent(name, more) },
})

async function aCluster(...controlPlanes: ControlPlaneFacts[]) {
  const { kubernetes, ...rest } = await aKubernetes({ clock: new FakeClock() })
  for (const facts of controlPlanes) {
    kubernetes.kubeletUp(aControlPlaneNode(facts.nodeName, { address: facts.address }))
    kubernetes.controlPlaneUp(facts)
  }
  await until('an API', async () => kubernetes.isUp, Boolean)
  await settled(kubernetes)
  return { kubernetes, ...rest }
}

async function podNamed(kubernetes: SimulatedKubernetes, name: string): Promise<Fields> {
  const { entries } = await kubernetes.snapshot()
  const found = entries.find(({ key }) => key === `/registry/pods/kube-system/${name}`)
  return found ? JSON.parse(Buffer.from(found.value).toString()) : {}
}

const seenOf = (pod: Fields): Fields => ({
  version: fieldsAt(fieldsAt(pod, 'metadata'), 'annotations')['talos.dev/config-version'],
  image: listAt(fieldsAt(pod, 'spec'), 'containers').filter(isFields)[0]?.image,
  ready: conditionOf(pod, 'Ready')?.status,
  waiting: listAt(fieldsAt(pod, 'status'), 'containerStatuses')
    .filter(isFields)
    .map(({ state }) => fieldsAt(fieldsAt({ state }, 'state'), 'waiting').reason)[0],
})

const NEXT = { image: 'registry.k8s.io/kube-apiserver:v1.35.1', configVersion: '2' }

test('an API server that is started does not answer, but others do, and so does what they share', async () => {
  await using cluster = await aCluster(first(), second())
  const { kubernetes } = cluster
  kubernetes.controlPlaneUp(first(withComponent('kube-apiserver', { ...NEXT, state: 'starting' })))
  await settled(kubernetes)

  const ports = ['127.0.0.1', '127.0.0.2', SHARED].map((at) => kubernetes.portAt(at))
  expect(ports).toEqual([undefined, expect.any(Number), expect.any(Number)])
  const pod = await podNamed(kubernetes, 'kube-apiserver-cp-1')
  expect(seenOf(pod)).toEqual({
    ...{ version: '2', image: NEXT.image, ready: 'False', waiting: 'ContainerCreating' },
  })
  expect(kubernetes.staticPods('cp-1').map(({ isReady }) => isReady)).toEqual([false, true, true])

  kubernetes.controlPlaneUp(first(withComponent('kube-apiserver', NEXT)))
  await settled(kubernetes)

  expect(kubernetes.portAt('127.0.0.1')).toEqual(expect.any(Number))
  const after = await podNamed(kubernetes, 'kube-apiserver-cp-1')
  expect(seenOf(after)).toEqual({ version: '2', image: NEXT.image, ready: 'True' })
})

test('a pod without its image waits for it, and the rest of the control plane goes on', async () => {
  await using cluster = await aCluster(first())
  const { kubernetes } = cluster
  const image = 'registry.k8s.io/kube-scheduler:v9.9.9'
  const lacking = { image, configVersion: '2', state: 'no-image' } as const
  kubernetes.controlPlaneUp(first(withComponent('kube-scheduler', lacking)))
  await settled(kubernetes)

  expect(kubernetes.isUp).toBe(true)
  expect(seenOf(await podNamed(kubernetes, 'kube-scheduler-cp-1'))).toEqual({
    ...{ version: '2', image, ready: 'False', waiting: 'ImagePullBackOff' },
  })
  expect(kubernetes.staticPods('cp-1')[2]).toMatchObject({
    isReady: false,
    status: { phase: 'Pending' },
  })
})

test('while the only API server is started nobody answers, and what was there is there afterwards', async () => {
  await using cluster = await aCluster(first())
  const { kubernetes } = cluster
  kubernetes.controlPlaneUp(first(withComponent('kube-apiserver', { ...NEXT, state: 'starting' })))
  await until(
    'an end',
    async () => kubernetes.isUp,
    (isUp) => !isUp,
  )
  const before = seenOf(await podNamed(kubernetes, 'kube-apiserver-cp-1'))

  kubernetes.controlPlaneUp(first(withComponent('kube-apiserver', NEXT)))
  await until('an API', async () => kubernetes.isUp, Boolean)
  await settled(kubernetes)

  // Nobody could tell the API meanwhile.
  expect(before).toMatchObject({ version: '1', ready: 'True' })
  expect(seenOf(await podNamed(kubernetes, 'kube-apiserver-cp-1'))).toMatchObject({
    ...{ version: '2', image: NEXT.image, ready: 'True' },
  })
})
