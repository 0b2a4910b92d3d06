import { expect, test } from 'vitest'
import { KUBE_UPGRADE, KUBELETS } from '#api/labels.ts'
import { aControlPlane } from '#test/builders.ts'
import { keepsTalos, kubeletPhase, letsKubeletsMove } from './kubelet-moves.ts'
import { eachOf, kubernetesText, type Stage } from './kubernetes-record.ts'

const saying = (annotations: Record<string, string>) => aControlPlane({ metadata: { annotations } })
const inPhase = (phase: string) => saying({ [KUBELETS]: phase })
const inStage = (stage: Stage) => {
  const versions = eachOf(() => 'v1.35.0')
  const record = { target: 'v1.36.0', stage, before: 'v1.35.0', versions }
  return saying({ [KUBE_UPGRADE]: kubernetesText(record) })
}

test.each([
  ['nothing', aControlPlane(), [false, false]],
  ['kubelets that are prepared', inPhase('preparing'), [true, false]],
  ['kubelets that are moved', inPhase('moving'), [true, true]],
  ['kubelets that have been moved', inPhase('ending'), [true, false]],
  ['an upgrade of Kubernetes that is prepared', inStage('preparing'), [true, false]],
  ['API servers that are moved', inStage('apiServer'), [true, false]],
  ['an upgrade of which workers have their part', inStage('workers'), [true, true]],
  ['an upgrade of which only manifests are left', inStage('manifests'), [true, false]],
  ['an upgrade that is done', inStage('done'), [false, false]],
  ['an upgrade that was stopped', inStage('stopped'), [false, false]],
])('%s keeps Talos as it is, and lets kubelets move, or does not', (_what, controlPlane, said) => {
  expect([keepsTalos(controlPlane), letsKubeletsMove(controlPlane)]).toEqual(said)
})

test('a phase that nobody knows can only end', () => {
  expect(kubeletPhase(inPhase('dancing'))).toBe('ending')
})
