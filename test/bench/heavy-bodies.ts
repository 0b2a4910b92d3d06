const GROUP = 'bench.example.com'
const NAMES = { plural: 'heavies', singular: 'heavy', kind: 'Heavy', listKind: 'HeavyList' }

/** A definition with so many rules, each on a field of its own, and the path of its objects. */
export function definitionWithRules(rules: number): { definition: object; path: string } {
  const properties = Object.fromEntries(
    Array.from({ length: rules }, (_, index) => [
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
  const spec = { type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true }
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
