import { describe, expect, test } from 'vitest'
import { ConfigError } from '#machineconfig/config-error.ts'
import { loadPatch } from '#machineconfig/patch/load-patch.ts'
import { aCluster } from './a-cluster.cases.ts'
import { type MachineRequest, machineConfigFor } from './machine-config-for.ts'

const configFor = (talosVersion: string, request: Partial<MachineRequest>) =>
  machineConfigFor({ role: 'controlplane', cluster: aCluster({ talosVersion }), ...request })

const patch = (name: string, value: unknown) => loadPatch({ name, value })

const veth = { apiVersion: 'v1alpha1', kind: 'VethConfig', name: 'a', peer: { name: 'b' } }
const volume = { apiVersion: 'v1alpha1', kind: 'UserVolumeConfig', name: 'a', trim: {} }
const sysctls = { machine: { sysctls: { a: '1' } } }
const TRIM = 'trim needs Talos v1.14 or newer, the target is v1.13'
const VETH = 'kind VethConfig needs Talos v1.14 or newer, the target is v1.13'

describe('what the version of a machine does not have', () => {
  test('is refused in a further document, by its name', () => {
    const withDocument = (talosVersion: string, value: unknown) => () =>
      configFor(talosVersion, { additionalDocuments: [{ name: 'additional[0]', value }] })

    expect(withDocument('v1.13.9', veth)).toThrow(new ConfigError(`additional[0]: ${VETH}`))
    expect(withDocument('v1.13.9', volume)).toThrow(new ConfigError(`additional[0]: ${TRIM}`))
    expect(withDocument('v1.14.1', veth)).not.toThrow()
    expect(withDocument('v1.14.0', volume)).not.toThrow()
  })

  test('is refused in the patch that brings it, by its name', () => {
    const patched = (talosVersion: string, value: unknown) => () =>
      configFor(talosVersion, { patches: [patch('first', sysctls), patch('second', value)] })

    expect(patched('v1.13.9', veth)).toThrow(new ConfigError(`second: VethConfig/a: ${VETH}`))
    expect(patched('v1.13.9', volume)).toThrow(
      new ConfigError(`second: UserVolumeConfig/a: ${TRIM}`),
    )
    expect(patched('v1.14.1', veth)).not.toThrow()
  })

  test('is refused in what operations make', () => {
    const operations = [{ op: 'add', path: '/machine/install/grubUseUKICmdline', value: true }]
    const patched = (talosVersion: string) => () =>
      configFor(talosVersion, { patches: [patch('operations', operations)] })

    expect(patched('v1.11.0')).toThrow(
      new ConfigError(
        'operations: machine.install.grubUseUKICmdline needs Talos v1.12 or newer, the target is v1.11',
      ),
    )
  })

  test('is that of the version that the machine installs, not of the form of its cluster', () => {
    const patches = [patch('first', veth)]

    expect(() =>
      configFor('v1.13.0', { machine: { talosVersion: 'v1.14.1' }, patches }),
    ).not.toThrow()
    expect(() => configFor('v1.14.1', { machine: { talosVersion: 'v1.13.0' }, patches })).toThrow(
      new ConfigError(`first: VethConfig/a: ${VETH}`),
    )
  })

  test('is told of the form of the cluster too, if the machine is older than that', () => {
    expect(() => configFor('v1.13.0', { machine: { talosVersion: 'v1.11.0' } })).toThrow(
      /needs Talos v1\.\d+ or newer, the target is v1\.11$/,
    )
  })

  test.each([5, 6, 7, 8, 9, 10, 11, 12, 13, 14])(
    'is not in what is generated for v1.%i',
    (minor) => {
      for (const role of ['controlplane', 'worker'] as const) {
        expect(() => configFor(`v1.${minor}.0`, { role })).not.toThrow()
      }
    },
  )
})

test('a further document may not shut out another', () => {
  const additionalDocuments = ['LinkConfig', 'DummyLinkConfig'].map((kind) => ({
    name: kind,
    value: { apiVersion: 'v1alpha1', kind, name: 'a' },
  }))

  expect(() => configFor('v1.13.0', { additionalDocuments })).toThrow(
    new ConfigError('conflicting documents: LinkConfig/a and DummyLinkConfig/a'),
  )
})
