import { expect, test } from 'vitest'
import { cniProblems, cniWarnings } from './cni.ts'

const flannel = { extraArgs: ['a'], kubeNetworkPoliciesEnabled: true }

test.for([
  [undefined, []],
  [{ name: 'flannel', flannel }, []],
  [{ name: 'flannel', urls: ['x'] }, ['"urls" field should be empty for "flannel" CNI']],
  [{ name: 'none', urls: [], flannel: {} }, []],
  [
    { name: 'none', urls: ['x'], flannel },
    [
      '"urls" field should be empty for "none" CNI',
      '"flanneldExtraArgs" field should be empty for "none" CNI',
      '"flannelKubeNetworkPoliciesEnabled" should not be enabled for "none" CNI',
    ],
  ],
  [{ name: 'custom', urls: ['https://a.example/', 'x'] }, ['hostname must not be blank']],
  [
    { name: 'custom', flannel: { extraArgs: ['a'] } },
    ['"flanneldExtraArgs" field should be empty for "custom" CNI'],
  ],
  [{ name: 'calico' }, ['cni name should be one of ["flannel", "custom", "none"]']],
  [{}, ['cni name should be one of ["flannel", "custom", "none"]']],
] as const)('the pod network %j', ([cni, problems]) => {
  expect([...cniProblems({ network: cni ? { cni } : {} })]).toEqual(problems)
})

test('a custom network without manifests is worth a warning', () => {
  const warnings = (cni: { name: string; urls?: string[] }) => [
    ...cniWarnings({ network: { cni } }),
  ]
  expect(warnings({ name: 'custom' })).toEqual([
    '"urls" field should not be empty for "custom" CNI',
  ])
  expect(warnings({ name: 'custom', urls: ['x'] })).toEqual([])
  expect(warnings({ name: 'none' })).toEqual([])
})
