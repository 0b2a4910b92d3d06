import { type Fields, isFields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import { at, listAt, textAt } from '#test/conformance/apiserver/values.ts'

/** The groups that are served. A real cluster has a few more, of no use without its other parts. */
const servedVersions = [
  'v1',
  'apps/v1',
  'batch/v1',
  'autoscaling/v1',
  'autoscaling/v2',
  'policy/v1',
  'rbac.authorization.k8s.io/v1',
  'networking.k8s.io/v1',
  'coordination.k8s.io/v1',
  'discovery.k8s.io/v1',
  'events.k8s.io/v1',
  'storage.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'node.k8s.io/v1',
  'admissionregistration.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'authentication.k8s.io/v1',
  'authorization.k8s.io/v1',
  'certificates.k8s.io/v1',
] as const

const rootOf = (version: string): string =>
  version.includes('/') ? `/apis/${version}` : `/api/${version}`

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
const BETA = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList'

const legacy: Case[] = [
  ...servedVersions.map((version) =>
    asking(
      `the resources of ${version}`,
      (stage) => stage.get(rootOf(version), { show: withResourcesByName }),
      { alone: true },
    ),
  ),
  ...servedVersions.slice(1).map((version) =>
    asking(`the group of ${version}`, (stage) => stage.get(`/apis/${version.split('/')[0]}`), {
      alone: true,
    }),
  ),
  asking(
    'the versions of the core group',
    (stage) =>
      stage.get('/api', {
        show: (body) => ({
          ...Object(body),
          serverAddressByClientCIDRs: listAt(body, 'serverAddressByClientCIDRs').length,
        }),
      }),
    { alone: true },
  ),
  asking(
    'the groups that are served',
    (stage) =>
      stage.get('/apis', {
        show: (body) => [
          at(body, 'kind'),
          at(body, 'apiVersion'),
          listAt(body, 'groups').filter(isServed),
        ],
      }),
    { alone: true },
  ),
  asking(
    'the resources of a group of custom kinds',
    async (stage) => {
      await stage.get(`/apis/${stage.group}`)
      for (const version of ['v1', 'v1beta1']) {
        await stage.get(`/apis/${stage.group}/${version}`, { show: withResourcesByName })
      }
    },
    { alone: true },
  ),
]

/** By name, for those of several CRDs are told in random order, and one too many is one difference. */
const withResourcesByName = (body: unknown): unknown =>
  at(body, 'kind') === 'Status'
    ? body
    : { ...Object(body), resources: byKey(at(body, 'resources'), 'name') }

const byKey = (list: unknown, key: string): Fields =>
  Object.fromEntries(listAt(list).map((one) => [textAt(one, key), one]))

const isServed = (group: unknown): boolean =>
  servedVersions.some((version) => version.split('/')[0] === textAt(group, 'name'))

/** What is told of groups that both have, by name. */
const groupsIn =
  (stage: { group: string }) =>
  (body: unknown): unknown => {
    const names = new Set(
      servedVersions.map((version) => (version.includes('/') ? version.split('/')[0] : '')),
    )
    const items = listAt(body, 'items').filter((one) => {
      const name = textAt(one, 'metadata', 'name')
      return names.has(name) || name === stage.group
    })
    return { ...Object(body), items: items.map(withServedVersions) }
  }

function withServedVersions(group: unknown): unknown {
  const name = textAt(group, 'metadata', 'name')
  const versions = listAt(group, 'versions').filter((one) => {
    const version = textAt(one, 'version')
    const full = name ? `${name}/${version}` : version
    return servedVersions.some((served) => served === full) || name.endsWith('.example.com')
  })
  return { ...Object(group), metadata: { name }, versions: versions.map(withKindsByName) }
}

const withKindsByName = (version: unknown): unknown => ({
  ...Object(version),
  resources: byKey(
    listAt(version, 'resources').map((one) => ({
      ...Object(one),
      subresources: byKey(at(one, 'subresources'), 'subresource'),
    })),
    'resource',
  ),
})

const aggregated: Case[] = [
  asking(
    'all groups at once',
    (stage) =>
      stage.get('/apis', { accept: `${AGGREGATED},application/json`, show: groupsIn(stage) }),
    { alone: true },
  ),
  asking(
    'the core group at once',
    (stage) => stage.get('/api', { accept: AGGREGATED, show: groupsIn(stage) }),
    { alone: true },
  ),
  asking(
    'all groups at once, in the older form',
    (stage) =>
      stage.get('/apis', {
        accept: BETA,
        show: (body) => [at(body, 'kind'), at(body, 'apiVersion')],
      }),
    { alone: true },
  ),
  asking(
    'all groups, as kubectl asks',
    (stage) =>
      stage.get('/apis', {
        accept: `${AGGREGATED},${BETA},application/json`,
        show: (body) => [at(body, 'kind'), at(body, 'apiVersion')],
      }),
    { alone: true },
  ),
  asking(
    'what did not change is not sent again',
    async (stage) => {
      const first = await stage.send({ method: 'HEAD', path: '/apis', accept: AGGREGATED })
      stage.note('its status', first.status)
      await stage.get('/apis', {
        accept: AGGREGATED,
        headers: { 'if-none-match': '"nonsense"' },
        show: (body) => at(body, 'kind'),
      })
    },
    { alone: true },
  ),
  asking(
    'groups have no other form',
    async (stage) => {
      await stage.get('/apis', { accept: 'text/plain' })
      await stage.get('/apis/apps', { accept: AGGREGATED, show: (body) => at(body, 'kind') })
      await stage.post('/apis', {}, { show: (body) => at(body, 'kind') })
      await stage.post('/apis/apps/v1', {})
    },
    { alone: true },
  ),
]

const plain: Case[] = [
  asking(
    'the version',
    (stage) =>
      stage.get('/version', {
        show: (body) =>
          Object.entries(Object(body))
            .map(([key, value]) => [key, typeof value])
            .sort(),
      }),
    { alone: true },
  ),
  asking(
    'the version is a Kubernetes version',
    (stage) => stage.get('/version', { show: (body) => [at(body, 'major'), at(body, 'minor')] }),
    { alone: true },
  ),
  ...['/healthz', '/livez', '/readyz', '/healthz/ping', '/livez/ping', '/readyz/ping'].map((path) =>
    asking(
      `health: ${path}`,
      async (stage) => {
        await stage.get(path)
        await stage.get(path, { token: '', accept: '*/*' })
      },
      { alone: true },
    ),
  ),
]

/** A schema without its descriptions. */
function bare(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(bare)
  if (!isFields(schema)) return schema
  const entries = Object.entries(schema)
    .filter(([key, value]) => key !== 'description' || typeof value !== 'string')
    .map(([key, value]): [string, unknown] => [key, bare(value)])
  return Object.fromEntries(entries)
}

const OF_ALL_OBJECTS = /(ObjectMeta|ListMeta|OwnerReference|FieldsV1|ManagedFieldsEntry|Time)$/

/**
 * A schema with the descriptions that its definition gives. What all objects and lists have is
 * described in other words by the embedded API, so that is left out.
 */
function inItsOwnWords(name: string, schema: unknown): unknown {
  if (OF_ALL_OBJECTS.test(name) || name.endsWith('List')) return bare(schema)
  if (Array.isArray(schema)) return schema.map((one) => inItsOwnWords('', one))
  if (!isFields(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      ['apiVersion', 'kind', 'metadata'].includes(key) ? bare(value) : inItsOwnWords('', value),
    ]),
  )
}

const schemasOf = (body: unknown, pattern: RegExp): Fields =>
  Object.fromEntries(
    Object.entries(Object(at(body, 'components', 'schemas')))
      .filter(([name]) => pattern.test(name))
      .map(([name, schema]) => [name, bare(schema)]),
  )

const openApi: Case[] = [
  asking(
    'the index of OpenAPI v3',
    (stage) =>
      stage.get('/openapi/v3', {
        show: (body) =>
          Object.entries(Object(at(body, 'paths')))
            .filter(
              ([path]) =>
                servedVersions.some((version) => `/${path}` === rootOf(version)) ||
                path.includes(stage.group),
            )
            .sort(([one], [other]) => (one < other ? -1 : 1)),
      }),
    { alone: true },
  ),
  ...servedVersions.map((version) =>
    asking(
      `OpenAPI v3 of ${version}: its kinds`,
      (stage) =>
        stage.get(`/openapi/v3${rootOf(version)}`, {
          show: (body) =>
            schemasOf(body, new RegExp(`\\.${version.split('/').at(-1) ?? ''}\\.[A-Z]\\w+$`)),
        }),
      { alone: true },
    ),
  ),
  ...['v1', 'apps/v1'].map((version) =>
    asking(
      `OpenAPI v3 of ${version}: its paths`,
      (stage) =>
        stage.get(`/openapi/v3${rootOf(version)}`, {
          show: (body) =>
            Object.entries(Object(at(body, 'paths')))
              .filter(([path]) => !path.includes('/watch/') && !path.includes('/proxy'))
              .map(([path, item]) => [
                path,
                Object.keys(Object(item))
                  .filter((key) => key !== 'parameters')
                  .sort(),
              ])
              .sort(),
        }),
      { alone: true },
    ),
  ),
  asking(
    'custom kinds in OpenAPI v3',
    (stage) =>
      stage.until(`/openapi/v3/apis/${stage.group}/v1`, ({ status }) => status === 200, {
        show: (body) => [schemasOf(body, /Widget|Gadget/), at(body, 'openapi')],
      }),
    { alone: true },
  ),
  asking(
    'custom kinds in OpenAPI v3: all that is said of them',
    (stage) =>
      stage.until(`/openapi/v3/apis/${stage.group}/v1`, ({ status }) => status === 200, {
        show: (body) => [
          at(body, 'info'),
          Object.entries(Object(at(body, 'components', 'schemas')))
            .filter(([name]) => /Widget|Gadget/.test(name) || OF_ALL_OBJECTS.test(name))
            .map(([name, schema]) => [name, inItsOwnWords(name, schema)]),
        ],
      }),
    { alone: true },
  ),
  asking(
    'OpenAPI that is not there',
    async (stage) => {
      await stage.get('/openapi/v3/apis/nothing/v1')
      await stage.get('/openapi/v9')
      await stage.get('/openapi/v3/apis/apps/v1', {
        accept: 'text/plain',
      })
    },
    { alone: true },
  ),
  asking(
    'custom kinds in OpenAPI v2',
    (stage) => {
      const kinds = (body: unknown) =>
        Object.entries(Object(at(body, 'definitions')))
          .filter(([name]) => name.includes(stage.group.split('.')[0] ?? ''))
          .map(([name, schema]): [string, unknown] => [name, inItsOwnWords(name, schema)])
          .sort(([one], [other]) => (one < other ? -1 : 1))
      const isThere = ({ body }: { body: unknown }) => kinds(body).length === 6
      return stage.until('/openapi/v2', isThere, { show: kinds })
    },
    { alone: true },
  ),
  asking(
    'OpenAPI v2 as JSON',
    (stage) =>
      stage.get('/openapi/v2', {
        show: (body) => [
          at(body, 'swagger'),
          bare(at(body, 'definitions', 'io.k8s.api.core.v1.ConfigMap')),
        ],
      }),
    { alone: true },
  ),
]

export const discoveryCases: Subject = {
  subject: 'discovery',
  cases: [...legacy, ...aggregated, ...plain, ...openApi],
}
