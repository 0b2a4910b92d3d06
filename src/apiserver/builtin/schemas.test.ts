import { expect, test } from 'vitest'
import { builtinResources, schemaOfKind } from './resources.ts'
import { definitionNameOf, OBJECT_META, schemaOf } from './schemas.ts'
import { definitionOf } from './table.ts'

test('a reference is resolved, with its default beside what it refers to', () => {
  const deployment = schemaOf('io.k8s.api.apps.v1.Deployment')

  expect(deployment.properties?.spec).toMatchObject({
    type: 'object',
    default: {},
    required: ['selector', 'template'],
    properties: {
      replicas: { type: 'integer', format: 'int32' },
      selector: { 'x-kubernetes-map-type': 'atomic' },
      strategy: { 'x-kubernetes-patch-strategy': 'retainKeys' },
    },
  })
})

test('lists tell how they are merged', () => {
  const { properties } = schemaOf('io.k8s.api.core.v1.ServiceSpec')

  expect(properties?.ports).toMatchObject({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['port', 'protocol'],
    'x-kubernetes-patch-merge-key': 'port',
    'x-kubernetes-patch-strategy': 'merge',
    items: {
      properties: {
        protocol: { default: 'TCP' },
        targetPort: { 'x-kubernetes-int-or-string': true },
      },
    },
  })
  expect(schemaOf(OBJECT_META).properties).toMatchObject({
    finalizers: { 'x-kubernetes-list-type': 'set' },
    ownerReferences: { 'x-kubernetes-list-map-keys': ['uid'] },
  })
})

test('a type that contains itself is one object that contains itself', () => {
  const props = schemaOf('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps')

  expect(props.properties?.not).toBe(props)
  expect(props.properties?.allOf?.items?.properties).toBe(props.properties)
  expect(schemaOf(definitionNameOf(props) ?? '')).toBe(props)
})

test('what holds anything says so', () => {
  expect(schemaOf('io.k8s.apimachinery.pkg.runtime.RawExtension')).toEqual({
    type: 'object',
    'x-kubernetes-map-type': 'atomic',
    'x-kubernetes-preserve-unknown-fields': true,
  })
  expect(schemaOf('io.k8s.apimachinery.pkg.api.resource.Quantity')).toEqual({
    oneOf: [{ type: 'string' }, { type: 'number' }],
  })
})

test('every built-in kind and what is sent below it has a schema', () => {
  for (const { group, version, kind, schema, subresources } of builtinResources()) {
    expect(schema, kind).toBe(schemaOfKind(group, version, kind))
    expect(schema.properties, kind).toHaveProperty('metadata')
    for (const one of subresources) {
      expect(schemaOfKind(one.group, one.version, one.kind), one.kind).toHaveProperty('properties')
    }
  }
})

test('what is not there is asked for in vain', () => {
  expect(() => definitionOf('io.k8s.api.core.v1.Nothing')).toThrow('there is no built-in type')
  expect(schemaOfKind('', 'v1', 'Nothing')).toBeUndefined()
})
