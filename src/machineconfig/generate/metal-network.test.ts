import { describe, expect, test } from 'vitest'
import { ConfigError } from '#machineconfig/config-error.ts'
import { type MetalNetwork, metalNetworkConfig } from './metal-network.ts'

test('the network of a machine is written as Talos reads it', () => {
  const network: MetalNetwork = {
    address: '192.0.2.5',
    hostname: 'one.example.org',
    interface: 'eth0',
    subnet: 24,
    gateway: '192.0.2.1',
    dnsServers: ['192.0.2.2', '2001:db8::2'],
  }

  expect(metalNetworkConfig(network)).toBe(`addresses:
    - address: 192.0.2.5/24
      family: inet4
      flags: permanent
      layer: platform
      linkName: eth0
      scope: global
externalIPs: []
hostnames:
    - domainname: example.org
      hostname: one
      layer: platform
links:
    - kind: ""
      layer: platform
      logical: false
      mtu: 0
      name: eth0
      type: ether
      up: true
operators: []
resolvers:
    - dnsServers:
        - 192.0.2.2
        - 2001:db8::2
      layer: platform
routes:
    - dst: ""
      family: inet4
      flags: ""
      gateway: 192.0.2.1
      layer: platform
      outLinkName: eth0
      priority: 1024
      protocol: static
      scope: global
      src: ""
      table: main
      type: unicast
timeServers: []
`)
})

test('an IPv6 address makes everything IPv6', () => {
  const text = metalNetworkConfig({
    address: '2001:db8::5',
    interface: 'eth0',
    subnet: 128,
    gateway: 'fe80::1',
  })

  expect(text).toMatch('address: 2001:db8::5/128\n      family: inet6')
  expect(text).toMatch(/family: inet6\n {6}flags: ""\n {6}gateway: fe80::1/)
  expect(text).toMatch('priority: 2048')
})

test('without an interface there is only what needs none', () => {
  const text = metalNetworkConfig({ address: '192.0.2.5', hostname: 'one' })

  expect(text).toMatch('addresses: []')
  expect(text).toMatch('links: []')
  expect(text).toMatch('routes: []')
  expect(text).toMatch('domainname: ""\n      hostname: one')
  expect(text).toMatch('resolvers: []')
})

test('without a gateway there is no route, without a name no name', () => {
  const text = metalNetworkConfig({ address: '192.0.2.5', interface: 'eth0', subnet: 1 })

  expect(text).toMatch('routes: []')
  expect(text).toMatch('hostnames: []')
})

describe('what makes no network is refused', () => {
  const on = { address: '192.0.2.5', interface: 'eth0', subnet: 24 }

  test.each<[MetalNetwork, string]>([
    [{ address: 'one' }, 'address: "one" is no IP address'],
    [{ ...on, hostname: 'a b' }, 'invalid hostname "a b"'],
    [{ ...on, gateway: 'two' }, 'gateway: "two" is no IP address'],
    [{ ...on, dnsServers: ['192.0.2.2', 'x'] }, 'dnsServers[1]: "x" is no IP address'],
    [{ address: '192.0.2.5', subnet: 24 }, 'interface: needed with subnet and gateway'],
    [{ address: '192.0.2.5', gateway: '192.0.2.1' }, 'interface: needed with subnet and gateway'],
    [
      { address: '192.0.2.5', interface: 'eth0' },
      'subnet: must be a prefix length between 1 and 32',
    ],
    [{ ...on, subnet: 0 }, 'subnet: must be a prefix length between 1 and 32'],
    [{ ...on, subnet: 33 }, 'subnet: must be a prefix length between 1 and 32'],
    [{ ...on, subnet: 1.5 }, 'subnet: must be a prefix length between 1 and 32'],
    [{ ...on, address: '::1', subnet: 129 }, 'subnet: must be a prefix length between 1 and 128'],
  ])('%j', (network, message) => {
    expect(() => metalNetworkConfig(network)).toThrow(new ConfigError(message))
  })
})
