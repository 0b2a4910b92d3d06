import { expect, test } from 'vitest'
import { resourcePathOf } from './request-path.ts'

const none = { group: '', version: 'v1', resource: '', subresource: '', namespace: '', name: '' }

test.each([
  ['/api/v1/nodes', { resource: 'nodes' }],
  ['/api/v1/nodes/', { resource: 'nodes' }],
  ['/api/v1/nodes/n1/status', { resource: 'nodes', name: 'n1', subresource: 'status' }],
  ['/api/v1/pods', { resource: 'pods' }],
  ['/api/v1/namespaces/a/pods', { resource: 'pods', namespace: 'a' }],
  ['/api/v1/namespaces/a/pods/b', { resource: 'pods', namespace: 'a', name: 'b' }],
  [
    '/api/v1/namespaces/a/pods/b/eviction',
    { resource: 'pods', namespace: 'a', name: 'b', subresource: 'eviction' },
  ],
  ['/api/v1/namespaces', { resource: 'namespaces' }],
  ['/api/v1/namespaces/a', { resource: 'namespaces', namespace: 'a', name: 'a' }],
  [
    '/api/v1/namespaces/a/finalize',
    { resource: 'namespaces', namespace: 'a', name: 'a', subresource: 'finalize' },
  ],
  [
    '/apis/apps/v1/namespaces/a/deployments/b/scale',
    { group: 'apps', resource: 'deployments', namespace: 'a', name: 'b', subresource: 'scale' },
  ],
  // A resource of that name, of others.
  [
    '/apis/example.com/v1/namespaces/a',
    { group: 'example.com', resource: 'namespaces', name: 'a' },
  ],
  ['/api/v1/nodes/a%20b', { resource: 'nodes', name: 'a b' }],
])('%s names a resource', (path, named) => {
  expect(resourcePathOf(path)).toEqual({ ...none, ...named })
})

test.each([
  '/',
  '/api',
  '/api/v1',
  '/apis',
  '/apis/apps',
  '/apis/apps/v1',
  '/apis//v1/things',
  '/healthz',
  '/api/v1/nodes/%zz',
  '/api/v1/nodes/a%2fb',
  '/api/v1/nodes/a/b/c',
  '/api/v1/namespaces/a/pods/b/c/d',
])('%s names none', (path) => {
  expect(resourcePathOf(path)).toBeUndefined()
})
