import { expect, test } from 'vitest'
import { kubeletProblems } from './kubelet.ts'

test('subnets of the kubelet', () => {
  expect([...kubeletProblems({ nodeIP: { validSubnets: ['!::1', 'x'] } })]).toEqual([
    'kubelet nodeIP subnet is not valid: "x"',
  ])
})

test('settings that Talos keeps for itself, null or not', () => {
  expect([...kubeletProblems({ extraConfig: { maxPods: 5 } })]).toEqual([])
  expect([...kubeletProblems({ extraConfig: { seccompDefault: true, kind: null } })]).toEqual([
    'kubelet configuration field "kind" can\'t be overridden',
    'kubelet configuration field "seccompDefault" can\'t be overridden',
  ])
})

test.for(
  'apiVersion authentication authorization cgroupRoot kind kubeletCgroups port protectKernelDefaults resolvConf rotateCertificates systemCgroups staticPodPath seccompDefault'.split(
    ' ',
  ),
)('%s is not for us to set', (field) => {
  expect([...kubeletProblems({ extraConfig: { [field]: 'x' } })]).toHaveLength(1)
})
