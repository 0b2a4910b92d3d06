import { expect, test } from 'vitest'
import { featureProblems } from './features.ts'
import { hostDnsProblems } from './host-dns.ts'

const ENABLED =
  'feature HostDNS should be enabled in container mode (.machine.features.hostDNS.enabled)'
const FORWARDS =
  'feature HostDNS should forward kube-dns to host in container mode (.machine.features.hostDNS.forwardKubeDNSToHost)'
const BOTH =
  'feature hostDNS.forwardKubeDNSToHost requires hostDNS.enabled to be true (.machine.features.hostDNS)'

test.for([
  [{}, false, []],
  [{}, true, [ENABLED, FORWARDS]],
  [{ enabled: true }, false, []],
  [{ enabled: true }, true, [FORWARDS]],
  [{ forwardKubeDNSToHost: true }, false, [BOTH]],
  [{ forwardKubeDNSToHost: true }, true, [ENABLED, BOTH]],
  [{ enabled: true, forwardKubeDNSToHost: true }, true, []],
] as const)('the resolver %j in a container: %s', ([hostDNS, inContainer, problems]) => {
  expect([...hostDnsProblems({ features: { hostDNS } }, inContainer)]).toEqual(problems)
})

test('Talos from Kubernetes is for control planes and known roles', () => {
  const access = (kubernetesTalosAPIAccess: { enabled: boolean; allowedRoles: string[] }) => ({
    features: { kubernetesTalosAPIAccess },
  })
  const odd = access({ enabled: true, allowedRoles: ['os:admin', 'os:nobody'] })
  const role = 'invalid role "os:nobody" in allowed roles for Kubernetes Talos API Access'
  expect([...featureProblems(odd, true)]).toEqual([role])
  expect([...featureProblems(odd, false)]).toEqual([
    'feature Kubernetes Talos API Access can only be enabled on control plane machines',
    role,
  ])
  expect([...featureProblems(access({ enabled: false, allowedRoles: ['x'] }), false)]).toEqual([])
})

test('addresses are sorted by a known algorithm', () => {
  const sorted = (nodeAddressSortAlgorithm: string) => [
    ...featureProblems({ features: { nodeAddressSortAlgorithm } }, true),
  ]
  expect(sorted('V2')).toEqual([])
  expect(sorted('v3')).toEqual([
    'invalid node address sort algorithm: v3 does not belong to AddressSortAlgorithm values',
  ])
})

test('all the roles there are can be allowed', () => {
  const allowedRoles =
    'os:admin os:operator os:reader os:etcd:backup os:image:verifier os:meta:writer os:impersonator'
  const access = { enabled: true, allowedRoles: allowedRoles.split(' ') }
  expect([...featureProblems({ features: { kubernetesTalosAPIAccess: access } }, true)]).toEqual([])
})
