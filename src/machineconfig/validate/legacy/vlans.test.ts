import { expect, test } from 'vitest'
import { vlanProblems } from './vlans.ts'

test('what is wrong with VLANs', () => {
  const vlans = [
    { vlanId: 1, addresses: ['::1/64'] },
    { vlanId: 2, cidr: '10.0.0.1/24' },
    { vlanId: 3, cidr: '10.0.0.1/x', addresses: ['y'] },
    null,
  ]
  expect([...vlanProblems({ interface: 'eth0', vlans })]).toEqual([
    "[networking.os.device.vlan] eth0.3: vlan can't have both .cidr and .addresses set",
    '[networking.os.device.vlan.CIDR] eth0.3: invalid CIDR address: 10.0.0.1/x',
    '[networking.os.device.vlan.addresses] eth0.3: failed to parse IP address "y"',
    '[networking.os.device.vlan] eth0: vlans[3] is null',
  ])
})
