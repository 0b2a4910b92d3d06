import type { RunningApi } from '#test/conformance/apis.ts'
import { startKubernetes } from '#test/conformance/kubernetes/real-kubernetes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'
import { until } from '#test/until.ts'
import { startSmallApi } from './small-api.ts'

/** A custom resource that keeps whatever is in it, to compare the small API with the real one. */
const gadgets = {
  group: 'tests.example',
  version: 'v1',
  plural: 'gadgets',
  kind: 'Gadget',
  namespaced: true,
  hasStatus: true,
  hasScale: true,
}

/** Where the gadgets of the namespace `default` are. */
export const GADGETS = '/apis/tests.example/v1/namespaces/default/gadgets'

/** Where the gadgets of all namespaces are. */
export const ALL_GADGETS = '/apis/tests.example/v1/gadgets'

/** Every API that is to answer the same. */
export const gadgetApis: readonly { name: string; start(): Promise<RunningApi> }[] = [
  { name: 'the small API', start: () => startSmallApi({ resources: [gadgets] }) },
  { name: 'kube-apiserver', start: startReal },
]

async function startReal(): Promise<RunningApi> {
  const api = await startKubernetes(await realPrograms(['etcd', 'kube-apiserver']))
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await api.send({ method: 'POST', path: crds, body: crd })
  await until(
    'gadgets to be served',
    () => api.send({ method: 'GET', path: GADGETS }),
    ({ status }) => status === 200,
  )
  return api
}

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const conditions = {
  type: 'array',
  items: { ...anything, properties: { type: { type: 'string' } }, required: ['type'] },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
}

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${gadgets.plural}.${gadgets.group}` },
  spec: {
    group: gadgets.group,
    scope: 'Namespaced',
    names: { kind: gadgets.kind, listKind: 'GadgetList', plural: gadgets.plural },
    versions: [
      {
        name: gadgets.version,
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.replicas',
            statusReplicasPath: '.status.replicas',
            labelSelectorPath: '.status.selector',
          },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: anything, status: { ...anything, properties: { conditions } } },
          },
        },
      },
    ],
  },
}
