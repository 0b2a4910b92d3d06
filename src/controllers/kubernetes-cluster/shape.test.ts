import { expect, test } from 'vitest'
import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { aKubernetesCluster } from '#test/builders.ts'
import { judge, type Shape } from './shape.ts'

type Spec = NonNullable<KubernetesCluster['spec']>

const problemsOf = (spec: Partial<Spec>, name = 'prod'): string[] => {
  const judged = judge(aKubernetesCluster({ metadata: { name }, spec }))
  return 'problems' in judged ? judged.problems : []
}

function shapeOf(spec: Partial<Spec>): Shape {
  const judged = judge(aKubernetesCluster({ spec }))
  if ('shape' in judged) return judged.shape
  throw new Error(judged.problems.join('; '))
}

const network = (given: object): Partial<Spec> => ({ talosConfig: { cluster: { network: given } } })

test('R4: the name of the object is that of the cluster where no other is said', () => {
  expect(shapeOf({}).name).toBe('prod')
  expect(shapeOf({ clusterName: 'other' }).name).toBe('other')
})

test.each(['Prod', 'a.b', '../x', '-a', 'a'.repeat(64)])(
  'A2: %s is no name that machines can begin with',
  (clusterName) => {
    expect(problemsOf({ clusterName }).join()).toContain('create the cluster anew')
  },
)

test.each(['1.28.3', 'v1.28', 'v1.28.3.4', 'latest', 'v1.28.3-rc.1', 'v01.2.3', ''])(
  'R5: %j is no version',
  (version) => {
    expect(problemsOf({ kubernetesVersion: version })).toHaveLength(1)
    expect(problemsOf({ talosVersion: version })).toHaveLength(1)
  },
)

test.each([
  ['https://192.168.1.100:6443', 'https://192.168.1.100:6443'],
  ['https://api.example.com', 'https://api.example.com:6443'],
  ['https://API.example.com:443/', 'https://api.example.com:443'],
  ['https://[2001:DB8::1]:6443', 'https://[2001:db8::1]:6443'],
])('R6, A3: %s is %s', (clusterEndpoint, endpoint) => {
  expect(shapeOf({ clusterEndpoint }).endpoint).toBe(endpoint)
})

test.each([
  ...['', 'http://192.0.2.1:6443', '192.0.2.1:6443', 'https://', 'https://192.0.2.1:6443/path'],
  ...['https://192.0.2.1?a=b', 'https://192.0.2.300:6443', 'https://a_b:6443', 'https://a:99999'],
  ...['https://user@a:6443', 'https://[192.0.2.1]:6443'],
])('R6, A3: %j is no endpoint', (clusterEndpoint) => {
  expect(problemsOf({ clusterEndpoint })).toHaveLength(1)
})

test('A3: an endpoint that stands in two places has to be the same in both', () => {
  const nested = (endpoint: string): Partial<Spec> => ({
    talosConfig: { cluster: { controlPlane: { endpoint } } },
  })

  expect(problemsOf(nested('https://192.0.2.10'))).toEqual([])
  expect(problemsOf(nested('https://192.0.2.11:6443')).join()).toContain('make it the same')
  expect(shapeOf({ ...nested('https://192.0.2.11:6443'), clusterEndpoint: '' }).endpoint).toBe(
    'https://192.0.2.11:6443',
  )
})

test('R7, R11: ranges and domain are the usual ones where none are said', () => {
  expect(shapeOf({})).toMatchObject({
    ...{ podSubnets: ['10.244.0.0/16'], serviceSubnets: ['10.96.0.0/12'] },
    dnsDomain: 'cluster.local',
  })
})

test('A4: ranges of the spec go before those of talosConfig, which may not differ', () => {
  const nested = network({ podSubnets: ['10.1.0.0/16'] })

  expect(shapeOf(nested).podSubnets).toEqual(['10.1.0.0/16'])
  expect(shapeOf({ ...nested, podSubnets: [] }).podSubnets).toEqual(['10.1.0.0/16'])
  expect(problemsOf({ ...nested, podSubnets: ['10.1.0.0/16'] })).toEqual([])
  expect(problemsOf({ ...nested, podSubnets: ['10.2.0.0/16'] }).join()).toContain('differ')
})

test.each([
  ['no range', { podSubnets: ['10.244.0.0'] }],
  ['two of a family', { podSubnets: ['10.1.0.0/16', '10.2.0.0/16'] }],
  ['pods and Services overlap', { podSubnets: ['10.96.0.0/16'] }],
  ['no family in common', { podSubnets: ['fd00::/56'] }],
])('A4: %s is told', (_what, spec) => {
  expect(problemsOf(spec)).toHaveLength(1)
})

test('R7: one IPv4 and one IPv6 range each are fine', () => {
  const spec = {
    ...{ podSubnets: ['10.1.0.0/16', 'fd00:1::/56'] },
    serviceSubnets: ['10.2.0.0/16', 'fd00:2::/112'],
  }

  expect(problemsOf(spec)).toEqual([])
})

test('R11: a domain that is none is told', () => {
  expect(problemsOf(network({ dnsDomain: 'local' }))).toHaveLength(1)
})

test.each([0, 2, 4, 6, 7, -1])(
  'R8: %i control planes are refused by the allowed numbers',
  (replicas) => {
    expect(problemsOf({ controlPlane: { replicas } })).toEqual([
      `spec.controlPlane.replicas is ${replicas}: write 1, 3 or 5`,
    ])
  },
)

test('groups that are too many machines together are told, as each of them is', () => {
  const workers = Array.from({ length: 6 }, (_, at) => ({ name: `g${at}`, replicas: 1_000 }))

  expect(problemsOf({ workers })).toEqual([
    'spec.workers asks for 6000 machines together: write 5000 at most',
  ])
  expect(problemsOf({ workers: workers.slice(1) })).toEqual([])
})

test.each([1, 3, 5])('R8: %i control planes are fine', (replicas) => {
  expect(problemsOf({ controlPlane: { replicas } })).toEqual([])
})

test('R8: how many control planes there are has to be said', () => {
  expect(problemsOf({ controlPlane: {} })).toEqual([
    'spec.controlPlane.replicas is missing: write 1, 3 or 5',
  ])
})

test.each([
  ['A33: called as control planes are', [{ name: 'cp', replicas: 1 }]],
  [
    'A33: twice',
    [
      { name: 'a', replicas: 1 },
      { name: 'a', replicas: 1 },
    ],
  ],
  ['R9: without a name', [{ replicas: 1 }]],
  ['R9: of a name that no machine can have', [{ name: 'A_b', replicas: 1 }]],
  ['R9: of a negative number', [{ name: 'a', replicas: -1 }]],
  ['R9: of millions', [{ name: 'a', replicas: 2_000_000 }]],
  ['R9: of nobody knows how many', [{ name: 'a' }]],
  ['A2: of names that are too long', [{ name: 'a'.repeat(60), replicas: 1 }]],
])('a group %s is told', (_what, workers) => {
  expect(problemsOf({ workers })).toHaveLength(1)
})

test('A36: no workers, and a group of none, are fine', () => {
  expect(problemsOf({ workers: [] })).toEqual([])
  expect(problemsOf({ workers: [{ name: 'a', replicas: 0 }] })).toEqual([])
})

test.each([
  ['R10: a type that is none', { machine: { type: 'init' } }],
  ['A6: a certificate without its key', { machine: { ca: { crt: 'x' } } }],
  ['A6: a key without its certificate', { machine: { ca: { key: 'x' } } }],
  ['A40: another name', { cluster: { name: 'other' } }],
  ['A7: keys in two places', { machine: { token: 'x' }, secretRef: { name: 'keys' } }],
  ['R12: a disk that is none', { install: { disk: 'sda' } }],
])('%s is told', (_what, talosConfig) => {
  expect(problemsOf({ talosConfig })).toHaveLength(1)
})

test('R10: what a problem is told with is no value of a key', () => {
  const talosConfig = { machine: { ca: { key: 'very-secret' } } }

  expect(problemsOf({ talosConfig }).join()).not.toContain('very-secret')
})

test('R12: how Talos is installed where nothing is said, and where it is', () => {
  const install = {
    ...{ disk: '/dev/vda', image: 'registry.example/installer:v1.13.0' },
    ...{ bootloader: false, wipe: true, extraKernelArgs: ['console=ttyS0'] },
  }

  expect(shapeOf({}).install).toEqual({
    ...{ disk: '/dev/sda', bootloader: true, wipe: false, extraKernelArgs: [] },
  })
  expect(shapeOf({ talosConfig: { install } }).install).toEqual(install)
})

test('everything that is wrong is told at once', () => {
  expect(
    problemsOf({ talosVersion: 'x', clusterEndpoint: 'y', controlPlane: { replicas: 2 } }),
  ).toHaveLength(3)
})

test('a spec that is not there at all is told, and not thrown about', () => {
  const { spec: _, ...cluster } = aKubernetesCluster()

  expect(judge(cluster)).toHaveProperty('problems')
})
