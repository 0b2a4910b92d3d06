const GROUP = 'bench.example.com'
const NAMES = { plural: 'heavies', singular: 'heavy', kind: 'Heavy', listKind: 'HeavyList' }

// Each item is held to a rule, and is one that writers can own.
const KEYED_LIST = {
  type: 'array',
  maxItems: 10_000,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', maxLength: 64 }, weight: { type: 'integer' } },
    'x-kubernetes-validations': [{ rule: "self.weight >= 0 && self.name.startsWith('item')" }],
  },
}

/**
 * A definition with so many rules, one on the items of a list and each other on a field of its own; and the path of
 * its objects.
 */
export function definitionWithRules(rules: number): { definition: object; path: string } {
  const properties = Object.fromEntries(
    Array.from({ length: rules - 1 }, (_, index) => [
      `field${index}`,
      {
        type: 'string',
        maxLength: 64,
        'x-kubernetes-validations': [
          {
            rule: `self.size() < ${index + 10} && !self.matches('^x${index}[a-z]+$') || self.startsWith('a${index}')`,
            message: `is not as field${index} must be`,
          },
        ],
      },
    ]),
  )
  const spec = {
    type: 'object',
    properties: { ...properties, keyed: KEYED_LIST },
    'x-kubernetes-preserve-unknown-fields': true,
  }
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${NAMES.plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: NAMES,
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
  return { definition, path: `/apis/${GROUP}/v1/namespaces/default/${NAMES.plural}` }
}

/** An object of that kind of about so many bytes, with many small values in it. */
export function largeObject(bytes: number): object {
  const entry = { name: 'a-name-of-some-length', enabled: true, weight: 12, text: 'x'.repeat(40) }
  const count = Math.floor(bytes / (JSON.stringify(entry).length + 1))
  return {
    apiVersion: `${GROUP}/v1`,
    kind: NAMES.kind,
    metadata: { name: 'large', namespace: 'default' },
    spec: { field0: 'short', entries: Array.from({ length: count - 10 }, () => entry) },
  }
}

/** An object of that kind with a list of so many items, each with a key. */
export const keyedObject = (count: number): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: NAMES.kind,
  metadata: { name: 'keyed', namespace: 'default' },
  spec: {
    keyed: Array.from({ length: count }, (_, index) => ({ name: `item-${index}`, weight: index })),
  },
})

/** A JSON patch of so many operations on that list. */
export const operations = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    op: 'replace',
    path: `/spec/keyed/${index}/weight`,
    value: index + 1,
  }))

/** A Deployment with so many variables, each of which strategic merge patches know by its name. */
export const deploymentWithVariables = (count: number, value: string): object => {
  const env = Array.from({ length: count }, (_, index) => ({ name: `VARIABLE_${index}`, value }))
  const labels = { app: 'many-variables' }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'many-variables' },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: 'an-image', env }] },
      },
    },
  }
}
