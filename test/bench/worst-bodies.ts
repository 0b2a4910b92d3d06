import { deploymentWithVariables } from './heavy-bodies.ts'

const GROUP = 'worst.bench.example.com'
const NAMES = { plural: 'wides', singular: 'wide', kind: 'Wide', listKind: 'WideList' }
const WIDES = `/apis/${GROUP}/v1/namespaces/default/${NAMES.plural}`
const MAPS = '/api/v1/namespaces/default/configmaps'
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments'

const KEYED = 15_000
const KEYS = 30_000
const OPERATIONS = 9_000
const FULL_BYTES = 3_000_000
// Just below what is refused, see src/apiserver/body-size.ts.
const CONTAINERS = 99_000
const PROPERTIES = 15_000
const OWNERS = 30_000
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** A request that is as hard as one of its kind can be, and what it is answered. */
export interface WorstCall {
  name: string
  method: string
  path: string
  body?: unknown
  /** The body, if it is no JSON. */
  text?: string
  contentType?: string
  status: number
}

/** A kind with a list of each type, and room for anything. */
export const worstDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${NAMES.plural}.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: NAMES,
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                properties: {
                  keyed: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: {
                        name: { type: 'string' },
                        weight: { type: 'integer', default: 1 },
                      },
                    },
                  },
                  typed: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: { a: { type: 'integer', minimum: 0 } },
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
} as const

export const WORST_PATH = WIDES

const many = <Item>(count: number, item: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at))

const wide = (name: string, spec: object): object => ({
  apiVersion: `${GROUP}/v1`,
  kind: NAMES.kind,
  metadata: { name, namespace: 'default' },
  spec,
})

const keyed = (from: number): object =>
  wide('keyed', { keyed: many(KEYED, (at) => ({ name: `item-${at + from}`, weight: at })) })

const config = (value: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'many-keys', namespace: 'default' },
  data: Object.fromEntries(many(KEYS, (at) => [`key-${at}`, value])),
})

const filled = (name: string, item: unknown, count: number): object =>
  wide(name, { free: many(count, () => item) })

const APPLY = 'application/apply-patch+yaml'
const applied = (path: string, body: object, query = '') => ({
  ...{ method: 'PATCH', path: `${path}?fieldManager=bench${query}`, body, contentType: APPLY },
})
const patched = (type: string, path: string, body: object) => ({
  ...{ method: 'PATCH', path, body, contentType: `application/${type}-patch+json`, status: 200 },
})
const posted = (path: string, body: object) => ({ method: 'POST', path, body, status: 201 })

const operations = (op: (at: number) => object): object[] => many(OPERATIONS, op)

/** In this order: some need what those before them made. */
export const worstCalls = (): readonly WorstCall[] => [
  ...listCalls(),
  ...mapCalls(),
  ...freeCalls(),
  { name: `a definition with ${PROPERTIES} properties`, ...posted(CRDS, broadDefinition()) },
  { name: `an object with ${OWNERS} owners`, ...posted(MAPS, ownedConfig()) },
  { name: 'a deletion of all of these', method: 'DELETE', path: WIDES, status: 200 },
]

const broadDefinition = (): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `broads.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'broads', singular: 'broad', kind: 'Broad', listKind: 'BroadList' },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: Object.fromEntries(
              many(PROPERTIES / 10, (at) => [`group-${at}`, propertyWith(9)]),
            ),
          },
        },
      },
    ],
  },
})

const propertyWith = (count: number): object => ({
  type: 'object',
  properties: Object.fromEntries(
    many(count, (at) => [`field-${at}`, { type: 'integer', minimum: 0, default: at }]),
  ),
})

/** None of the owners is there. */
const ownedConfig = (): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'owned',
    namespace: 'default',
    ownerReferences: many(OWNERS, (at) => ({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${at}`, uid: `uid-${at}` },
    })),
  },
})

const listCalls = (): WorstCall[] => [
  { name: `an apply of ${KEYED} items`, ...applied(`${WIDES}/keyed`, keyed(0)), status: 201 },
  { name: 'the same again', ...applied(`${WIDES}/keyed`, keyed(0)), status: 200 },
  { name: 'an apply that drops 100', ...applied(`${WIDES}/keyed`, keyed(100)), status: 200 },
  {
    name: `${OPERATIONS} replacements`,
    ...patched(
      'json',
      `${WIDES}/keyed`,
      operations((at) => ({ op: 'replace', path: `/spec/keyed/${at}/weight`, value: at + 7 })),
    ),
  },
  {
    name: `${OPERATIONS} insertions at the front`,
    ...patched(
      'json',
      `${WIDES}/keyed`,
      operations((at) => ({ op: 'add', path: '/spec/keyed/0', value: { name: `new-${at}` } })),
    ),
  },
  {
    name: `a Deployment with ${KEYED} variables`,
    ...posted(DEPLOYMENTS, renamed(deploymentWithVariables(KEYED, 'one'))),
  },
  {
    name: 'a strategic patch of all of them',
    ...patched(
      'strategic-merge',
      `${DEPLOYMENTS}/worst`,
      renamed(deploymentWithVariables(KEYED, 'two')),
    ),
  },
]

const renamed = (object: object): object => ({ ...object, metadata: { name: 'worst' } })

const mapCalls = (): WorstCall[] => [
  { name: `${KEYS} keys`, ...posted(MAPS, config('a')) },
  {
    ...{ name: `${KEYS} keys replaced`, method: 'PUT', path: `${MAPS}/many-keys` },
    ...{ body: config('b'), status: 200 },
  },
  {
    name: `${KEYS} keys applied`,
    ...applied(`${MAPS}/many-keys`, config('c'), '&force=true'),
    status: 200,
  },
  {
    ...{ name: 'junk in a ConfigMap', method: 'POST', path: MAPS, status: 413 },
    body: { ...config(''), data: {}, junk: many(FULL_BYTES / 3, () => ({})) },
  },
]

const freeCalls = (): WorstCall[] => [
  { name: 'empty maps', ...posted(WIDES, filled('maps', {}, CONTAINERS)) },
  { name: 'empty lists', ...posted(WIDES, filled('lists', [], CONTAINERS)) },
  {
    name: 'typed maps',
    ...posted(WIDES, wide('typed', { typed: many(CONTAINERS, () => ({ a: 1 })) })),
  },
  {
    name: 'typed maps that are wrong',
    ...posted(WIDES, wide('wrong', { typed: many(CONTAINERS, () => ({ a: -1 })) })),
    status: 422,
  },
  {
    name: 'a label on empty maps',
    ...patched('merge', `${WIDES}/maps`, { metadata: { labels: { a: 'b' } } }),
  },
  { name: '3 MB of empty maps', ...posted(WIDES, filled('full', {}, FULL_BYTES / 3)), status: 413 },
  {
    name: '3 MB of empty lists',
    ...posted(WIDES, filled('full', [], FULL_BYTES / 3)),
    status: 413,
  },
  {
    name: 'escapes',
    ...posted(WIDES, wide('escapes', { free: '\n'.repeat(FULL_BYTES / 2 - 500) })),
  },
  {
    ...{ name: '3 MB of YAML', method: 'POST', path: WIDES, contentType: 'application/yaml' },
    text: `apiVersion: ${GROUP}/v1\nkind: Wide\nspec:\n  free: [${'{},'.repeat(FULL_BYTES / 3 - 100)}]`,
    status: 413,
  },
  ...yamlCalls(),
  {
    ...{ name: '16 KB of YAML', method: 'POST', path: WIDES, contentType: 'application/yaml' },
    text: `apiVersion: ${GROUP}/v1\nkind: Wide\nmetadata: {name: yaml}\nspec:\n  free: [${'{},'.repeat(5_400)}]`,
    status: 201,
  },
  {
    ...{
      name: '3 MB that is broken',
      method: 'POST',
      path: WIDES,
      contentType: 'application/json',
    },
    text: `{"a":"${'x'.repeat(FULL_BYTES)}`,
    status: 400,
  },
]

const yamlCalls = (): WorstCall[] => {
  const head = (name: string) =>
    `apiVersion: ${GROUP}/v1\nkind: Wide\nmetadata: {name: ${name}}\nspec:\n`
  const texts: readonly [string, string][] = [
    ['maps', `  free: [${'{},'.repeat(CONTAINERS)}]\n`],
    ['lists', `  free:\n${'  - []\n'.repeat(CONTAINERS)}`],
    ['scalars', `  free: [${'a,'.repeat(240_000)}]\n`],
    ['keys', `  free:\n${many(49_000, (at) => `    k${at}: v\n`).join('')}`],
    ['lines', `  free: |\n${'    a\n'.repeat(490_000)}`],
    ['escapes', `  free: "${'\\n'.repeat(FULL_BYTES / 2 - 500)}"\n`],
    ['comments', `${'#\n'.repeat(490_000)}`],
    ['one line', `  free: ${'x'.repeat(FULL_BYTES - 500)}\n`],
  ]
  return texts.map(([name, text], at) => ({
    ...{ name: `YAML with ${name}`, method: 'POST', path: WIDES, status: 201 },
    ...{ contentType: 'application/yaml', text: head(`yaml-${at}`) + text },
  }))
}
