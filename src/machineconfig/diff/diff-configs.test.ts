import { expect, test } from 'vitest'
import { aConfig, aDocument } from './a-config.cases.ts'
import { changesBetween } from './changes.ts'
import { diffConfigs } from './diff-configs.ts'

const before = aConfig(
  {
    machine: {
      token: 'old.token',
      certSANs: ['a', 'b'],
      install: { disk: '/dev/sda', wipe: false },
      sysctls: { 'net.core.somaxconn': '1' },
      network: { interfaces: [{ interface: 'eth0', mtu: 1500 }, { interface: 'eth1' }] },
    },
  },
  aDocument('HostnameConfig', { auto: 'stable' }),
  aDocument('VolumeConfig', { name: 'EPHEMERAL', provisioning: { maxSize: '10GB' } }),
)

const after = aConfig(
  {
    machine: {
      token: 'new.token',
      certSANs: ['b', 'c'],
      install: { disk: '/dev/vda', wipe: false },
      network: {
        interfaces: [
          { interface: 'eth2', addresses: ['10.0.0.1/24'] },
          { interface: 'eth0', mtu: 9000 },
        ],
      },
      time: { disabled: true },
    },
  },
  aDocument('VolumeConfig', { name: 'EPHEMERAL', provisioning: { maxSize: '20GB' } }),
  aDocument('RegistryAuthConfig', { name: 'r.example.com', password: 'x' }),
)

test('a diff is read by people', () => {
  expect(diffConfigs(before, after)).toBe(`  v1alpha1
    ~ machine.token: a secret, which changes
    - machine.certSANs[]: "a"
    + machine.certSANs[]: "c"
    ~ machine.install.disk: "/dev/sda" → "/dev/vda"
    - machine.sysctls:
    -   net.core.somaxconn: "1"
    ~ machine.network.interfaces[eth0].mtu: 1500 → 9000
    - machine.network.interfaces[eth1]:
    -   interface: eth1
    + machine.network.interfaces[eth2]:
    +   interface: eth2
    +   addresses:
    +     - 10.0.0.1/24
    + machine.time:
    +   disabled: true
- HostnameConfig
  VolumeConfig EPHEMERAL
    ~ provisioning.maxSize: "10GB" → "20GB"
+ RegistryAuthConfig r.example.com
    + name: r.example.com
    + password: "******"
`)
})

test('configurations that say the same have no diff, whatever the order of their keys', () => {
  const one = aConfig({ machine: { type: 'worker', token: 'x' }, debug: true })
  const other = aConfig({ debug: true, machine: { token: 'x', type: 'worker' } })

  expect(diffConfigs(one, other)).toBe('')
})

test('the order of a list is a change', () => {
  const one = aConfig({ machine: { certSANs: ['a', 'b'] } })
  const other = aConfig({ machine: { certSANs: ['b', 'a'] } })

  expect(diffConfigs(one, other)).toBe(
    '  v1alpha1\n    ~ machine.certSANs[0]: "a" → "b"\n    ~ machine.certSANs[1]: "b" → "a"\n',
  )
})

test('items without a name of their own are told apart by their place', () => {
  const routes = (...list: { gateway: string }[]) =>
    aConfig({ machine: { network: { interfaces: [{ interface: 'eth0', routes: list }] } } })

  expect(
    changesBetween(
      routes({ gateway: '10.0.0.1' }),
      routes({ gateway: '10.0.0.2' }, { gateway: '10.0.0.3' }),
    ).map(({ path }) => path),
  ).toEqual([
    'machine.network.interfaces[eth0].routes[0].gateway',
    'machine.network.interfaces[eth0].routes[1]',
  ])
})

test('a value that becomes another kind of value is a change of the whole', () => {
  const args = (value: string | string[]) =>
    aConfig({ cluster: { apiServer: { extraArgs: { 'a-b': value } } } })

  expect(diffConfigs(args('x'), args(['x', 'y']))).toBe(
    '  v1alpha1\n    ~ cluster.apiServer.extraArgs.a-b: "x" → ["x","y"]\n',
  )
})

test('keys with odd letters are quoted, and those that every object has are no trap', () => {
  const labels = (map: Record<string, string>) => aConfig({ machine: { nodeLabels: map } })

  const changes = changesBetween(
    labels({ 'a.b/c': '1' }),
    labels({ 'a.b/c': '2', constructor: 'x' }),
  )

  expect(changes.map(({ path }) => path)).toEqual([
    'machine.nodeLabels["a.b/c"]',
    'machine.nodeLabels.constructor',
  ])
})

test('a secret that comes or goes is stars', () => {
  expect(diffConfigs(aConfig({ machine: {} }), aConfig({ machine: { token: 'x' } }))).toBe(
    '  v1alpha1\n    + machine.token: "******"\n',
  )
})

// So long that the test would not end in time if each item were compared with each.
test('long lists are compared in time that grows with their length', () => {
  const sans = (from: number) =>
    Array.from({ length: 40_000 }, (_, at) => `host-${from + at}.example`)
  const [before, after] = [sans(0), sans(40_000)].map((certSANs) =>
    aConfig({ machine: { certSANs } }),
  )

  const lines = diffConfigs(before ?? aConfig({}), after ?? aConfig({})).split('\n')

  expect(lines).toHaveLength(80_002)
})
