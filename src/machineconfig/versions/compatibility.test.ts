import { expect, test } from 'vitest'
import { kubernetesProblem, upgradeProblem } from './compatibility.ts'

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
