import { expect, test } from 'vitest'
import type { Attributes } from '#apiserver/request.ts'
import { notAllowed } from './forbidden.ts'

const asked = (what: Partial<Attributes>): Attributes => ({
  user: { name: 'bob', groups: [] },
  verb: 'list',
  isResource: true,
  path: '/x',
  group: '',
  version: 'v1',
  resource: 'pods',
  subresource: '',
  namespace: 'default',
  name: '',
  ...what,
})

test.each([
  [
    {},
    'pods is forbidden: User "bob" cannot list resource "pods" in API group "" in the namespace "default"',
    { kind: 'pods' },
  ],
  [
    { verb: 'get', subresource: 'log', name: 'x' },
    'pods "x" is forbidden: User "bob" cannot get resource "pods/log" in API group "" in the namespace "default"',
    { name: 'x', kind: 'pods' },
  ],
  [
    { group: 'apps', resource: 'deployments', namespace: '' },
    'deployments.apps is forbidden: User "bob" cannot list resource "deployments" in API group "apps" at the cluster scope',
    { group: 'apps', kind: 'deployments' },
  ],
  [
    { isResource: false, verb: 'get', path: '/metrics' },
    'forbidden: User "bob" cannot get path "/metrics"',
    {},
  ],
  [
    { user: { name: '<b> & co', groups: [] }, isResource: false, path: '/"' },
    'forbidden: User "&lt;b&gt; &amp; co" cannot list path "/\\""',
    {},
  ],
])('what is not allowed is told in the words of Kubernetes: %j', (what, message, details) => {
  expect(notAllowed(asked(what), { reason: '' }).status).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Forbidden',
    details,
    code: 403,
  })
})

test('the reason stands at the end', () => {
  expect(notAllowed(asked({}), { reason: 'RBAC: x' }).message).toMatch(/"default": RBAC: x$/)
})
