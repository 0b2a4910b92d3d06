import { expect, test } from 'vitest'
import { controlPlaneProblems } from './control-plane.ts'

const MODE =
  'authorization-mode cannot be used in conjunction with AuthorizationConfig, use eitherr AuthorizationConfig or authorization-mode'
const HOOK =
  'authorization-webhook-* flags cannot be used in conjunction with AuthorizationConfig, use either AuthorizationConfig or authorization-webhook-* flags'
const REFUSED = 'apiserver authorization config validation failed:'

test.for([
  [{ extraArgs: { 'authorization-mode': 'RBAC' } }, []],
  [{ authorizationConfig: [], extraArgs: { a: 'b' } }, []],
  [{ authorizationConfig: [], extraArgs: { 'authorization-mode': 'RBAC' } }, [MODE]],
  [{ authorizationConfig: [], extraArgs: { 'authorization-webhook-version': 'v1' } }, [HOOK]],
  [{ authorizationConfig: [{ type: 'Node', name: 'a' }] }, []],
  [{ authorizationConfig: [{ name: 'a' }] }, [`${REFUSED} authorizer type must be set`]],
  [{ authorizationConfig: [null] }, [`${REFUSED} authorizer type must be set`]],
  [{ authorizationConfig: [{ type: 'Node' }] }, [`${REFUSED} authorizer name must be set`]],
  [
    { authorizationConfig: [{ type: 'ABAC', name: 'a' }] },
    [`${REFUSED} authorizer type ABAC is not allowed, allowed types are [Node RBAC Webhook]`],
  ],
  [
    { resources: { requests: { cpu: 1, disk: 1 } } },
    ['apiserver resource validation failed: unsupported pod resource "disk"'],
  ],
] as const)('API server %j', ([apiServer, problems]) => {
  expect([...controlPlaneProblems({ apiServer })]).toEqual(problems)
})

test('resources are CPU and memory', () => {
  const resources = { requests: { cpu: 1, memory: 1 }, limits: { gpu: 1 } }
  expect([...controlPlaneProblems({ controllerManager: { resources }, scheduler: {} })]).toEqual([
    'controller-manager resource validation failed: unsupported pod resource "gpu"',
  ])
})
