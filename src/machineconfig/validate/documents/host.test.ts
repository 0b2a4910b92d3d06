import { describe, expect, test } from 'vitest'
import { conflictOf, errorsOf, verdictOn } from './verdicts.cases.ts'

describe('the name of a machine', () => {
  const NONE = "either 'auto' or 'hostname' must be set"

  test('is given or made, not both', () => {
    expect(errorsOf('HostnameConfig', {})).toEqual([NONE])
    expect(errorsOf('HostnameConfig', { auto: 'off' })).toEqual([NONE])
    expect(errorsOf('HostnameConfig', { auto: 'stable', hostname: 'a' })).toEqual([
      "'auto' and 'hostname' cannot be set at the same time",
    ])
    expect(errorsOf('HostnameConfig', { auto: 'off', hostname: 'a' })).toEqual([])
    expect(errorsOf('HostnameConfig', { auto: 'stable' })).toEqual([])
  })

  test('comes from elsewhere since v1.14', () => {
    expect(errorsOf('HostnameConfig', { auto: 'off' }, 'v1.14.0')).toEqual([])
    expect(errorsOf('HostnameConfig', {}, 'v1.14.0')).toEqual([NONE])
  })

  test('is not made of the address any more', () => {
    expect(errorsOf('HostnameConfig', { auto: 'addr' })).toEqual(["invalid value for 'auto': addr"])
  })

  test('is not too long', () => {
    expect(errorsOf('HostnameConfig', { hostname: '.a' })).toEqual(['invalid hostname ""'])
    const label = 'x'.repeat(64)
    expect(errorsOf('HostnameConfig', { hostname: label })).toEqual([`invalid hostname "${label}"`])
    expect(errorsOf('HostnameConfig', { hostname: `a.${'x'.repeat(252)}` })).toEqual([
      'fqdn is too long: 254',
    ])
  })

  test('is said once', () => {
    const conflict = (machine: object) =>
      conflictOf(['HostnameConfig', { hostname: 'a' }], { machine: { ...machine } })
    expect(conflict({ network: { hostname: 'b' } })).toBe(
      'static hostname is already set in v1alpha1 config',
    )
    expect(conflict({ features: { stableHostname: true } })).toBe(
      'stable hostname is already set in v1alpha1 config',
    )
    expect(conflict({ features: { stableHostname: false } })).toBeUndefined()
  })
})

test('names of other hosts belong to addresses', () => {
  expect(errorsOf('StaticHostConfig', {})).toEqual([
    'name is required',
    'name must be a valid IP address',
    'at least one hostname is required',
  ])
  expect(errorsOf('StaticHostConfig', { name: '10.0.0.1', hostnames: ['a'] })).toEqual([])
})

describe('time', () => {
  test('comes from one kind of source', () => {
    expect(errorsOf('TimeSyncConfig', { ntp: {}, ptp: {}, bootTimeout: '-1s' })).toEqual([
      'bootTimeout cannot be negative',
      'only one of ntp or ptp configuration can be specified',
    ])
    expect(errorsOf('TimeSyncConfig', { ptp: {} })).toEqual([])
  })

  test('is asked for securely only by name', () => {
    const ntp = { useNTS: true, servers: ['a', '10.0.0.1'] }
    expect(errorsOf('TimeSyncConfig', { ntp }, 'v1.14.0')).toEqual([
      'NTS requires hostnames, not IP addresses: "10.0.0.1"',
    ])
  })

  test('is said once', () => {
    const conflict = (time: object) =>
      conflictOf(['TimeSyncConfig', {}], { machine: { time: { ...time } } })
    const both = 'in both v1alpha1 and new-style configuration'
    expect(conflict({ disabled: true })).toBe(`time sync cannot be disabled ${both}`)
    expect(conflict({ servers: ['a'] })).toBe(`time servers cannot be specified ${both}`)
    expect(conflict({ bootTimeout: '1m0s' })).toBe(`boot timeout cannot be specified ${both}`)
    expect(conflict({ disabled: false, servers: [] })).toBeUndefined()
  })
})

describe('KubeSpan', () => {
  test('has room in its packets', () => {
    const small = ['kubespan link MTU must be at least 1280']
    expect(errorsOf('KubeSpanConfig', { mtu: 1279 })).toEqual(small)
    expect(errorsOf('KubeSpanConfig', { mtu: 0 })).toEqual(small)
    expect(errorsOf('KubeSpanConfig', { mtu: 1280 })).toEqual([])
  })

  test('filters subnets', () => {
    expect(errorsOf('KubeSpanConfig', { filters: { endpoints: ['!10.0.0.0/8', '!x'] } })).toEqual([
      'KubeSpan endpoint filter is not valid: "x"',
    ])
  })

  test('is said once', () => {
    const conflict = (network: object) =>
      conflictOf(['KubeSpanConfig', {}], { machine: { network: { ...network } } })
    expect(conflict({ kubespan: {} })).toBe(
      'kubespan is already configured in v1alpha1 machine.network.kubespan',
    )
    expect(conflict({})).toBeUndefined()
  })
})

describe('resolvers', () => {
  const conflict = (machine: object, fields: object = {}, version = 'v1.13.0') =>
    conflictOf(['ResolverConfig', { ...fields }], { machine: { ...machine } }, version)

  test('are said once', () => {
    const told = (key: string) => `.machine.network.${key} is already set in v1alpha1 config`
    expect(conflict({ network: { searchDomains: [] } })).toBe(told('searchDomains'))
    expect(conflict({ network: { nameservers: ['x', '1.1.1.1'] } })).toBe(told('nameservers'))
    expect(conflict({ network: { nameservers: ['x'] } })).toBeUndefined()
    expect(conflict({ network: { disableSearchDomain: true } })).toBe(told('disableSearchDomain'))
  })

  test('include that of the host since v1.14', () => {
    const machine = { features: { hostDNS: {} } }
    const fields = { hostDNS: { enabled: true } }
    expect(conflict(machine, fields, 'v1.14.0')).toBe(
      '.machine.features.hostDNS is already set in v1alpha1 config',
    )
    expect(conflict(machine, fields)).toBeUndefined()
    expect(conflict(machine, { hostDNS: {} }, 'v1.14.0')).toBeUndefined()
    expect(conflict(machine, {}, 'v1.14.0')).toBeUndefined()
  })

  test('are not looked into before v1.14', () => {
    expect(errorsOf('ResolverConfig', { nameservers: [{}] })).toEqual([])
  })

  test('that encrypt have a name', () => {
    const nameservers = [
      { address: '1.1.1.1', protocol: 'DoT' },
      { address: '1.1.1.1', tlsServerName: 'a' },
      { protocol: 'DoH', tlsServerName: 'a' },
      { address: '1.1.1.1' },
    ]
    expect(errorsOf('ResolverConfig', { nameservers }, 'v1.14.0').slice(0, 3)).toEqual([
      'tlsServerName must be set when protocol is DoT: entry 0',
      'tlsServerName must be empty when protocol is Do53: entry 1',
      'nameserver address must be a valid IP: entry 2',
    ])
  })

  test('do nothing for others while they are off', () => {
    const hostDNS = { forwardKubeDNSToHost: true, resolveMemberNames: true }
    const off = ['forwardKubeDNSToHost', 'resolveMemberNames'].map(
      (key) => `hostDNS.${key} cannot be enabled when hostDNS.enabled is false`,
    )
    expect(errorsOf('ResolverConfig', { hostDNS }, 'v1.14.0')).toEqual(off)
    expect(
      errorsOf('ResolverConfig', { hostDNS: { ...hostDNS, enabled: true } }, 'v1.14.0'),
    ).toEqual([])
  })

  test('that all encrypt may keep a machine from starting', () => {
    const one = { address: '1.1.1.1', protocol: 'DoT', tlsServerName: 'a' }
    const warnings = (nameservers: object[], talosVersion = 'v1.14.0') =>
      verdictOn([['ResolverConfig', { nameservers: nameservers.map((each) => ({ ...each })) }]], {
        talosVersion,
      }).warnings
    expect(warnings([one])).toEqual([
      expect.stringMatching(/^all configured nameservers use encrypted/),
    ])
    expect(warnings([one, { address: '1.1.1.1' }])).toEqual([])
    expect(warnings([])).toEqual([])
    expect(warnings([one], 'v1.13.0')).toEqual([])
  })
})
