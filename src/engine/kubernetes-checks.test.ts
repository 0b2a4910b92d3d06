import { expect, test } from 'vitest'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { aMachine } from '#test/builders.ts'
import { aMember } from '#test/control-plane-world.ts'
import { configProblem, kubeletProblem, versionsProblem } from './kubernetes-checks.ts'

const machine = (observedVersion: string, kubelet: string) =>
  aMember(1, { observedVersion, kubernetes: { kubelet } })
const step = { from: 'v1.35.0', to: 'v1.36.0' }

const speaks = (seen: ReturnType<typeof machine>, ...has: string[]) =>
  versionsProblem([seen], { has, to: 'v1.36.0' })?.reason

test('versions speak against it, or do not', () => {
  const good = machine('v1.13.0', 'v1.35.0')

  expect(speaks(good, 'v1.35.0')).toBeUndefined()
  expect(speaks(good, 'v1.34.0')).toBe('KubernetesPathUnsupported')
  expect(speaks(good, 'v1.35.0', 'v1.36.1')).toBe('KubernetesPathUnsupported')
  expect(speaks(machine('v1.9.0', 'v1.35.0'), 'v1.35.0')).toBe('KubernetesVersionUnsupported')
  expect(speaks(machine('v1.13.0', 'v1.32.0'), 'v1.35.0')).toBe('KubeletTooOld')
})

test('a machine that is to run a Talos which has it is waited for, where that is waited for', () => {
  const versions = { has: ['v1.35.0'], to: 'v1.36.0' }
  const reason = (version: string, waitsForTalos: boolean) => {
    const old = aMachine({ spec: { version }, status: { observedVersion: 'v1.9.0' } })
    return versionsProblem([old], { ...versions, waitsForTalos })?.reason
  }

  expect(reason('v1.13.0', true)).toBeUndefined()
  expect(reason('v1.13.0', false)).toBe('KubernetesVersionUnsupported')
  expect(reason('v1.9.0', true)).toBe('KubernetesVersionUnsupported')
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

const worker = (image: string, gate = 'Other') =>
  readConfig(
    `version: v1alpha1\nmachine:\n  type: worker\n  kubelet:\n    image: ${image}\n    extraArgs:\n      feature-gates: ${gate}=true\n`,
  )
const kubelet = (version: string) => `ghcr.io/siderolabs/kubelet:${version}`
const beside = (config: ReturnType<typeof worker>, ...apiServers: string[]) =>
  kubeletProblem('pool-1', config, { from: 'v1.35.0', apiServers })

test('a kubelet is not newer than any API server, and not older than Kubernetes allows', () => {
  expect(beside(worker(kubelet('v1.36.0')), 'v1.36.0', 'v1.36.1')).toBeUndefined()
  expect(beside(worker(kubelet('v1.36.0')), 'v1.39.0')).toBeUndefined()
  expect(beside(worker(kubelet('v1.36.0')), 'v1.36.0', 'v1.35.0')).toMatchObject({
    ...{ reason: 'KubeletTooNew', message: expect.stringContaining('pool-1: ') },
  })
  expect(beside(worker(kubelet('v1.36.0')), 'v1.40.0')).toMatchObject({
    ...{
      reason: 'KubeletTooOld',
      message: expect.stringContaining('upgrade it to v1.37 or newer'),
    },
  })
})

test('a kubelet is not given what it does not know any more', () => {
  const config = worker(kubelet('v1.36.0'), 'HonorPVReclaimPolicy')

  expect(beside(config, 'v1.36.0')?.reason).toBe('KubernetesRemovesInUse')
  expect(kubeletProblem('a', config, { from: undefined, apiServers: [] })).toBeUndefined()
  // Nobody knows what is in it.
  expect(beside(worker('mine/kubelet:latest'), 'v1.30.0')).toBeUndefined()
})
