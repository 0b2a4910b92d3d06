import { expect, test } from 'vitest'
import { builtinResources } from '#apiserver/builtin/resources.ts'
import { atOnce } from '#apiserver/steps.ts'
import { type OpenApiDocument, OpenApiDocuments, V2_PROTOBUF } from './documents.ts'
import type { Described } from './operations.ts'

const widget: Described = {
  group: 'shop.example.com',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  listKind: 'WidgetList',
  namespaced: true,
  verbs: ['get', 'list', 'create', 'update', 'patch', 'delete', 'deletecollection', 'watch'],
  subresources: [
    { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get'] },
  ],
  isCustom: true,
  schema: {
    type: 'object',
    description: 'A widget',
    properties: {
      spec: {
        type: 'object',
        description: 'What it is',
        required: ['size'],
        properties: {
          size: { type: 'integer', description: 'How big', minimum: 1, default: 3, nullable: true },
          port: { 'x-kubernetes-int-or-string': true },
          any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          labels: { type: 'object', additionalProperties: { type: 'string', nullable: true } },
          list: { type: 'array', items: { type: 'string', default: 'a' } },
        },
      },
    },
  },
}

const documents = (...resources: Described[]) =>
  new OpenApiDocuments([...builtinResources(), ...resources], '1.0.0')

const contentOf = (document: OpenApiDocument | undefined) =>
  JSON.parse(document?.body.toString() ?? 'null')

test('the index names a document for each group and version, by its hash', () => {
  const all = documents(widget)
  const { paths } = contentOf(atOnce(all.index()))

  expect(Object.keys(paths)).toContain('api/v1')
  expect(Object.keys(paths)).toContain('apis/autoscaling/v2')
  for (const path of Object.keys(paths)) {
    const document = atOnce(all.group(path))
    expect(paths[path].serverRelativeURL).toBe(`/openapi/v3/${path}?hash=${document?.etag}`)
    expect(document?.etag).toMatch(/^[0-9A-F]{128}$/)
  }
  expect(atOnce(all.group('apis/none.example.com/v1'))).toBeUndefined()
})

test('a hash changes with what it stands for, and with the release, and not otherwise', () => {
  const path = 'apis/shop.example.com/v1'
  const before = documents(widget)
  const after = documents({ ...widget, schema: { type: 'object' } })
  const released = new OpenApiDocuments([widget], '1.0.1')

  expect(atOnce(documents({ ...widget }).group(path))?.etag).toBe(atOnce(before.group(path))?.etag)
  expect(atOnce(after.group(path))?.etag).not.toBe(atOnce(before.group(path))?.etag)
  expect(atOnce(after.group('api/v1'))?.etag).toBe(atOnce(before.group('api/v1'))?.etag)
  expect(atOnce(released.group(path))?.etag).not.toBe(atOnce(before.group(path))?.etag)
  expect(atOnce(after.index()).etag).not.toBe(atOnce(before.index()).etag)
  expect(atOnce(after.v2('json')).etag).not.toBe(atOnce(before.v2('json')).etag)
})

test('a document is made once', () => {
  const all = documents(widget)

  expect(atOnce(all.group('api/v1'))).toBe(atOnce(all.group('api/v1')))
  expect(atOnce(all.index())).toBe(atOnce(all.index()))
})

test('every reference leads somewhere', () => {
  const all = documents(widget)
  const texts = Object.keys(contentOf(atOnce(all.index())).paths).map((path) =>
    atOnce(all.group(path)),
  )

  for (const document of [...texts, atOnce(all.v2('json'))]) {
    const content = contentOf(document)
    const known = new Set(Object.keys(content.components?.schemas ?? content.definitions))
    const references = [...(document?.body.toString() ?? '').matchAll(/"\$ref":"[^"]*\/([^"]+)"/g)]
    expect(references.map(([, name]) => name).filter((name) => !known.has(name ?? ''))).toEqual([])
    expect(references.length).toBeGreaterThan(0)
  }
})

test('kubectl finds out that fields are validated by the server', () => {
  const { paths } = contentOf(atOnce(documents().group('apis/apps/v1')))

  expect(paths['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'].patch).toMatchObject({
    operationId: 'patchAppsV1NamespacedDeployment',
    parameters: ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
      name,
      in: 'query',
    })),
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group: 'apps', version: 'v1', kind: 'Deployment' },
  })
})

test('there is a path for each thing that can be done', () => {
  const { paths } = contentOf(atOnce(documents(widget).group('apis/shop.example.com/v1')))
  const root = '/apis/shop.example.com/v1'
  const actions = Object.entries<Record<string, Record<string, string>>>(paths).map(
    ([path, item]) => [
      path,
      Object.values(item).flatMap((operation) => operation['x-kubernetes-action'] ?? []),
    ],
  )

  expect(Object.fromEntries(actions)).toEqual({
    [`${root}/namespaces/{namespace}/widgets`]: ['list', 'post', 'deletecollection'],
    [`${root}/widgets`]: ['list'],
    [`${root}/namespaces/{namespace}/widgets/{name}`]: ['get', 'put', 'patch', 'delete'],
    [`${root}/namespaces/{namespace}/widgets/{name}/scale`]: ['get'],
  })
})

test('a kind of a CRD tells what it can be selected by, and what objects in its objects have', () => {
  const inner = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    required: ['kind'],
  } as const
  const special = {
    ...widget,
    schema: { type: 'object', properties: { inner } } as const,
    behaviour: { selectableFields: { 'spec.size': () => '' } },
  }

  const { schemas } = contentOf(
    atOnce(documents(special).group('apis/shop.example.com/v1')),
  ).components

  const { properties, ...rest } = schemas['com.example.shop.v1.Widget']
  expect(rest['x-kubernetes-selectable-fields']).toEqual([{ fieldPath: 'spec.size' }])
  expect(Object.keys(properties.inner.properties)).toEqual(['apiVersion', 'kind', 'metadata'])
  expect(properties.inner.required).toEqual(['kind', 'apiVersion'])
})

test('a kind of a CRD has its descriptions, and metadata like every other', () => {
  const { schemas } = contentOf(
    atOnce(documents(widget).group('apis/shop.example.com/v1')),
  ).components

  expect(schemas['com.example.shop.v1.Widget']).toMatchObject({
    description: 'A widget',
    properties: {
      apiVersion: { type: 'string', description: expect.stringMatching(/^Group and version/) },
      metadata: {
        description: expect.stringMatching(/^What every object has/),
        allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
      },
      spec: {
        description: 'What it is',
        properties: {
          size: { type: 'integer', description: 'How big', default: 3 },
          port: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
        },
      },
    },
    'x-kubernetes-group-version-kind': [
      { group: 'shop.example.com', kind: 'Widget', version: 'v1' },
    ],
  })
  expect(schemas['com.example.shop.v1.WidgetList'].description).toBe('A list of Widget.')
  expect(schemas['com.example.shop.v1.WidgetList'].properties.items).toEqual({
    type: 'array',
    description: 'The widgets.',
    items: { $ref: '#/components/schemas/com.example.shop.v1.Widget' },
  })
})

test('version 2 leaves open what it cannot say', () => {
  const { definitions } = contentOf(atOnce(documents(widget).v2('json')))

  expect(definitions['com.example.shop.v1.Widget'].properties.spec).toEqual({
    type: 'object',
    description: 'What it is',
    required: ['size'],
    properties: {
      size: { description: 'How big', minimum: 1 },
      port: { 'x-kubernetes-int-or-string': true },
      any: { 'x-kubernetes-preserve-unknown-fields': true },
      labels: { type: 'object', additionalProperties: {} },
      list: { type: 'array', items: { type: 'string' } },
    },
  })
  expect(definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toEqual({
    type: 'string',
    format: 'int-or-string',
  })
  expect(definitions['io.k8s.api.apps.v1.DeploymentSpec'].properties.strategy).toEqual({
    $ref: '#/definitions/io.k8s.api.apps.v1.DeploymentStrategy',
    'x-kubernetes-patch-strategy': 'retainKeys',
  })
})

test('version 2 as protobuf is answered by a name that clients can parse', () => {
  const { contentType, body } = atOnce(documents().v2('protobuf'))

  expect(contentType).toBe(V2_PROTOBUF[0].replace('@', '.'))
  expect(body.subarray(0, 5)).toEqual(Buffer.from([0x0a, 3, ...Buffer.from('2.0')]))
})
