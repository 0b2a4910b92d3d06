import { expect, test } from 'vitest'
import { type Fields, fieldsAt, isFields, listAt } from '#apiserver/objects.ts'
import { anAdmin } from '#test/an-admin.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import { aControlPlane, aKubernetes, aNode, settled, someSecrets } from './a-cluster.cases.ts'
import { PRETENCE } from './pods/kubelet-routine.ts'

const PODS = '/api/v1/namespaces/default/pods'

async function aCluster() {
  const clock = new FakeClock()
  const { kubernetes, ...rest } = await aKubernetes({ clock, facts: { cni: 'custom' } })
  kubernetes.kubeletUp(aNode('one', { type: 'controlplane' }))
  kubernetes.kubeletUp(aNode('two'))
  kubernetes.controlPlaneUp(aControlPlane('one'))
  await until('an API', async () => kubernetes.isUp, Boolean)
  const send = await anAdmin(await someSecrets(), Number(kubernetes.portAt('127.0.0.1')))
  const pass = async (ms: number) => {
    await settled(kubernetes)
    await clock.advance(ms)
    await settled(kubernetes)
  }
  const pods = async (): Promise<Fields[]> => {
    const { body } = await send({ method: 'GET', path: PODS })
    return listAt(isFields(body) ? body : {}, 'items').filter(isFields)
  }
  await pass(2_000)
  return { kubernetes, send, pass, pods, ...rest }
}

const aDeployment = (annotations: Fields = {}, replicas = 1): Fields => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations },
      spec: { containers: [{ name: 'web', image: 'nginx:1' }] },
    },
  },
})

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'
const statusAt = (body: unknown): Fields => fieldsAt(isFields(body) ? body : {}, 'status')
const conditions = (body: unknown): string[] =>
  listAt(statusAt(body), 'conditions')
    .filter(isFields)
    .map(({ type, status, reason }) => `${type}=${status} ${reason}`)

test('a Deployment is available when its pods are ready, and late when they never are', async () => {
  await using cluster = await aCluster()
  const { send, pass } = cluster
  const stubborn = { [PRETENCE.neverReady]: 'true' }
  await send({ method: 'POST', path: DEPLOYMENTS, body: aDeployment(stubborn) })
  await pass(5_000)
  const early = await send({ method: 'GET', path: `${DEPLOYMENTS}/web` })
  expect(conditions(early.body)).toContain('Progressing=True ReplicaSetUpdated')

  await pass(600_000)

  const late = await send({ method: 'GET', path: `${DEPLOYMENTS}/web` })
  expect(conditions(late.body)).toEqual([
    'Available=False MinimumReplicasUnavailable',
    'Progressing=False ProgressDeadlineExceeded',
  ])
})

test('a pod that ignores its end has the whole of its grace', async () => {
  await using cluster = await aCluster()
  const { send, pass, pods } = cluster
  const body = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'deaf', annotations: { [PRETENCE.ignoresTermination]: 'true' } },
    spec: { containers: [{ name: 'deaf', image: 'deaf:1' }] },
  }
  await send({ method: 'POST', path: PODS, body })
  await pass(2_000)
  await send({ method: 'DELETE', path: `${PODS}/deaf` })

  await pass(29_000)
  expect(await pods()).toHaveLength(1)
  await pass(2_000)
  expect(await pods()).toHaveLength(0)
})

test('pods of a node that is lost are started elsewhere, and go with the node', async () => {
  await using cluster = await aCluster()
  const { kubernetes, send, pass, pods } = cluster
  await send({ method: 'POST', path: DEPLOYMENTS, body: aDeployment({}, 2) })
  await pass(3_000)
  const nodesOf = async () =>
    (await pods()).map((pod) => String(fieldsAt(pod, 'spec').nodeName)).toSorted()
  expect(await nodesOf()).toEqual(['one', 'two'])

  kubernetes.kubeletDown('two')
  await pass(40_000)
  await pass(301_000)
  await pass(2_000)
  expect(await nodesOf()).toEqual(['one', 'one', 'two'])

  await send({ method: 'DELETE', path: '/api/v1/nodes/two' })
  await pass(0)
  expect(await nodesOf()).toEqual(['one', 'one'])
})

test('Talos gives up draining when a budget holds a pod for longer than it waits', async () => {
  await using cluster = await aCluster()
  const { kubernetes, send, pass, pods } = cluster
  await send({ method: 'POST', path: DEPLOYMENTS, body: aDeployment() })
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  }
  const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
  await send({ method: 'POST', path, body: budget })
  await pass(3_000)
  const [pod = {}] = await pods()

  let isDone = false
  const draining = kubernetes
    .cordonAndDrain(String(fieldsAt(pod, 'spec').nodeName), 60_000)
    .then(() => {
      isDone = true
    })
  await pass(59_000)
  expect(isDone).toBe(false)
  await pass(2_000)

  await draining
  expect((await pods()).map((one) => fieldsAt(one, 'metadata').uid)).toEqual([
    fieldsAt(pod, 'metadata').uid,
  ])
})
