import { expect, test } from 'vitest'
import { isOfNetwork } from './network-places.ts'

test.each([
  ['v1alpha1', 'machine.network.interfaces[eth0].addresses[0]', true],
  ['v1alpha1', 'machine.network', true],
  ['v1alpha1', 'machine.networked', false],
  ['v1alpha1', 'cluster.network.cni', false],
  ['LinkConfig eth0', 'addresses[0]', true],
  ['NetworkDefaultActionConfig', 'ingress', true],
  ['VolumeConfig EPHEMERAL', 'provisioning', false],
])('%s %s: %s', (document, path, expected) => {
  expect(isOfNetwork({ document, path })).toBe(expected)
})
