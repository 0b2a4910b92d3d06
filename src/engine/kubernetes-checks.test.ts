import { expect, test } from 'vitest'
import { KUBE_UPGRADE } from '#api/labels.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { aControlPlane } from '#test/builders.ts'
import { aMember } from '#test/control-plane-world.ts'
import { configProblem, versionsProblem } from './kubernetes-checks.ts'
import { eachOf, kubernetesText } from './kubernetes-record.ts'

const record = kubernetesText({
  ...{ target: 'v1.36.1', stage: 'stopped', before: 'v1.35.0' },
  versions: { ...eachOf(() => 'v1.35.0'), apiServer: 'v1.36.1' },
})
const half = aControlPlane({ metadata: { annotations: { [KUBE_UPGRADE]: record } } })
const machine = (observedVersion: string, kubelet: string) =>
  aMember(1, { observedVersion, kubernetes: { kubelet } })
const step = { from: 'v1.35.0', to: 'v1.36.0' }

const speaks = (
  seen: ReturnType<typeof machine>,
  { from = 'v1.35.0', of = aControlPlane() }: { from?: string; of?: typeof half } = {},
) => versionsProblem(of, [seen], { from, to: 'v1.36.0' })?.reason

test('versions speak against it, or do not', () => {
  const good = machine('v1.13.0', 'v1.35.0')

  expect(speaks(good)).toBeUndefined()
  expect(speaks(machine('v1.13.0', 'v1.34.0'), { from: 'v1.34.0' })).toBe(
    'KubernetesPathUnsupported',
  )
  expect(speaks(good, { of: half })).toBe('KubernetesPathUnsupported')
  expect(speaks(machine('v1.9.0', 'v1.35.0'))).toBe('KubernetesVersionUnsupported')
  expect(speaks(machine('v1.13.0', 'v1.32.0'))).toBe('KubeletTooOld')
})

const config = (image: string, gate: string) =>
  readConfig(
    `version: v1alpha1\nmachine:\n  type: controlplane\ncluster:\n  apiServer:\n    image: ${image}\n    extraArgs:\n      feature-gates: ${gate}=true\n`,
  )
const GOOD = 'registry.k8s.io/kube-apiserver:v1.36.0'

test.each([
  ['a feature gate that is gone', config(GOOD, 'HonorPVReclaimPolicy'), 'KubernetesRemovesInUse'],
  [
    'an image that a patch pins',
    config('mine/kube-apiserver:v1.35.0', 'Other'),
    'KubernetesImagePinned',
  ],
  [
    'an image of no version',
    config('mine/kube-apiserver:latest', 'Other'),
    'KubernetesImagePinned',
  ],
  ['nothing', config(GOOD, 'Other'), undefined],
])('%s in a configuration speaks against it', (_what, given, reason) => {
  expect(configProblem('cp-1', given, step)?.reason).toBe(reason)
})
