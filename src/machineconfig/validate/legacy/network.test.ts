import { expect, test } from 'vitest'
import type { ValueMap } from '#machineconfig/document.ts'
import { networkProblems, networkWarnings, workerVipProblems } from './network.ts'

const machine = (...interfaces: (ValueMap | null)[]): ValueMap => ({ network: { interfaces } })

test('a link belongs to one bond or bridge', () => {
  const one = { interface: 'bond0', bond: { interfaces: ['eth0', 'eth1'] } }
  const other = { interface: 'br0', bridge: { interfaces: ['eth1', 'eth2'] } }
  expect([...networkProblems(machine(one, one))]).toEqual([])
  expect([...networkProblems(machine(one, other, { interface: 'eth2', dhcp: true }))]).toEqual([
    'interface "eth1" is declared as part of two separate links: "bond0" and "br0"',
    '[networking.os.device] "eth2": bonded/bridged interface shouldn\'t have any addressing methods configured',
  ])
})

test('a bond is no bridge, and is made of names or of selectors', () => {
  const both = {
    interface: 'x',
    bridge: { interfaces: ['a'] },
    bond: { interfaces: ['b'], deviceSelectors: [{ busPath: '0*' }] },
  }
  expect([...networkProblems(machine(both, { interface: 'b', dhcp: true }))]).toEqual([
    'interface has both bridge and bond sections set "x": config sections are mutually exclusive',
    'interface "x" has both interfaces and selectors set: config sections are mutually exclusive',
  ])
  expect([
    ...networkProblems(machine({ interface: 'x', bond: { deviceSelectors: [{}] } })),
  ]).toEqual([])
})

test('devices and KubeSpan are looked into', () => {
  const kubespan = { enabled: true, mtu: 5 }
  expect([...networkProblems({ network: { interfaces: [null], kubespan } })]).toEqual([
    'empty device',
    'kubespan link MTU must be at least 1280',
  ])
  expect([...networkWarnings(machine({ interface: 'a', cidr: '::1/64' }))]).toHaveLength(1)
  expect([...networkProblems({})]).toEqual([])
})

test('workers share no addresses', () => {
  const vip = { ip: '::1' }
  const shared = machine({ vip, vlans: [{ vip }, {}, null] }, { interface: 'eth0' }, null)
  expect([...workerVipProblems(shared)]).toEqual([
    'virtual (shared) IP is not allowed on non-controlplane nodes',
    'virtual (shared) IP is not allowed on non-controlplane nodes',
  ])
})
