import { expect, test } from 'vitest'
import {
  enabledKubeSpan,
  kubeSpanDiscoveryProblems,
  kubeSpanFilterProblems,
  kubeSpanLinkProblems,
} from './kubespan.ts'

test('KubeSpan counts when it is on', () => {
  const kubespan = { enabled: true, mtu: 5 }
  expect(enabledKubeSpan({ network: { kubespan } })).toBe(kubespan)
  expect(enabledKubeSpan({ network: { kubespan: { mtu: 5 } } })).toBeUndefined()
})

test('its links carry IPv6', () => {
  expect([undefined, {}, { mtu: 1280 }].flatMap((it) => [...kubeSpanLinkProblems(it)])).toEqual([])
  expect([...kubeSpanLinkProblems({ mtu: 1279 })]).toEqual([
    'kubespan link MTU must be at least 1280',
  ])
})

test('it needs discovery and an identity', () => {
  expect([...kubeSpanDiscoveryProblems(undefined, undefined)]).toEqual([])
  const cluster = { discovery: { enabled: true }, id: 'a', secret: 'b' }
  expect([...kubeSpanDiscoveryProblems({ enabled: true }, cluster)]).toEqual([])
  expect([...kubeSpanDiscoveryProblems({ enabled: true }, {})]).toEqual([
    '.cluster.discovery should be enabled when .machine.network.kubespan is enabled',
    '.cluster.id should be set when .machine.network.kubespan is enabled',
    '.cluster.secret should be set when .machine.network.kubespan is enabled',
  ])
})

test('its filters are networks', () => {
  expect([...kubeSpanFilterProblems(undefined)]).toEqual([])
  const filters = { endpoints: ['!::/0', 'x'], excludeAdvertisedNetworks: ['::/0', '::1'] }
  expect([...kubeSpanFilterProblems({ filters })]).toEqual([
    'KubeSpan endpoint filter is not valid: "x"',
    'KubeSpan exclude advertised networks filter is not valid: "::1"',
  ])
})
