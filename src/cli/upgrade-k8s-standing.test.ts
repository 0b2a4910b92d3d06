import { expect, test } from 'vitest'
import { KUBE_UPGRADE, KUBE_VERSION } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { eachOf, kubernetesText, type Stage } from '#engine/kubernetes-record.ts'
import {
  aControlPlane,
  aKubernetesCluster,
  aMachine,
  aWorker,
  aWorkerMachine,
} from '#test/builders.ts'
import { standingOf, type UpgradeSeen } from './upgrade-k8s-standing.ts'

const TO = 'v1.35.0'
const BEFORE = 'v1.34.1'

const said = (reason: string, message = 'why', ok = false) => ({
  ...{ type: 'Ready', status: ok ? ('True' as const) : ('False' as const), reason, message },
  lastTransitionTime: '2030-01-01T00:00:00Z',
})

interface Control {
  stage?: Stage
  reason?: string
  observed?: string
  generation?: number
  asks?: string
}

function controlPlane({ stage, reason, observed = BEFORE, generation = 1, asks = TO }: Control) {
  const isOver = stage === 'workers' || stage === 'manifests' || stage === 'done'
  const versions = eachOf(() => TO)
  const record = stage && kubernetesText({ target: TO, stage, before: TO, versions })
  return aControlPlane({
    metadata: {
      generation,
      annotations: {
        [KUBE_VERSION]: isOver ? TO : BEFORE,
        ...(record && { [KUBE_UPGRADE]: record }),
      },
    },
    spec: { kubeVersion: asks },
    status: {
      ...{ observedGeneration: 1, observedKubeVersion: observed },
      conditions: reason ? [said(reason)] : [],
    },
  })
}

const worker = (kubelet: string, ...conditions: ReturnType<typeof said>[]): Machine =>
  aWorkerMachine({ status: { kubernetes: { kubelet }, conditions } })

const seen = (control: Control, over: Partial<UpgradeSeen> = {}): UpgradeSeen => ({
  ...{ controlPlane: controlPlane(control), pools: [aWorker()], machines: [worker(TO)] },
  ...{ shapes: [], ...over },
})

const standing = (...given: Parameters<typeof seen>) => standingOf(seen(...given), TO)

test('it is there when the control plane and the pools have it', () => {
  expect(standing({ stage: 'done', observed: TO })).toEqual({ is: 'there', says: [] })
})

test('what was made with the version has it', () => {
  const made = aControlPlane({
    metadata: { annotations: { [KUBE_VERSION]: TO } },
    status: { observedGeneration: 1, observedKubeVersion: TO },
  })

  expect(standing({}, { controlPlane: made }).is).toBe('there')
})

test.each([
  ['a kubelet of a pool is older', { machines: [worker(BEFORE)] }],
  ['nobody knows what a worker has', { machines: [aWorkerMachine()] }],
])('it is not there while %s', (_, over) => {
  expect(standing({ stage: 'done', observed: TO }, over).is).toBe('under way')
})

test('nor while something of the control plane is older, or it is still moving', () => {
  expect(standing({ stage: 'done' }).is).toBe('under way')
  expect(standing({ stage: 'manifests', observed: TO }).is).toBe('under way')
})

test('what the operator has not looked at, or nobody asks for, is unseen', () => {
  expect(standing({ generation: 2 })).toMatchObject({ is: 'unseen' })
  expect(standing({ asks: BEFORE }).says).toEqual([
    'TalosControlPlane prod asks for v1.34.1, and not for v1.35.0',
  ])
})

test('a cluster by its shape that refuses its spec says why, as soon as it has looked at it', () => {
  const shape = (generation: number) =>
    aKubernetesCluster({
      metadata: { generation },
      status: {
        observedGeneration: 1,
        conditions: [{ ...said('ValidationFailed', 'no name'), type: 'TopologyValid' }],
      },
    })

  expect(standing({ asks: BEFORE }, { shapes: [shape(1)] })).toEqual({
    ...{ is: 'refused', says: ['prod: ValidationFailed: no name'] },
  })
  expect(standing({ asks: BEFORE }, { shapes: [shape(2)] }).is).toBe('unseen')
})

test('it tells the stage, and what is done to which machine', () => {
  const busy = aMachine({ status: { conditions: [said('Configuring', 'is changed')] } })
  const waits = aMachine({ status: { conditions: [said('ConfigPending')] } })

  expect(
    standing({ stage: 'scheduler', reason: 'UpgradingKubernetes' }, { machines: [busy, waits] }),
  ).toEqual({ is: 'under way', says: ['the schedulers', '  prod-192.0.2.1: is changed'] })
})

test('to be paused, or to wait, is to be under way', () => {
  expect(standing({ reason: 'Paused' })).toEqual({ is: 'under way', says: ['Paused: why'] })
  expect(standing({ reason: 'KubernetesUpgradePending' }).is).toBe('under way')
})

test('what speaks against it is a refusal', () => {
  expect(standing({ reason: 'KubernetesRemovesInUse' })).toEqual({
    ...{ is: 'refused', says: ['prod: KubernetesRemovesInUse: why'] },
  })
})

test.each(['KubernetesUpgradeFailed', 'QuorumLost'])('with %s it stands still', (reason) => {
  expect(standing({ stage: 'apiServer', reason }).is).toBe('standing')
})

test('and with a worker that cannot be changed, when it is the turn of the workers', () => {
  const machines = [worker(BEFORE, said('ImagePullFailed'))]
  const pools = [aWorker({ status: { conditions: [said('RollingOut', 'no image')] } })]
  const over = { machines, pools }

  expect(standing({ stage: 'kubelet', reason: 'UpgradingKubernetes' }, over).is).toBe('under way')
  expect(standing({ stage: 'workers', reason: 'UpgradingKubernetes' }, over)).toEqual({
    is: 'standing',
    says: ['prod: UpgradingKubernetes: why', 'pool: RollingOut: no image'],
  })
})
