import { expect, test } from 'vitest'
import type { ValueMap } from '#machineconfig/document.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { aConfig, aDocument } from './a-config.cases.ts'
import { classifyChange } from './classify.ts'

const effort = (before: ValueMap, after: ValueMap, talosVersion = 'v1.13.0') =>
  classifyChange(aConfig(before), aConfig(after), { talosVersion }).effort

test('nothing changes: nothing is needed', () => {
  expect(effort({ machine: { token: 'x' } }, { machine: { token: 'x' } })).toBe('none')
})

test.each<[string, ValueMap, ValueMap]>([
  ['kubelet', { machine: {} }, { machine: { kubelet: { image: 'x' } } }],
  ['the cluster', { cluster: { id: 'a' } }, { cluster: { id: 'b' } }],
  ['debug', {}, { debug: true }],
  [
    'an interface',
    { machine: { network: { interfaces: [{ interface: 'eth0' }] } } },
    { machine: { network: { interfaces: [{ interface: 'eth0', mtu: 9000 }] } } },
  ],
  ['a list', { machine: { certSANs: ['a'] } }, { machine: { certSANs: ['b'] } }],
])('%s changes live', (_, before, after) => {
  expect(effort(before, after)).toBe('live')
})

test.each<[string, ValueMap, ValueMap]>([
  ['the token', { machine: { token: 'x' } }, { machine: { token: 'y' } }],
  ['files', { machine: {} }, { machine: { files: [{ path: '/var/a' }] } }],
  [
    'a feature that nobody named',
    { machine: { features: {} } },
    { machine: { features: { rbac: true } } },
  ],
  ['all features', { machine: {} }, { machine: { features: { kubePrism: { enabled: true } } } }],
  ['the whole machine', {}, { machine: { kubelet: {} } }],
  ['a name that only begins alike', { machine: {} }, { machine: { networks: 'x' } }],
])('%s needs a reboot', (_, before, after) => {
  expect(effort(before, after)).toBe('reboot')
})

test('what older versions cannot change live needs a reboot there', () => {
  const [before, after] = [{ machine: { ca: { crt: 'a' } } }, { machine: { ca: { crt: 'b' } } }]

  expect(effort(before, after, 'v1.8.0')).toBe('reboot')
  expect(effort(before, after, 'v1.9.0')).toBe('live')
})

test('the strongest of several changes counts, and each is told', () => {
  const { effort: most, changes } = classifyChange(
    aConfig({ machine: { install: { disk: '/dev/sda' }, token: 'x', time: { disabled: false } } }),
    aConfig({ machine: { install: { disk: '/dev/sdb' }, token: 'y', time: { disabled: true } } }),
    { talosVersion: 'v1.13.0' },
  )

  expect(most).toBe('install')
  expect(changes.map(({ path, effort: one }) => [path, one])).toEqual([
    ['machine.install.disk', 'install'],
    ['machine.token', 'reboot'],
    ['machine.time.disabled', 'live'],
  ])
})

test('further documents change live, but for the one that says how to install', () => {
  const config = (hostname: string, image: string) =>
    aConfig(
      {},
      aDocument('HostnameConfig', { hostname }),
      aDocument('UnattendedInstallConfig', { installer: { image } }),
    )
  const from = config('a', 'x')
  const against = { talosVersion: 'v1.14.0' }

  expect(classifyChange(from, config('b', 'x'), against).effort).toBe('live')
  expect(classifyChange(from, config('b', 'y'), against).effort).toBe('install')
})

test('a configuration without its main document needs a reboot', () => {
  const none = new MachineConfig([])

  expect(classifyChange(aConfig({ debug: true }), none, { talosVersion: 'v1.13' }).effort).toBe(
    'reboot',
  )
})
