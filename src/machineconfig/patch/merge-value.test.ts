import { describe, expect, it } from 'vitest'
import { patchedFields } from './patched.cases.ts'

const machine = (base: string, patch: string): unknown => {
  const [fields] = patchedFields(`machine: ${base}`, `machine: ${patch}`)
  return fields?.machine
}
const volume = (rest: string): string =>
  `apiVersion: v1alpha1\nkind: VolumeConfig\nname: EPHEMERAL\n${rest}\n`
const bond = (rest: string): string =>
  `apiVersion: v1alpha1\nkind: BondConfig\nname: b\nlinks: [a]\n${rest}\n`
const routing = (rest: string): string =>
  `apiVersion: v1alpha1\nkind: RoutingRuleConfig\nname: "1"\n${rest}\n`

describe('a strategic patch', () => {
  it.each([
    ['{token: a}', '{token: b}', { token: 'b' }],
    ['{token: a}', '{token: ""}', { token: 'a' }],
    ['{token: a}', '{token: null}', { token: 'a' }],
    ['{network: {hostname: a}}', '{network: {}}', { network: { hostname: 'a' } }],
    ['{}', '{network: {}}', { network: {} }],
    ['{install: {wipe: true}}', '{install: {wipe: false}}', { install: { wipe: false } }],
    [
      '{network: {kubespan: {mtu: 1400}}}',
      '{network: {kubespan: {mtu: 0}}}',
      { network: { kubespan: { mtu: 0 } } },
    ],
    [
      '{sysctls: {a: "1", b: "2"}}',
      '{sysctls: {b: "3", c: "4"}}',
      { sysctls: { a: '1', b: '3', c: '4' } },
    ],
    ['{sysctls: {a: "1"}}', '{sysctls: {}}', { sysctls: { a: '1' } }],
    ['{}', '{sysctls: {}}', { sysctls: {} }],
    ['{sysctls: {a: "1"}}', '{sysctls: {a: ""}}', { sysctls: { a: '1' } }],
    [
      '{sysctls: {a: "1"}}',
      '{sysctls: {constructor: x}}',
      { sysctls: { a: '1', constructor: 'x' } },
    ],
    ['{certSANs: [a]}', '{certSANs: [a, b]}', { certSANs: ['a', 'a', 'b'] }],
    ['{certSANs: [a]}', '{certSANs: []}', { certSANs: ['a'] }],
    ['{}', '{certSANs: []}', { certSANs: [] }],
    [
      '{registries: {mirrors: {a: {endpoints: [x]}, b: null}}}',
      '{registries: {mirrors: {a: null, b: {endpoints: [y]}, c: null}}}',
      { registries: { mirrors: { a: { endpoints: ['x'] }, b: { endpoints: ['y'] }, c: null } } },
    ],
    ['{ca: {crt: YQ==, key: Yg==}}', '{ca: {crt: Yw==}}', { ca: { crt: 'Yw==' } }],
    [
      '{kubelet: {extraArgs: {a: "1"}}}',
      '{kubelet: {extraArgs: {a: ""}}}',
      { kubelet: { extraArgs: { a: '' } } },
    ],
    ['{kubelet: {}}', '{kubelet: {extraArgs: {}}}', { kubelet: {} }],
    ['{time: {bootTimeout: 5m}}', '{time: {bootTimeout: 0s}}', { time: { bootTimeout: '5m0s' } }],
  ])('merges %s and %s', (base, patch, result) => {
    expect(machine(base, patch)).toEqual(result)
  })

  it('replaces subnets, also by none, and the audit policy', () => {
    const base =
      'cluster: {network: {podSubnets: [a], serviceSubnets: [b]}, apiServer: {auditPolicy: {a: 1, b: 2}}}'
    const replaced = patchedFields(
      base,
      'cluster: {network: {podSubnets: [c], serviceSubnets: []}, apiServer: {auditPolicy: {a: 3}}}',
    )

    expect(replaced).toEqual([
      {
        cluster: {
          network: { podSubnets: ['c'], serviceSubnets: [] },
          apiServer: { auditPolicy: { a: 3 } },
        },
      },
    ])
    expect(patchedFields(base, 'cluster: {apiServer: {auditPolicy: {}}}')).toEqual(
      patchedFields(base),
    )
  })

  it('wipes sizes and expressions that it does not name', () => {
    const base = volume(
      'provisioning: {minSize: 1GB, maxSize: 5GB, grow: true, diskSelector: {match: "true"}}',
    )

    expect(patchedFields(base, volume('provisioning: {maxSize: 9GB}'))).toMatchObject([
      { provisioning: { maxSize: '9GB', grow: true } },
    ])
    expect(
      patchedFields(base, volume('provisioning: {maxSize: 9GB}'))[0]?.provisioning,
    ).not.toHaveProperty('minSize')
    const onlySelector = volume('provisioning: {diskSelector: {match: "true"}}')
    expect(patchedFields(onlySelector, volume(''))[0]).not.toHaveProperty('provisioning')
  })

  it.each([
    ['10GB', '20GB', '20GB'],
    ['10%', '20%', '20%'],
    ['10%', '20GB', '20GB'],
    ['10GB', '20%', '10GB'],
    ['10GB', '""', '10GB'],
  ])('makes of %s and %s %s', (left, right, size) => {
    const [fields] = patchedFields(
      volume(`provisioning: {maxSize: ${left}}`),
      volume(`provisioning: {maxSize: ${right}}`),
    )

    expect(fields).toMatchObject({ provisioning: { maxSize: size } })
  })

  it('takes the first word of an enum for zero, unless it is behind a pointer', () => {
    const action = (word: string): string =>
      `apiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: ${word}\n`

    expect(patchedFields(action('block'), action('accept'))).toMatchObject([{ ingress: 'block' }])
    expect(patchedFields(action('accept'), action('block'))).toMatchObject([{ ingress: 'block' }])
    expect(patchedFields(bond('bondMode: 802.3ad'), bond('bondMode: balance-rr'))).toMatchObject([
      { bondMode: 'balance-rr' },
    ])
  })

  it('sets an address of a list, but cannot merge one', () => {
    expect(() => patchedFields(routing('src: 10.0.0.0/8'), routing('table: "7"'))).toThrow(
      'patch 0: v1alpha1/RoutingRuleConfig/1: src: merge not possible, left value is not settable',
    )
    expect(patchedFields('machine: {}', routing('src: 10.0.0.0/8'))).toHaveLength(2)
  })

  it('cannot merge conditions on the size of a disk', () => {
    expect(() =>
      machine(
        '{install: {diskSelector: {size: "> 1GB"}}}',
        '{install: {diskSelector: {size: "> 2GB"}}}',
      ),
    ).toThrow('patch 0: machine.install.diskSelector.size: merge not possible')
  })

  it('merges a port selector but replaces its ports', () => {
    const rule = (rest: string): string =>
      `apiVersion: v1alpha1\nkind: NetworkRuleConfig\nname: r\n${rest}\n`

    expect(
      patchedFields(
        rule('portSelector: {ports: [80], protocol: udp}\ningress: [{subnet: 10.0.0.0/8}]'),
        rule('portSelector: {ports: [90-99]}\ningress: [{subnet: 10.1.0.0/16}]'),
      ),
    ).toMatchObject([
      { portSelector: { ports: ['90-99'], protocol: 'udp' }, ingress: [{ subnet: '10.1.0.0/16' }] },
    ])
  })
})
