import { expect, test } from 'vitest'
import { builtinResources } from './resources.ts'

const find = (group: string, plural: string, version = 'v1') =>
  builtinResources().find(
    (one) => one.group === group && one.plural === plural && one.version === version,
  )

test('a resource is as discovery has it', () => {
  expect(find('apps', 'deployments')).toMatchObject({
    singular: 'deployment',
    kind: 'Deployment',
    listKind: 'DeploymentList',
    namespaced: true,
    shortNames: ['deploy'],
    categories: ['all'],
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    subresources: [
      { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1' },
      { name: 'status', kind: 'Deployment', group: 'apps', version: 'v1' },
    ],
    stored: { group: 'apps', plural: 'deployments', version: 'v1' },
    isCustom: false,
  })
  expect(find('', 'namespaces')).toMatchObject({ namespaced: false, categories: [] })
})

test('what only a kubelet can answer is not there', () => {
  const below = find('', 'pods')?.subresources.map(({ name }) => name)

  expect(below).toEqual(['binding', 'ephemeralcontainers', 'eviction', 'resize', 'status'])
  expect(find('', 'componentstatuses')).toBeUndefined()
})

test('events and autoscalers are kept once', () => {
  const event = find('events.k8s.io', 'events')
  const scaler = find('autoscaling', 'horizontalpodautoscalers')

  expect(event?.stored).toEqual(find('', 'events')?.stored)
  expect(event?.conversion?.toStored({ note: 'a' })).toMatchObject({
    apiVersion: 'v1',
    message: 'a',
  })
  expect(scaler?.stored).toEqual(find('autoscaling', 'horizontalpodautoscalers', 'v2')?.stored)
})

test('a behaviour can be added without making the schema', () => {
  const [resource] = builtinResources()
  const descriptor = Object.getOwnPropertyDescriptor(
    Object.assign(resource ?? {}, { more: 1 }),
    'schema',
  )

  expect(descriptor?.get).toBeTypeOf('function')
})
