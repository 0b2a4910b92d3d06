import { describe, expect, it } from 'vitest'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { configFacts } from './config-facts.ts'

const OWN = '10.0.0.1'

const LEGACY = `version: v1alpha1
machine:
    type: worker
    token: aaaaaa.bbbbbbbbbbbbbbbb
`

const factsOf = (text: string) =>
  configFacts(readConfig(`${LEGACY}${text}`, { talosVersion: 'v1.14.0' }), 'v1.14.0').network

const interfaces = (...items: readonly object[]): string =>
  `    network: ${JSON.stringify({ interfaces: items })}\n`

const document = (kind: string, fields: object = {}): string =>
  `---\n${JSON.stringify({ apiVersion: 'v1alpha1', kind, ...fields })}\n`

const eth0 = { interface: 'eth0' }
const link = (address: string) =>
  document('LinkConfig', { name: 'eth0', addresses: [{ address: `${address}/24` }] })

describe('a machine keeps its address', () => {
  it.each([
    ['without a word about it', ''],
    ['with DHCP', interfaces({ ...eth0, addresses: ['10.9.9.9/24'], dhcp: true })],
    ['with DHCP on a VLAN', interfaces({ ...eth0, vlans: [{ vlanId: 5, dhcp: true }] })],
    ['when it is given', interfaces({ ...eth0, addresses: ['10.9.9.9/24', `${OWN}/24`] })],
    ['when it is given in the older way', interfaces({ ...eth0, cidr: `${OWN}/24` })],
    ['on a VLAN', interfaces({ ...eth0, vlans: [{ vlanId: 5, addresses: [`${OWN}/24`] }] })],
    ['for another link', interfaces({ interface: 'enp9s0', addresses: ['10.9.9.9/24'] })],
    ['for a link that is ignored', interfaces({ ...eth0, ignore: true })],
    ['in a document', link(OWN)],
    ['by DHCP in a document', link('10.9.9.9') + document('DHCPv4Config', { name: 'eth0' })],
  ])('%s', (_how, text) => {
    expect(factsOf(text).keeps(OWN)).toBe(true)
  })

  it('however it is written', () => {
    const given = interfaces({ ...eth0, addresses: ['fd00:0:0:0::1/64'] })

    expect(factsOf(given).keeps('fd00::1')).toBe(true)
    expect(factsOf(given).keeps('fd00::2')).toBe(false)
  })
})

describe('a machine loses its address', () => {
  it.each([
    ['to another one', interfaces({ ...eth0, addresses: ['10.9.9.9/24'] })],
    ['to one that only begins alike', interfaces({ ...eth0, addresses: ['10.0.0.11/24'] })],
    ['when its link is named without any', interfaces(eth0)],
    ['when its link is selected', interfaces({ deviceSelector: { physical: true } })],
    ['to a bond', interfaces({ interface: 'bond0', bond: { interfaces: ['eth0'] } })],
    ['to another one in a document', link('10.9.9.9')],
    ['when a document is about any link', document('DummyLinkConfig', { name: 'dummy0' })],
  ])('%s', (_how, text) => {
    expect(factsOf(text).keeps(OWN)).toBe(false)
  })
})

const blocked = document('NetworkDefaultActionConfig', { ingress: 'block' })
const rule = (ports: readonly (number | string)[], ...subnets: readonly string[]) =>
  document('NetworkRuleConfig', {
    name: 'apid',
    portSelector: { ports, protocol: 'tcp' },
    ingress: subnets.map((subnet) => ({ subnet })),
  })

it.each([
  [true, 'no firewall', ''],
  [true, 'one that lets all in', document('NetworkDefaultActionConfig', { ingress: 'accept' })],
  [false, 'one that blocks', blocked],
  [false, 'one that blocks and has a rule for something else', blocked + rule([22], '0.0.0.0/0')],
  [true, 'one that blocks all but the port', blocked + rule([50_000], '0.0.0.0/0')],
  [true, 'one that blocks all but some ports', blocked + rule(['49000-50001'], '10.0.0.0/8')],
  [false, 'one that blocks and names nobody', blocked + rule([50_000])],
  [true, 'a rule of who gets in', rule([50_000], '10.0.0.0/8')],
  [false, 'a rule that nobody gets in', rule([50_000])],
])('that callers get in is %s with %s', (letsIn, _what, text) => {
  expect(factsOf(text).letsApiIn).toBe(letsIn)
})
