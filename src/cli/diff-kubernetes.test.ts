import { expect, test } from 'vitest'
import { ETCD_SEEN, KUBE_VERSION } from '#api/labels.ts'
import { aControlPlane, aWorker } from '#test/builders.ts'
import { kubernetesUpgrade } from './diff-kubernetes.ts'

const said = (has: string, annotations: Record<string, string> = { [ETCD_SEEN]: 'a' }) =>
  kubernetesUpgrade(
    aControlPlane({
      metadata: { annotations: { [KUBE_VERSION]: has, ...annotations } },
      spec: { kubeVersion: 'v1.35.0' },
    }),
  )

test('an upgrade of Kubernetes is told with its order', () => {
  expect(said('v1.34.0')[0]?.message).toMatch(
    /from v1\.34\.0 to v1\.35\.0.*API servers.*kubelets.*step by step.*upgrade-k8s prod --to v1\.35\.0/,
  )
})

test('one that would be refused is told with why', () => {
  expect(said('v1.32.0')).toMatchObject([{ reason: 'KubernetesPathUnsupported' }])
})

test('nothing is told of a cluster that has it, has not begun, or of a pool', () => {
  expect(said('v1.35.0')).toEqual([])
  expect(said('v1.34.0', {})).toEqual([])
  expect(kubernetesUpgrade(aWorker())).toEqual([])
})
