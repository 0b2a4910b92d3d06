import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { ETCD_SEEN, KUBE_VERSION, RECONCILE_MODE } from '#api/labels.ts'
import { systemClock } from '#base/clock.ts'
import { aborted } from '#base/on-abort.ts'
import { Leadership } from '#runtime/leader.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { run } from './a-terminal.cases.ts'

const apiVersion = 'talos.alperen.cloud/v1alpha1'
const CONTROL_PLANES = `/apis/${apiVersion}/namespaces/default/taloscontrolplanes`
const BEGUN = { [KUBE_VERSION]: 'v1.34.1', [ETCD_SEEN]: 'yes' }

let api: AnApi
beforeAll(async () => {
  api = await anApi({ kinds })
})
afterAll(() => api[Symbol.asyncDispose]())

/** A control plane that asks for v1.34.1, and what the operator has said of it. */
async function aCluster(name: string, annotations: Record<string, string>, status: object = {}) {
  const spec = {
    ...{ version: 'v1.13.0', kubeVersion: 'v1.34.1', mode: 'metal' },
    ...{ endpoint: 'https://192.0.2.1:6443', metalSpec: { machines: [{ address: '192.0.2.1' }] } },
  }
  const body = { apiVersion, kind: 'TalosControlPlane', metadata: { name, annotations }, spec }
  expect(await api.send({ method: 'POST', path: CONTROL_PLANES, body })).toMatchObject({
    status: 201,
  })
  await says(name, status)
}

async function aPool(name: string, controlPlane: string) {
  const spec = {
    ...{ version: 'v1.13.0', kubeVersion: 'v1.34.1', mode: 'metal', metalSpec: { machines: [] } },
    controlPlaneRef: { name: controlPlane },
  }
  const body = { apiVersion, kind: 'TalosWorker', metadata: { name }, spec }
  const path = CONTROL_PLANES.replace('taloscontrolplanes', 'talosworkers')
  expect(await api.send({ method: 'POST', path, body })).toMatchObject({ status: 201 })
}

const says = (name: string, status: object) =>
  api.send({
    ...{ method: 'PATCH', path: `${CONTROL_PLANES}/${name}/status`, body: { status } },
    contentType: 'application/merge-patch+json',
  })

const asksFor = async (name: string): Promise<unknown> => {
  const { body } = await api.send({ method: 'GET', path: `${CONTROL_PLANES}/${name}` })
  return Object(body).spec.kubeVersion
}

const upgrade = (...args: string[]) =>
  run('upgrade-k8s', '--kubeconfig', api.kubeconfig, '-n', 'default', ...args)

test.each([
  [['demo'], 'neither --to is given nor TARGET_VERSION set'],
  [['--to', 'v1.35.0'], 'neither its name is given nor TCP_NAME set'],
  [['nope', '--to', 'v1.35.0'], 'there is no TalosControlPlane nope in the namespace default'],
  [['demo', '--to', 'v1.35.0', '--timeout', 'soon'], 'Write it as 90m or 2h'],
])('%j is refused: %s', async (args, reason) => {
  const { out, err, exitCode } = await upgrade(...args)

  expect([exitCode, out]).toEqual([1, ''])
  expect(err).toContain(reason)
})

test('what has the version has it already', async () => {
  await aCluster('there', BEGUN, { observedGeneration: 1, observedKubeVersion: 'v1.34.1' })

  for (const flags of [[], ['--dry-run']]) {
    expect(await upgrade('there', '--to', '1.34.1', ...flags)).toEqual({
      out: 'TalosControlPlane default/there has Kubernetes v1.34.1 already\n',
      ...{ err: '', exitCode: 0 },
    })
  }
})

test.each([
  { name: 'skips', marks: BEGUN, to: 'v1.36.0', reason: 'KubernetesPathUnsupported: spec' },
  { name: 'back', marks: BEGUN, to: 'v1.33.0', reason: 'KubernetesPathUnsupported: spec' },
  { name: 'new', marks: {}, to: 'v1.35.0', reason: 'the cluster has not begun' },
  {
    ...{ name: 'idle', marks: { ...BEGUN, [RECONCILE_MODE]: 'disable' }, to: 'v1.35.0' },
    reason: 'reconcile-mode is disable',
  },
])('$name to $to is refused before anything is edited', async ({ name, marks, to, reason }) => {
  await aCluster(name, marks)
  const { err, exitCode } = await upgrade(name, '--to', to)
  const dry = await upgrade(name, '--to', to, '--dry-run')

  expect([exitCode, dry.exitCode]).toEqual([1, 1])
  expect(err).toContain(reason)
  expect(dry.err).toContain(reason)
  expect(dry.out).toContain(`${name}: spec.kubeVersion v1.34.1 → ${to}`)
  expect(await asksFor(name)).toBe('v1.34.1')
})

describe('of a cluster by its shape', () => {
  const SHAPES = '/apis/vitistack.io/v1alpha1/namespaces/default/kubernetesclusters'

  /** One that owns a control plane, and how many of these it asks for. */
  async function aShape(name: string, replicas: number) {
    const body = {
      ...{ apiVersion: 'vitistack.io/v1alpha1', kind: 'KubernetesCluster', metadata: { name } },
      spec: {
        ...{ kubernetesVersion: 'v1.34.1', talosVersion: 'v1.13.0' },
        ...{ clusterEndpoint: 'https://192.0.2.1:6443', controlPlane: { replicas } },
      },
    }
    const made = await api.send({ method: 'POST', path: SHAPES, body })
    expect(made).toMatchObject({ status: 201 })
    await aCluster(name, BEGUN)
    const { apiVersion, kind, metadata } = Object(made.body)
    const owner = { apiVersion, kind, name, uid: metadata.uid, controller: true }
    await api.send({
      ...{ method: 'PATCH', path: `${CONTROL_PLANES}/${name}` },
      body: { metadata: { ownerReferences: [owner] } },
      contentType: 'application/merge-patch+json',
    })
  }

  test('its own version would be edited', async () => {
    await aShape('shaped', 1)
    const { out, err, exitCode } = await upgrade('shaped', '--to', 'v1.35.0', '--dry-run')

    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toContain(
      'What would be edited:\n  KubernetesCluster shaped: spec.kubernetesVersion v1.34.1 → v1.35.0\n\n',
    )
    expect(await asksFor('shaped')).toBe('v1.34.1')
  })

  test('nothing is edited while its spec is wrong: nobody would act on it', async () => {
    await aShape('wrong', 2)
    const { out, err, exitCode } = await upgrade('wrong', '--to', 'v1.35.0')

    expect([exitCode, out]).toEqual([1, ''])
    expect(err).toContain(
      'why: KubernetesCluster wrong: ValidationFailed: spec.controlPlane.replicas is 2',
    )
  })
})

test('without an operator that leads nothing is edited before somebody does', async () => {
  await aCluster('alone', BEGUN)
  const { out, err, exitCode } = await upgrade('alone', '--to', 'v1.35.0', '--timeout', '1s')

  expect(exitCode).toBe(1)
  expect(out).toBe(
    'nobody leads by the Lease default/talos-operator: an operator is given 10 s to begin\n',
  )
  expect(err).toContain('TalosControlPlane default/alone is not at v1.35.0 after 1s')
  expect(await asksFor('alone')).toBe('v1.34.1')
})

test('a dry run asks the rules of the operator, and does nothing', async () => {
  const { out, err, exitCode } = await upgrade('alone', '--to', 'v1.35.0', '--dry-run')

  expect([exitCode, err]).toEqual([0, ''])
  expect(out).toContain('alone: spec.kubeVersion v1.34.1 → v1.35.0\n')
  expect(out).toMatch(/\nIt would wait, .*: CreatingSecrets/)
  expect(await asksFor('alone')).toBe('v1.34.1')
})

test('and is refused by what they make of what would be edited', async () => {
  await aCluster('ahead', { ...BEGUN, [KUBE_VERSION]: 'v1.36.0' })
  const { err, exitCode } = await upgrade('ahead', '--to', 'v1.37.0', '--dry-run')

  expect(exitCode).toBe(1)
  expect(err).toMatch(/ahead would not be upgraded to v1\.37\.0\n {2}why: KubernetesVersionUnsu/)
})

test('the edit is made, and what the operator says of it is told', async () => {
  await using _operator = await aLeader('operator-1')
  const lastTransitionTime = '2030-01-01T00:00:00Z'
  const refused = { type: 'Ready', status: 'False', reason: 'KubeletTooOld', message: 'so old' }
  // As of the edit that is to come.
  await aCluster('edited', BEGUN, {
    observedGeneration: 2,
    conditions: [{ ...refused, lastTransitionTime }],
  })
  await aPool('of-edited', 'edited')
  const { out, err, exitCode } = await upgrade('edited', '--to', 'v1.35.0')

  expect(exitCode).toBe(1)
  expect(out.split('\n').slice(0, 2)).toEqual([
    'TalosWorker of-edited: spec.kubeVersion v1.34.1 → v1.35.0',
    'TalosControlPlane edited: spec.kubeVersion v1.34.1 → v1.35.0',
  ])
  expect(err).toContain('edited: KubeletTooOld: so old')
  expect(await asksFor('edited')).toBe('v1.35.0')
})

/** Somebody who leads, in a namespace of its own. */
async function aLeader(identity: string): Promise<AsyncDisposable> {
  const namespace = { metadata: { name: 'operators' } }
  await api.send({ method: 'POST', path: '/api/v1/namespaces', body: namespace })
  const client = await clientOf(api)
  const stop = new AbortController()
  const leadership = new Leadership({
    ...{ client, clock: systemClock, identity, namespace: 'operators', name: 'talos-operator' },
    ...{ timing: { retryMs: 200 }, freeIfAbsent: true },
  })
  let lead = () => {}
  const leading = new Promise<void>((resolve) => {
    lead = resolve
  })
  const ended = leadership.run(stop.signal, async (signal) => {
    lead()
    await aborted(signal)
  })
  await leading
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await ended
      client.close()
    },
  }
}
