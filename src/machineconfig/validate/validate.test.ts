import { describe, expect, test } from 'vitest'
import type { ValueMap } from '#machineconfig/document.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import type { DocumentKind } from '#machineconfig/shapes/shape.ts'
import { documentKind } from '#machineconfig/shapes/shapes.ts'
import { errorText } from './error-list.ts'
import { type ValidateOptions, validateConfig } from './validate.ts'

const kindNamed = (kind: string): DocumentKind => {
  const found = documentKind(kind)
  if (found === undefined) throw new Error(`there is no kind ${kind}`)
  return found
}

const judged = (
  documents: readonly (readonly [kind: string, fields: ValueMap])[],
  options: Partial<ValidateOptions> = {},
) =>
  validateConfig(
    new MachineConfig(documents.map(([kind, fields]) => ({ kind: kindNamed(kind), fields }))),
    { mode: 'metal', ...options },
  )

// As little as a worker needs.
const worker: ValueMap = {
  version: 'v1alpha1',
  persist: true,
  machine: {
    type: 'worker',
    ca: { crt: 'YQ==' },
    install: { disk: '/dev/sda' },
    features: { hostDNS: { enabled: true, forwardKubeDNSToHost: true } },
  },
  cluster: { controlPlane: { endpoint: 'https://10.0.0.1:6443' } },
}

describe('a configuration', () => {
  test('that is good has no errors', () => {
    expect(
      judged([
        ['', worker],
        ['HostnameConfig', { auto: 'stable' }],
      ]),
    ).toEqual({
      warnings: [],
      errors: [],
    })
  })

  test('may have no legacy document', () => {
    expect(judged([['ZswapConfig', {}]])).toEqual({ warnings: [], errors: [] })
  })

  test('is told of document by document, the legacy one first and conflicts last', () => {
    const bond = { name: 'b', bondMode: '802.3ad', links: ['a'] }
    const { warnings, errors } = judged([
      ['HostnameConfig', {}],
      ['BondConfig', { ...bond, addresses: [{}, {}] }],
      ['KubeSpanConfig', { mtu: 1 }],
      ['', { ...worker, persist: false, machine: { type: 'worker', network: { kubespan: {} } } }],
    ])
    expect(warnings).toHaveLength(3)
    expect(errors).toEqual([
      expect.stringMatching(/^v1alpha1.Config: \d errors occurred:\n\t\* .*\n\n$/s),
      "HostnameConfig: either 'auto' or 'hostname' must be set",
      'BondConfig/b: address 0 must be specified\naddress 1 must be specified',
      'KubeSpanConfig: kubespan link MTU must be at least 1280',
      'kubespan is already configured in v1alpha1 machine.network.kubespan',
    ])
  })

  test('with documents that shut one another out is told of nothing else', () => {
    expect(
      judged([
        ['LinkConfig', { name: 'a' }],
        ['VRFConfig', { name: 'a' }],
      ]),
    ).toEqual({
      warnings: [],
      errors: ['conflicting documents: LinkConfig/a and VRFConfig/a'],
    })
  })

  test('is judged strictly in its legacy part only', () => {
    const bond = { name: 'b', bondMode: '802.3ad', links: ['a'] }
    const old = { ...worker, machine: { ...Object(worker.machine), type: 'join' } }
    const documents = [
      ['', old],
      ['BondConfig', bond],
    ] as const
    const told = 'use "worker" instead of "join" for machine type'
    expect(judged(documents).warnings[0]).toBe(told)
    const strict = judged(documents, { strict: true })
    expect(strict.warnings).toHaveLength(3)
    expect(strict.errors).toEqual([`v1alpha1.Config: ${errorText([`warning: ${told}`])}`])
  })

  test('names a document of no kind that has rules', () => {
    expect(judged([['TrustedRootsConfig', {}]]).errors).toEqual([])
  })
})

describe('what is demanded of the legacy document', () => {
  const { install: _install, features: _features, ...machine } = Object(worker.machine)

  test('an installed machine is not told where to', () => {
    const documents = [['', { ...worker, machine }]] as const
    expect(judged(documents).errors).toHaveLength(1)
    expect(judged(documents, { installed: true }).errors).toEqual([])
  })

  test('a container asks its host for names', () => {
    const documents = [['', { ...worker, machine }]] as const
    expect(judged(documents, { mode: 'container' }).errors).toEqual([
      expect.stringContaining('feature HostDNS should be enabled in container mode'),
    ])
  })

  test('v1.14 has install, endpoint and discovery elsewhere', () => {
    const later = { talosVersion: 'v1.14.0' }
    const network = { kubespan: { enabled: true } }
    const cluster = { id: 'a', secret: 'b' }
    const little = { ...worker, machine: { ...machine, network }, cluster }
    const discovery = ['DiscoveryServiceConfig', { name: 'a', endpoint: 'https://a' }] as const
    expect(judged([['', little], discovery], later).errors).toEqual([])
    expect(judged([['', little], discovery]).errors).toHaveLength(1)
    const half = { ...little, cluster: { ...cluster, controlPlane: {} } }
    expect(judged([['', half], discovery], later).errors).toEqual([
      expect.stringContaining('cluster controlplane endpoint is required (.cluster.'),
    ])
    expect(judged([['', { ...worker, machine }]], { ...later, mode: 'container' }).errors).toEqual([
      'hostDNS config is required in container mode',
    ])
  })
})
