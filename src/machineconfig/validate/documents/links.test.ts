import { describe, expect, test } from 'vitest'
import { errorsOf, verdictOn } from './verdicts.cases.ts'

const WIREGUARD_KEY = 'OJ34O6J1z4ZZB+t16c+vYrzIrKddxyU3Z2eLhwYzqE8='
const NAME = 'name must be specified'
const addressing = {
  addresses: [{ address: '10.0.0.2/24' }, {}, { address: '0.0.0.0/0' }],
  routes: [{ gateway: '10.0.0.1' }, { destination: '::/0', gateway: '0.0.0.0', source: '::' }],
}
const WRONG_ADDRESSING = [
  'address 1 must be specified',
  'address 2 must be a valid IP address',
  'route 1 destination must be a valid IP prefix',
  'route 1 gateway must be a valid IP address',
  'route 1 source must be a valid IP address',
]

describe('links', () => {
  test.each(['LinkConfig', 'DummyLinkConfig', 'BridgeConfig'])(
    '%s has a name and addresses',
    (kind) => {
      expect(errorsOf(kind, addressing)).toEqual([NAME, ...WRONG_ADDRESSING])
      expect(errorsOf(kind, { name: 'eth0' })).toEqual([])
    },
  )

  test('a bond has links and a mode', () => {
    expect(errorsOf('BondConfig', addressing)).toEqual([
      NAME,
      'at least one link must be specified',
      'bond mode must be specified',
      ...WRONG_ADDRESSING,
    ])
    const bond = { name: 'bond0', links: ['eth0'], bondMode: 'balance-rr' }
    expect(verdictOn([['BondConfig', bond]])).toEqual({ warnings: [], errors: [] })
  })

  test('of a bond with LACP three more things are wanted', () => {
    const bond = { name: 'bond0', links: ['eth0'], bondMode: '802.3ad', miimon: 0 }
    expect(verdictOn([['BondConfig', bond]])).toEqual({
      warnings: ['updelay', 'downdelay'].map((key) => `${key} was not specified for 802.3ad bond`),
      errors: [],
    })
  })

  test('a VLAN has a number and a parent', () => {
    const vlan = (vlanID: number) => errorsOf('VLANConfig', { name: 'a', parent: 'b', vlanID })
    const wrong = 'vlanID must be specified and between 1 and 4094'
    expect(errorsOf('VLANConfig', addressing)).toEqual([
      NAME,
      wrong,
      'parent must be specified',
      ...WRONG_ADDRESSING,
    ])
    expect([vlan(4094), vlan(4095)]).toEqual([[], [wrong]])
  })

  test('a VRF has a table of its own', () => {
    const table = (name: string) => errorsOf('VRFConfig', { name: 'a', table: name })
    expect(errorsOf('VRFConfig', addressing)).toEqual([
      NAME,
      'cannot create vrf with reserved table unspec',
      ...WRONG_ADDRESSING,
    ])
    expect(table('10')).toEqual([])
    for (const name of ['main', 'local', 'default']) {
      expect(table(name)).toEqual([`cannot create vrf with reserved table ${name}`])
    }
  })
})

describe('a WireGuard link', () => {
  const good = { name: 'wg0', privateKey: WIREGUARD_KEY }

  test('has a key', () => {
    const errors = (privateKey: string) => errorsOf('WireguardConfig', { ...good, privateKey })
    expect(errorsOf('WireguardConfig', addressing)).toEqual([
      NAME,
      'wireguard private key must be specified',
      ...WRONG_ADDRESSING,
    ])
    expect(errors('YWJj')).toEqual([
      'wireguard private key is invalid: invalid wireguard key length',
    ])
    expect(errors('*')).toEqual([
      'wireguard private key is invalid: illegal base64 data at input byte 0',
    ])
    expect(errorsOf('WireguardConfig', good)).toEqual([])
  })

  test('listens on a port', () => {
    const wrong = ['wireguard listen port must be between 0 and 65535']
    expect(errorsOf('WireguardConfig', { ...good, listenPort: -1 })).toEqual(wrong)
    expect(errorsOf('WireguardConfig', { ...good, listenPort: 65536 })).toEqual(wrong)
    expect(errorsOf('WireguardConfig', { ...good, listenPort: 65535 })).toEqual([])
  })

  test('has peers with keys', () => {
    const peers = [
      null,
      { publicKey: 'YWJj', presharedKey: '*', persistentKeepaliveInterval: '-5s' },
      { publicKey: WIREGUARD_KEY, presharedKey: WIREGUARD_KEY, persistentKeepaliveInterval: '5s' },
    ]
    expect(errorsOf('WireguardConfig', { ...good, peers })).toEqual([
      'wireguard peer public key must be specified (peer index 0)',
      'wireguard peer public key is invalid (peer index 1): invalid wireguard key length',
      'wireguard peer preshared key is invalid (peer index 1): illegal base64 data at input byte 0',
      'wireguard peer persistent keepalive interval cannot be negative (peer index 1)',
    ])
  })
})
