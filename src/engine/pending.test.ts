import { expect, test } from 'vitest'
import { KUBE_UPGRADE, KUBELETS } from '#api/labels.ts'
import { aControlPlane } from '#test/builders.ts'
import { eachOf, kubernetesText, type Stage } from './kubernetes-record.ts'
import { isOutOfTheWay } from './pending.ts'

const controlPlane = (
  reason: string,
  { stage, observed = 1 }: { stage?: Stage; observed?: number } = {},
) => {
  const versions = eachOf(() => 'v1.35.0')
  const record = stage && kubernetesText({ target: 'v1.36.0', stage, before: 'v1.35.0', versions })
  const status = reason === 'AsWanted' ? ('True' as const) : ('False' as const)
  return aControlPlane({
    metadata: { generation: 1, ...(record && { annotations: { [KUBE_UPGRADE]: record } }) },
    status: {
      observedGeneration: observed,
      conditions: [
        { type: 'Ready', status, reason, message: '', lastTransitionTime: '2030-01-01T00:00:00Z' },
      ],
    },
  })
}

test('workers are changed while their control plane is well and at rest, as its spec is now', () => {
  expect(isOutOfTheWay(controlPlane('AsWanted'))).toBe(true)
  expect(isOutOfTheWay(controlPlane('AsWanted', { observed: 0 }))).toBe(false)
  expect(isOutOfTheWay(controlPlane('RollingOut'))).toBe(false)
  expect(isOutOfTheWay(aControlPlane({ metadata: { generation: 1 } }))).toBe(false)
  expect(isOutOfTheWay(controlPlane('KubernetesUpgradePending'))).toBe(true)
  expect(isOutOfTheWay(controlPlane('KubernetesPathUnsupported'))).toBe(true)
})

test('in an upgrade of Kubernetes they are when their part of it has come', () => {
  expect(isOutOfTheWay(controlPlane('UpgradingKubernetes', { stage: 'workers' }))).toBe(true)
  expect(isOutOfTheWay(controlPlane('UpgradingKubernetes', { stage: 'kubelet' }))).toBe(false)
  expect(isOutOfTheWay(controlPlane('KubernetesUpgradeFailed', { stage: 'workers' }))).toBe(false)
})

test('while kubelets of workers alone are moved they are, unless the control plane itself is changed', () => {
  const moving = (reason: string) => {
    const { metadata, ...rest } = controlPlane(reason)
    return { ...rest, metadata: { ...metadata, annotations: { [KUBELETS]: 'moving' } } }
  }

  expect(isOutOfTheWay(moving('UpgradingKubernetes'))).toBe(true)
  expect(isOutOfTheWay(moving('RollingOut'))).toBe(false)
  expect(isOutOfTheWay(controlPlane('UpgradingKubernetes'))).toBe(false)
})
