import { expect, test } from 'vitest'
import type { ValueMap } from '#machineconfig/document.ts'
import { deviceProblems, deviceWarnings } from './devices.ts'

const PLACES = '[networking.os.device.interface], [networking.os.device.deviceSelector]'
const MEMBERS = new Map([['eth9', 'bond0']])

const judged = (device: ValueMap | undefined): string[] => [...deviceProblems(device, MEMBERS)]

test('a device is named or selected', () => {
  expect(judged(undefined)).toEqual(['empty device'])
  expect(judged({ interface: 'eth0' })).toEqual([])
  expect(judged({ deviceSelector: { physical: false } })).toEqual([])
  expect(judged({})).toEqual([`${PLACES}: required either config section to be set`])
  expect(judged({ interface: 'eth0', deviceSelector: {} })).toEqual([
    `${PLACES}: config sections are mutually exclusive`,
    '[networking.os.device.deviceSelector]: config section should contain at least one field',
  ])
})

test('an ignored device may be anything', () => {
  expect(judged({ ignore: true, cidr: 'x' })).toEqual([])
  expect([...deviceWarnings({ ignore: true, cidr: 'x' })]).toEqual([])
})

test('addresses are addresses', () => {
  expect(judged({ interface: 'eth0', addresses: ['::1/64', 'x'], vip: { ip: 'y' } })).toEqual([
    '[networking.os.device.addresses] "eth0": failed to parse IP address "x"',
    '[networking.os.device.vip] failed to parse "y" as IP address',
  ])
  expect(judged({ interface: 'eth0', vip: { ip: '::1' } })).toEqual([])
})

test('an address is written in one of two ways, of which one is old', () => {
  const device = { interface: 'eth0', cidr: '10.0.0.1/24' }
  expect(judged(device)).toEqual([])
  expect([...deviceWarnings(device)]).toEqual([
    '"eth0": machine.network.interface.cidr is deprecated, please use machine.network.interface.addresses',
  ])
  expect([...deviceWarnings({ interface: 'eth0' })]).toEqual([])
  expect(judged({ interface: 'eth0', cidr: '10.0.0.1/x', addresses: ['::1'] })).toEqual([
    '[networking.os.device] "eth0": interface can\'t have both .cidr and .addresses set',
    '[networking.os.device.CIDR] "eth0": invalid CIDR address: 10.0.0.1/x',
  ])
})

test.for([
  { dhcp: true },
  { cidr: '10.0.0.1/24' },
  { addresses: ['10.0.0.1'] },
  { vip: { ip: '10.0.0.1' } },
])('a member of a bond has no addresses: %j', (addressing) => {
  expect(judged({ interface: 'eth9', mtu: 1500 })).toEqual([])
  expect(judged({ interface: 'eth8', ...addressing })).toEqual([])
  expect(judged({ interface: 'eth9', ...addressing })).toEqual([
    '[networking.os.device] "eth9": bonded/bridged interface shouldn\'t have any addressing methods configured',
  ])
})

test('bonds, Wireguard, VLANs and routes are looked into', () => {
  const device = {
    interface: 'x',
    bond: { adActorSystem: 'y' },
    wireguard: {},
    vlans: [{ vlanId: 5, cidr: 'z' }],
    routes: [{}],
  }
  expect(judged(device)).toEqual([
    'bond.adActorSystem is not supported',
    'private key is invalid: wrong key "" length: 0',
    '[networking.os.device.vlan.CIDR] x.5: failed to parse IP address "z"',
    '[networking.os.device.route[0]]: either network or gateway should be set',
  ])
})
