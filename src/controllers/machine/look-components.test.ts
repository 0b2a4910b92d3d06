import { expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { Secret } from '#base/secret.ts'
import { ClusterNodes } from '#engine/cluster-nodes.ts'
import type { StaticPod } from '#engine/static-pods.ts'
import { ApiError } from '#kube/api-error.ts'
import { aMember, aNode, aWorld } from '#test/machine-world.ts'
import { quietLog } from '#test/quiet-log.ts'
import { lookAtComponents } from './look-components.ts'
import type { World } from './world.ts'

const CONFIG = `version: v1alpha1
machine:
  type: controlplane
  kubelet:
    image: ghcr.io/siderolabs/kubelet:v1.35.0
cluster:
  apiServer:
    image: registry.k8s.io/kube-apiserver:v1.36.0
`
const seen = aMember({ config: new Secret(CONFIG) })
const apiServer = (over: Partial<StaticPod> = {}): StaticPod => ({
  ...{ app: 'kube-apiserver', image: 'registry.k8s.io/kube-apiserver:v1.36.0' },
  ...{ isReady: true, why: '' },
  ...over,
})

/** Nodes whose static pods are these. */
class Nodes extends ClusterNodes {
  pods: readonly StaticPod[] | Error = [apiServer()]

  override async staticPodsOn(): Promise<StaticPod[]> {
    if (this.pods instanceof Error) throw this.pods
    return [...this.pods]
  }
}

function looking(over: Partial<World> = {}, pods: readonly StaticPod[] | Error = [apiServer()]) {
  const nodes = new Nodes({ clock: systemClock, log: quietLog(), userAgent: 'test' })
  nodes.pods = pods
  const { signal } = new AbortController()
  return lookAtComponents(aWorld({ seen, turn: 3, ...over }), { nodes, signal })
}

test('a machine runs what its configuration says', async () => {
  expect(await looking()).toEqual({ is: 'known', amiss: [] })
})

test.each<[string, StaticPod[]]>([
  ['kube-apiserver does not run', []],
  [
    'kube-apiserver runs old, and not registry.k8s.io/kube-apiserver:v1.36.0 yet',
    [apiServer({ image: 'old' })],
  ],
  [
    'kube-apiserver registry.k8s.io/kube-apiserver:v1.36.0 is not ready: ImagePullBackOff',
    [apiServer({ isReady: false, why: 'ImagePullBackOff' })],
  ],
  [
    'kube-apiserver registry.k8s.io/kube-apiserver:v1.36.0 is not ready',
    [apiServer({ isReady: false })],
  ],
])('it is said that %s', async (sentence, pods) => {
  expect(await looking({}, pods)).toEqual({ is: 'known', amiss: [sentence] })
})

test('of a worker only the kubelet is looked at', async () => {
  const worker = { ...seen, type: 'worker' as const }
  const node = aNode({ kubeletVersion: 'v1.34.0' })

  expect(await looking({ seen: worker }, [])).toEqual({ is: 'known', amiss: [] })
  expect(await looking({ seen: worker, node }, [])).toEqual({
    ...{ is: 'known', amiss: ['the kubelet is v1.34.0, and not v1.35.0 yet'] },
  })
})

test.each<[string, Partial<World>]>([
  ['it is not its turn', { turn: undefined }],
  ['it has no node', { node: undefined }],
  ['it is off', { seen: { is: 'silent', message: 'no route' } }],
  ['it has another configuration', { seen: { ...seen, fingerprint: 'as-before' } }],
  ['its configuration cannot be read', { seen: aMember() }],
  ['it has no parent', { parent: { is: 'missing', what: 'TalosWorker pool' } }],
  ['what it is to have is not known', { wanted: { is: 'waiting', reason: 'No', message: '' } }],
])('nobody asks while %s', async (_what, world) => {
  expect(await looking(world)).toEqual({ is: 'unasked' })
})

test('an API that does not answer says nothing of its machines', async () => {
  const silent = new ApiError('no answer', { status: 0, reason: 'Unreachable' })

  expect(await looking({}, silent)).toMatchObject({ is: 'unknown' })
  await expect(looking({}, new Error('mine'))).rejects.toThrow('mine')
})
