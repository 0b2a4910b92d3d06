import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import type { Stage } from '#test/conformance/apiserver/stage.ts'
import { at, listAt } from '#test/conformance/apiserver/values.ts'

const alone = { alone: true } as const
const silent = { show: () => '' }

/** Health checks that both have. The real one has many more, of its own parts. */
const shared = (body: unknown): unknown =>
  typeof body === 'string'
    ? body
        .split(/(?<=\n)/)
        .filter((line) => !line.startsWith('[') || /^\[.\](ping|etcd) /.test(line))
        .join('')
    : body

const PROBES = ['/healthz', '/livez', '/readyz']

const health: Case[] = [
  ...PROBES.map((probe) =>
    asking(
      `health in detail: ${probe}`,
      async (stage) => {
        for (const query of ['verbose', 'verbose=false', 'verbose&exclude=etcd']) {
          await stage.get(`${probe}?${query}`, { show: shared })
        }
        await stage.get(`${probe}?verbose&exclude=ping&exclude=b&exclude=a`, { show: shared })
        await stage.get(`${probe}?exclude=nothing`)
      },
      alone,
    ),
  ),
  ...PROBES.map((probe) =>
    asking(
      `health: one check of ${probe}`,
      async (stage) => {
        for (const path of ['ping', 'etcd', 'ping?verbose', 'nothing', 'ping/', '']) {
          await stage.get(`${probe}/${path}`)
        }
      },
      alone,
    ),
  ),
  asking(
    'health is told to every method and in one form',
    async (stage) => {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
        await stage.send({ method, path: '/readyz' })
        await stage.send({ method, path: '/readyz/ping' })
      }
      await stage.get('/healthz', { accept: 'text/html' })
    },
    alone,
  ),
]

const documentsOf = ({ group }: Stage): string[] => [
  '/version',
  '/api',
  '/api/v1',
  '/apis',
  '/apis/apps',
  '/apis/apps/v1',
  `/apis/${group}`,
  `/apis/${group}/v1`,
]

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

const forms: Case[] = [
  asking(
    'documents are read by GET, and some by any method',
    async (stage) => {
      for (const path of documentsOf(stage)) {
        for (const method of ['POST', 'DELETE', 'OPTIONS', 'HEAD']) {
          await stage.send({ method, path }, (body) => at(body, 'message') ?? at(body, 'kind'))
        }
      }
    },
    alone,
  ),
  asking(
    'documents have few forms',
    async (stage) => {
      for (const path of documentsOf(stage)) {
        await stage.get(path, { accept: 'text/plain' })
        await stage.get(path, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io', ...silent })
        const show = (body: unknown) => at(body, 'message') ?? at(body, 'kind')
        await stage.get(path, { accept: AGGREGATED, show })
        await stage.get(path, { accept: `${AGGREGATED},application/json`, show })
      }
      await stage.get('/version', { accept: 'application/yaml', ...silent })
      await stage.get('/openid/v1/jwks', { accept: 'text/plain' })
      await stage.get('/openid/v1/jwks', { accept: '*/*', ...silent })
      await stage.get('/.well-known/openid-configuration', { accept: 'text/plain' })
    },
    alone,
  ),
  asking(
    'documents and objects end with a line, unless they are for people',
    async (stage) => {
      const paths = [
        ...documentsOf(stage),
        '/api/v1/namespaces/default',
        '/api/v1/nodes',
        '/api/v2',
      ]
      for (const path of paths) {
        for (const query of ['', '?pretty=true', '?pretty=false', '?pretty=0']) {
          const { text } = await stage.quietly({ method: 'GET', path: `${path}${query}` })
          const ends = text.endsWith('\n') ? 'a line' : 'no line'
          stage.note(`${path}${query}`, [ends, text.startsWith('{\n  "') ? 'indented' : 'compact'])
        }
      }
    },
    alone,
  ),
  asking(
    'the index of all paths',
    async (stage) => {
      const show = (body: unknown) =>
        listAt(body, 'paths').filter((path) =>
          /^\/(?:apis?|api\/v1|apis\/apps.*|version|readyz|readyz\/ping|openapi\/v[23])$/.test(
            String(path),
          ),
        )
      await stage.get('/', { show })
      await stage.get('/index.html', { show })
    },
    alone,
  ),
  asking(
    'slashes that are too many',
    async (stage) => {
      for (const path of documentsOf(stage)) {
        await stage.get(`${path}/`, { show: (body) => at(body, 'kind') ?? typeof body })
      }
      for (const path of [
        '//api',
        '//version',
        '/api//v1',
        '/api/v2/pods',
        '/apis/apps/v9/deployments',
        '/apis/apps//deployments',
        '/apis//apps',
        '/version/nothing',
        '/api/v1/namespaces/a%2fb',
        '/apis/apps/v1/namespaces/a/deployments/a%2Fb',
      ]) {
        await stage.get(path)
      }
    },
    alone,
  ),
  asking(
    'what is not there is not there in any form',
    async (stage) => {
      for (const path of ['/nothing', '/apis/nothing', '/apis/nothing.example.com/v1']) {
        await stage.get(path, { accept: 'text/plain' })
        await stage.get(path, { accept: AGGREGATED })
        await stage.post(path, {})
      }
    },
    alone,
  ),
]

export const documentsCases: Subject = { subject: 'documents', cases: [...health, ...forms] }
