import { expect, test } from 'vitest'
import { Worker } from '#api/worker.ts'
import { nameOf, pathOf } from './paths.ts'

const Secret = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  scope: 'Namespaced',
} as const
const Node = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' } as const

test.each([
  { kind: Secret, place: { namespace: 'a', name: 'b' }, path: '/api/v1/namespaces/a/secrets/b' },
  { kind: Secret, place: {}, path: '/api/v1/secrets' },
  { kind: Node, place: { namespace: 'a', name: 'b' }, path: '/api/v1/nodes/b' },
  {
    kind: Worker,
    place: { namespace: 'a', name: 'b', subresource: 'status' as const },
    path: '/apis/talos.alperen.cloud/v1alpha1/namespaces/a/talosworkers/b/status',
  },
])('$path', ({ kind, place, path }) => {
  expect(pathOf(kind, place)).toBe(path)
})

test('a query has what is said, and what is not safe in a URL is escaped', () => {
  const query = { labelSelector: 'a in (b,c)', limit: 5, continue: undefined, watch: true }

  expect(pathOf(Secret, { namespace: 'a', name: '../x' }, query)).toBe(
    '/api/v1/namespaces/a/secrets/..%2Fx?labelSelector=a+in+%28b%2Cc%29&limit=5&watch=true',
  )
})

test.each(['', '.', '..'])(
  'no path is made of the name %j, which would mean something else',
  (name) => {
    expect(() => pathOf(Secret, { namespace: 'a', name })).toThrow(
      'cannot be the name of an object',
    )
    expect(() => pathOf(Secret, { namespace: name, name: 'a' })).toThrow('cannot be the name')
  },
)

test('nor of a kind whose names would', () => {
  expect(() => pathOf({ ...Secret, plural: '..' }, {})).toThrow('cannot be the name')
  expect(pathOf({ ...Secret, version: 'v1/x' }, {})).toBe('/api/v1%2Fx/secrets')
})

test('an object of a namespaced kind is never looked for without its namespace', () => {
  expect(() => pathOf(Secret, { name: 'a' })).toThrow('secrets a cannot be addressed without')
})

test('objects are named as a person would', () => {
  expect(nameOf(Secret, { namespace: 'a', name: 'b' })).toBe('secrets a/b')
  expect(nameOf(Worker, { namespace: 'a', name: 'b', subresource: 'status' })).toBe(
    'talosworkers a/b (status)',
  )
  expect(nameOf(Node, {})).toBe('nodes')
})
