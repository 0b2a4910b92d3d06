import { expect, test } from 'vitest'
import { builtinResources } from '#apiserver/builtin/resources.ts'
import { aggregatedCore, aggregatedGroups } from './aggregated.ts'
import type { Discovered } from './groups.ts'
import { coreVersions, groupDocument, groupList, resourceList } from './legacy.ts'
import { versionDocument } from './version.ts'

const widget = (group: string, version: string): Discovered => ({
  group,
  version,
  plural: 'widgets',
  singular: 'widget',
  kind: 'Widget',
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: ['get', 'list'],
  subresources: [
    { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get'] },
  ],
  stored: { group, plural: 'widgets', version: 'v2' },
  isCustom: true,
})

const resources: Discovered[] = [
  ...builtinResources(),
  widget('z.example.com', 'v1beta1'),
  widget('z.example.com', 'foo'),
  widget('z.example.com', 'v2'),
  widget('a.example.com', 'v1'),
]

test('the core group has versions and an address', () => {
  expect(coreVersions(resources, '127.0.0.1:6443')).toEqual({
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
  })
})

test('groups are in the order of Kubernetes, those of CRDs after them by name', () => {
  expect(groupList(resources)).toMatchObject({
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [
      'apps',
      'events.k8s.io',
      'authentication.k8s.io',
      'authorization.k8s.io',
      'autoscaling',
      'batch',
      'certificates.k8s.io',
      'networking.k8s.io',
      'policy',
      'rbac.authorization.k8s.io',
      'storage.k8s.io',
      'admissionregistration.k8s.io',
      'apiextensions.k8s.io',
      'scheduling.k8s.io',
      'coordination.k8s.io',
      'node.k8s.io',
      'discovery.k8s.io',
      'a.example.com',
      'z.example.com',
    ].map((name) => ({ name })),
  })
})

test('a group prefers its newest stable version', () => {
  expect(groupDocument(resources, 'z.example.com')).toEqual({
    kind: 'APIGroup',
    apiVersion: 'v1',
    name: 'z.example.com',
    versions: ['v2', 'v1beta1', 'foo'].map((version) => ({
      groupVersion: `z.example.com/${version}`,
      version,
    })),
    preferredVersion: { groupVersion: 'z.example.com/v2', version: 'v2' },
  })
  expect(groupDocument(resources, '')).toBeUndefined()
  expect(groupDocument(resources, 'b.example.com')).toBeUndefined()
})

// The hashes are those of kube-apiserver v1.36.4.
test('the resources of a group have their subresources after them', () => {
  expect(resourceList(resources, 'z.example.com', 'v2')).toEqual({
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: 'z.example.com/v2',
    resources: [
      {
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        verbs: ['get', 'list'],
        storageVersionHash: expect.any(String),
      },
      {
        name: 'widgets/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get'],
      },
    ],
  })
  const core = resourceList(resources, '', 'v1')
  expect(core).not.toHaveProperty('apiVersion')
  expect(core?.resources).toContainEqual(
    expect.objectContaining({
      name: 'pods',
      shortNames: ['po'],
      storageVersionHash: 'xPOwRZ+Yhw8=',
    }),
  )
  expect(core?.resources).toContainEqual({
    name: 'bindings',
    singularName: 'binding',
    namespaced: true,
    kind: 'Binding',
    verbs: ['create'],
  })
  expect(resourceList(resources, 'events.k8s.io', 'v1')?.resources).toMatchObject([
    { storageVersionHash: 'r2yiGXH7wu8=' },
  ])
  expect(resourceList(resources, 'z.example.com', 'v3')).toBeUndefined()
})

test('aggregated discovery tells all of it at once', () => {
  expect(aggregatedCore(resources)).toMatchObject({
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    items: [
      {
        metadata: {},
        versions: [
          {
            version: 'v1',
            freshness: 'Current',
            resources: expect.arrayContaining([
              {
                resource: 'configmaps',
                responseKind: { group: '', version: '', kind: 'ConfigMap' },
                scope: 'Namespaced',
                singularResource: 'configmap',
                verbs: expect.arrayContaining(['watch']),
                shortNames: ['cm'],
              },
            ]),
          },
        ],
      },
    ],
  })
  const { items } = aggregatedGroups(resources)
  expect(items).toContainEqual({
    metadata: { name: 'a.example.com' },
    versions: [
      {
        version: 'v1',
        freshness: 'Current',
        resources: [
          {
            resource: 'widgets',
            responseKind: { group: 'a.example.com', version: 'v1', kind: 'Widget' },
            scope: 'Namespaced',
            singularResource: 'widget',
            verbs: ['get', 'list'],
            subresources: [
              {
                subresource: 'scale',
                responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
                verbs: ['get'],
              },
            ],
          },
        ],
      },
    ],
  })
})

test('the version is that of the kinds', () => {
  expect(versionDocument()).toMatchObject({
    major: '1',
    gitVersion: expect.stringMatching(/^v1\.\d+\.\d+$/),
  })
})
