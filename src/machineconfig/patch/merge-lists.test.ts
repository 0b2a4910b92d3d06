import { describe, expect, it } from 'vitest'
import { patchedFields } from './patched.cases.ts'

const interfaces = (base: string, patch: string): unknown => {
  const config = (items: string): string => `machine: {network: {interfaces: [${items}]}}`
  const [fields] = patchedFields(config(base), config(patch))
  return JSON.parse(JSON.stringify(fields)).machine.network.interfaces
}

describe('a list with a rule of its own', () => {
  it.each([
    [
      '{interface: a, mtu: 1}',
      '{interface: a, dhcp: true}',
      [{ interface: 'a', mtu: 1, dhcp: true }],
    ],
    ['{interface: a}', '{interface: b}', [{ interface: 'a' }, { interface: 'b' }]],
    [
      '',
      '{interface: b, mtu: 1}, {interface: b, dhcp: true}',
      [{ interface: 'b', mtu: 1, dhcp: true }],
    ],
    [
      '{deviceSelector: {driver: a}}',
      '{deviceSelector: {driver: a}, mtu: 1}',
      [{ deviceSelector: { driver: 'a' }, mtu: 1 }],
    ],
    [
      '{deviceSelector: {driver: a}}',
      '{deviceSelector: {driver: b}}',
      [{ deviceSelector: { driver: 'a' } }, { deviceSelector: { driver: 'b' } }],
    ],
    [
      '{deviceSelector: {driver: a}}',
      '{deviceSelector: {driver: a, pciID: b}}',
      [{ deviceSelector: { driver: 'a' } }, { deviceSelector: { driver: 'a', pciID: 'b' } }],
    ],
    [
      '{deviceSelector: {physical: true}}',
      '{deviceSelector: {physical: true}}',
      [{ deviceSelector: { physical: true } }, { deviceSelector: { physical: true } }],
    ],
    [
      '{deviceSelector: {}}',
      '{deviceSelector: {physical: true}}',
      [{ deviceSelector: {} }, { deviceSelector: { physical: true } }],
    ],
    ['{interface: a}', '{mtu: 1}', [{ interface: 'a' }, { mtu: 1 }]],
    ['{interface: a}', '', [{ interface: 'a' }]],
    [
      '{interface: a, vlans: [{vlanId: 1, mtu: 1}]}',
      '{interface: a, vlans: [{vlanId: 1, mtu: 2}, {vlanId: 2}]}',
      [{ interface: 'a', vlans: [{ vlanId: 1, mtu: 2 }, { vlanId: 2 }] }],
    ],
  ])('makes of %s and %s what belongs together', (base, patch, result) => {
    expect(interfaces(base, patch)).toEqual(result)
  })

  it('is not set to nothing', () => {
    expect(patchedFields('machine: {network: {}}', 'machine: {network: {interfaces: []}}')).toEqual(
      [{ machine: { network: {} } }],
    )
  })

  it('has no place for null', () => {
    expect(() => interfaces('{interface: a}', 'null')).toThrow(
      'patch 0: machine.network.interfaces: an item of the list is null',
    )
  })

  it('merges admission plugins by name, and says where types differ', () => {
    const plugins = (items: string): string =>
      `cluster: {apiServer: {admissionControl: [${items}]}}`
    const base = plugins('{name: a}, {name: b, configuration: {x: 1}}')

    expect(patchedFields(base, plugins('{name: b, configuration: {y: 2}}'))).toEqual([
      {
        cluster: {
          apiServer: {
            admissionControl: [{ name: 'a' }, { name: 'b', configuration: { x: 1, y: 2 } }],
          },
        },
      },
    ])
    expect(() => patchedFields(base, plugins('{name: b, configuration: {x: z}}'))).toThrow(
      'patch 0: cluster.apiServer.admissionControl[1].configuration.x: merge type mismatch left int right string',
    )
  })

  it('merges config files by mount path', () => {
    const files = (items: string): string =>
      `apiVersion: v1alpha1\nkind: ExtensionServiceConfig\nname: x\nconfigFiles: [${items}]\n`

    expect(
      patchedFields(
        files('{content: a, mountPath: /a}, {content: b, mountPath: /b}'),
        files('{content: c, mountPath: /b}, {content: d, mountPath: /d}'),
      ),
    ).toMatchObject([
      {
        configFiles: [
          { content: 'a', mountPath: '/a' },
          { content: 'c', mountPath: '/b' },
          { content: 'd', mountPath: '/d' },
        ],
      },
    ])
  })

  it('replaces image rules of the same image that were there before', () => {
    const rules = (items: string): string =>
      `apiVersion: v1alpha1\nkind: ImageVerificationConfig\nrules: [${items}]\n`

    expect(
      patchedFields(
        rules('{image: a, skip: true}, {image: a, deny: true}'),
        rules('{image: a}, {image: b}, {image: b, skip: true}'),
      ),
    ).toMatchObject([
      {
        rules: [
          { image: 'a', skip: true },
          { image: 'a' },
          { image: 'b' },
          { image: 'b', skip: true },
        ],
      },
    ])
  })
})
