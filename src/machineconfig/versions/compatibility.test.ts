import { expect, test } from 'vitest'
import {
  kubeletSkewProblem,
  kubernetesPathProblem,
  kubernetesProblem,
  upgradeProblem,
} from './compatibility.ts'

test.each([
  ['v1.13.0', 'v1.31.0'],
  ['v1.13.0', '1.36.98'],
  ['v1.13.0', '1.36.0-rc.1'],
  ['v1.5.5', '1.28.3'],
])('Talos %s runs Kubernetes %s', (talos, kubernetes) => {
  expect(kubernetesProblem(talos, kubernetes)).toBeUndefined()
})

test.each([
  ['v1.13.0', '1.30.14', 'version of Kubernetes 1.30.14 is too old to be used with Talos 1.13.0'],
  ['v1.13.2', '1.37.0', 'version of Kubernetes 1.37.0 is too new to be used with Talos 1.13.2'],
  ['v1.13.2', '1.36.99', 'version of Kubernetes 1.36.99 is too new to be used with Talos 1.13.2'],
  ['v1.99.0', '1.37.0', 'compatibility with version 1.99.0 is not supported'],
  ['v2.13.0', '1.36.0', 'compatibility with version 2.13.0 is not supported'],
  ['next', '1.36.0', '"next" is not a version of Talos'],
  ['v1.13.0', 'stable', '"stable" is not a version of Kubernetes'],
])('Talos %s does not run Kubernetes %s, and says why', (talos, kubernetes, problem) => {
  expect(kubernetesProblem(talos, kubernetes)).toBe(problem)
})

test.each([
  ['v1.12.4', 'v1.13.0'],
  ['v1.11.0', 'v1.13.0'],
  ['v1.13.5', 'v1.13.0'],
  ['v1.14.9', 'v1.13.0'],
  ['v1.8.0-alpha.1', 'v1.9.0'],
])('a machine with Talos %s can become %s', (from, to) => {
  expect(upgradeProblem(from, to)).toBeUndefined()
})

test.each([
  ['v1.10.6', 'v1.13.0', 'host version 1.10.6 is too old to upgrade to Talos 1.13.0'],
  ['v1.7.6', 'v1.9.0', 'host version 1.7.6 is too old to upgrade to Talos 1.9.0'],
  ['v1.15.0', 'v1.13.0', 'host version 1.15.0 is too new to downgrade to Talos 1.13.0'],
  ['v1.13.0', 'v1.99.0', 'upgrades to version 1.99.0 are not supported'],
  ['old', 'v1.13.0', '"old" is not a version of Talos'],
  ['v1.13.0', 'new', '"new" is not a version of Talos'],
])('a machine with Talos %s cannot become %s, and the error says why', (from, to, problem) => {
  expect(upgradeProblem(from, to)).toBe(problem)
})

test.each([
  ['v1.35.2', 'v1.35.2'],
  ['v1.35.2', '1.35.9'],
  ['1.35.9', 'v1.36.0'],
  ['v1.36.5', 'v1.37.0-rc.0'],
  ['v1.37.0-rc.0', 'v1.37.0-rc.1'],
  ['v1.37.0-rc.1', 'v1.37.0'],
])('Kubernetes %s can become %s', (from, to) => {
  expect(kubernetesPathProblem(from, to)).toBeUndefined()
})

const BACK = 'an older version may not understand what a newer one has stored; ask for'
const FAR = 'it is upgraded by one minor version at a time; upgrade to'

test.each([
  ['v1.34.1', 'v1.36.0', `Kubernetes v1.34.1 cannot become v1.36.0: ${FAR} v1.35 first`],
  ['1.29.9', '1.37.0', `Kubernetes v1.29.9 cannot become v1.37.0: ${FAR} v1.30 first`],
  ['v1.36.2', 'v1.36.1', `Kubernetes v1.36.2 cannot become v1.36.1: ${BACK} v1.36.2 or newer`],
  ['v1.36.0', 'v1.35.9', `Kubernetes v1.36.0 cannot become v1.35.9: ${BACK} v1.36.0 or newer`],
  [
    'v1.37.0',
    'v1.37.0-rc.1',
    `Kubernetes v1.37.0 cannot become v1.37.0-rc.1: ${BACK} v1.37.0 or newer`,
  ],
  [
    'v1.36.0',
    'v2.0.0',
    'Kubernetes v1.36.0 cannot become v2.0.0: no way to another major version is known',
  ],
  ['old', 'v1.36.0', '"old" is not a version of Kubernetes'],
  ['v1.36.0', 'stable', '"stable" is not a version of Kubernetes'],
])('Kubernetes %s cannot become %s, and the error says what to do', (from, to, problem) => {
  expect(kubernetesPathProblem(from, to)).toBe(problem)
})

test.each([
  ['v1.36.0', 'v1.36.0'],
  ['v1.36.3', 'v1.36.0'],
  ['v1.33.9', 'v1.36.0'],
  ['v1.25.0', 'v1.28.0'],
  ['v1.25.0', 'v1.27.9'],
])('a kubelet of %s goes with an API server of %s', (kubelet, apiServer) => {
  expect(kubeletSkewProblem(kubelet, apiServer)).toBeUndefined()
})

test.each([
  ['v1.37.0', 'v1.36.9', 'a kubelet is never newer; upgrade the API server first'],
  [
    ...(['v1.32.9', 'v1.36.0'] as const),
    'a kubelet is at most 3 minor versions older; upgrade it to v1.33 or newer first',
  ],
  [
    ...(['v1.24.0', 'v1.27.9'] as const),
    'a kubelet is at most 2 minor versions older; upgrade it to v1.25 or newer first',
  ],
  ['v1.36.0', 'v2.0.0', 'no way to another major version is known'],
])('a kubelet of %s does not go with an API server of %s', (kubelet, apiServer, why) => {
  expect(kubeletSkewProblem(kubelet, apiServer)).toBe(
    `the kubelet's ${kubelet} does not go with the API server's ${apiServer}: ${why}`,
  )
})

test('a kubelet or an API server without a version is told', () => {
  expect(kubeletSkewProblem('x', 'v1.36.0')).toBe('"x" is not a version of Kubernetes')
  expect(kubeletSkewProblem('v1.36.0', 'y')).toBe('"y" is not a version of Kubernetes')
})
