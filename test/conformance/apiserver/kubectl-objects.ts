// Manifests that the cases of kubectl write into files.

const PLURAL = 'gadgets'
const GROUP = 'kubectl.example.com'

/** Defined before the first case: with columns, a scale, a status and selectable fields. */
export const gadgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${PLURAL}.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: {
      plural: PLURAL,
      singular: 'gadget',
      kind: 'Gadget',
      shortNames: ['gg'],
      categories: ['all'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        selectableFields: [{ jsonPath: '.spec.size' }],
        additionalPrinterColumns: [
          { name: 'Size', type: 'string', jsonPath: '.spec.size' },
          { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
          { name: 'Note', type: 'string', jsonPath: '.spec.note', priority: 1 },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'Gadget is a thing that people scale.',
            properties: {
              spec: {
                type: 'object',
                description: 'What is wanted.',
                required: ['size'],
                properties: {
                  size: { type: 'string', enum: ['small', 'large'], description: 'How big it is.' },
                  replicas: { type: 'integer', format: 'int32', minimum: 0, default: 1 },
                  note: { type: 'string' },
                  parts: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: {
                        name: { type: 'string', description: 'Of the part.' },
                        weight: { type: 'integer' },
                      },
                    },
                  },
                },
              },
              status: {
                type: 'object',
                properties: {
                  replicas: { type: 'integer' },
                  conditions: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: { type: { type: 'string' }, status: { type: 'string' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
}

export const gadget = (name: string, spec: object = {}) => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'Gadget',
  metadata: { name },
  spec: { size: 'small', ...spec },
})

export const configMap = (name: string, data: Record<string, string> = {}, labels?: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(labels && { labels }) },
  data,
})

export const pod = (name: string, labels: Record<string, string> = { app: name }) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: {
    // Nothing runs it, so the embedded API mounts no token.
    automountServiceAccountToken: false,
    containers: [
      {
        name: 'main',
        image: 'registry.example.com/main:1',
        ports: [{ name: 'http', containerPort: 8080 }],
        env: [{ name: 'MODE', value: 'test' }],
        resources: { requests: { cpu: '100m', memory: '64Mi' } },
      },
    ],
  },
})

export const deployment = (name: string, replicas = 2) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { app: name } },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'registry.example.com/main:1' }] },
    },
  },
})

export const service = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
})

export const node = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { disk: 'ssd' } },
})
