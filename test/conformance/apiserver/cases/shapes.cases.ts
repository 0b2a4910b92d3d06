import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import type { Stage } from '#test/conformance/apiserver/stage.ts'
import { at, listAt, textAt } from '#test/conformance/apiserver/values.ts'
import {
  configMap,
  configMapsOf,
  deployment,
  PARTIAL,
  PARTIAL_LIST,
  pathIn,
  TABLE,
  widget,
  widgetsOf,
} from './objects.ts'

/** Ages are counted from now. */
const ageless = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(/"\d+s"/g, '"<age>"'))

const conditions = [{ type: 'Ready', status: 'True' }]

async function fullWidget(stage: Stage): Promise<void> {
  const spec = { mode: 'x', replicas: 2, tags: ['a', 'b'], flag: true, number: 2.5 }
  await stage.quietly({ method: 'POST', path: widgetsOf(stage), body: widget(stage, 'a', spec) })
  const path = `${widgetsOf(stage, 'a')}/status`
  const contentType = 'application/merge-patch+json'
  await stage.quietly({ method: 'PATCH', path, body: { status: { conditions } }, contentType })
}

const tables: Case[] = [
  asking('a custom object as a table', async (stage) => {
    await fullWidget(stage)
    await stage.get(widgetsOf(stage, 'a'), { accept: TABLE, show: ageless })
  }),
  asking('custom objects as a table', async (stage) => {
    await fullWidget(stage)
    await stage.post(widgetsOf(stage), widget(stage, 'b'), { show: () => '' })
    await stage.get(widgetsOf(stage), { accept: TABLE, show: ageless })
  }),
  asking('an empty table', (stage) => stage.get(widgetsOf(stage), { accept: TABLE })),
  asking('a page of a table', async (stage) => {
    for (const name of ['a', 'b', 'c'])
      await stage.post(widgetsOf(stage), widget(stage, name), { show: () => '' })
    const show = (body: unknown): Fields => ({
      names: listAt(body, 'rows').map((row) => at(row, 'cells', 0)),
      metadata: at(body, 'metadata'),
    })
    await stage.get(`${widgetsOf(stage)}?limit=2`, { accept: TABLE, show })
  }),
  asking('the rows of a table hold whole objects, metadata or nothing', async (stage) => {
    await fullWidget(stage)
    for (const include of ['Object', 'Metadata', 'None', 'Everything']) {
      await stage.get(`${widgetsOf(stage)}?includeObject=${include}`, {
        accept: TABLE,
        show: ageless,
      })
    }
  }),
  asking('objects without columns of their own as a table', async (stage) => {
    const path = `/apis/${stage.group}/v1/gadgets`
    await stage.post(path, {
      apiVersion: `${stage.group}/v1`,
      kind: 'Gadget',
      metadata: { name: stage.id },
    })
    await stage.get(`${path}/${stage.id}`, { accept: TABLE, show: ageless })
    await stage.delete(`${path}/${stage.id}`)
  }),
  asking('an error is no table', (stage) => stage.get(widgetsOf(stage, 'none'), { accept: TABLE })),
  asking('what is created, changed and deleted as a table', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'), { accept: TABLE, show: ageless })
    await stage.patch(
      widgetsOf(stage, 'a'),
      { spec: { mode: 'x' } },
      { accept: TABLE, contentType: 'application/merge-patch+json', show: ageless },
    )
    await stage.delete(widgetsOf(stage, 'a'), undefined, { accept: TABLE, show: ageless })
  }),
  asking(
    'a table of v1beta1',
    (stage) =>
      stage.get(widgetsOf(stage), {
        accept: 'application/json;as=Table;g=meta.k8s.io;v=v1beta1',
        show: (body) => at(body, 'apiVersion') ?? body,
      }),
    { differs: 'Tables are served as meta.k8s.io/v1 only, not as the v1beta1 of old clients.' },
  ),
  asking('a form that nobody knows is not served', async (stage) => {
    await stage.get(widgetsOf(stage), { accept: 'application/json;as=Chart;g=meta.k8s.io;v=v1' })
    await stage.get(widgetsOf(stage), {
      accept: `${TABLE},application/json`,
      show: (body) => at(body, 'kind'),
    })
    await stage.get(configMapsOf(stage), { accept: 'application/json;as=Chart;g=meta.k8s.io;v=v1' })
  }),
  asking(
    'a scale as a table',
    async (stage) => {
      await fullWidget(stage)
      await stage.get(`${widgetsOf(stage, 'a')}/scale`, { accept: TABLE, show: ageless })
    },
    { differs: 'A scale is always answered as a Scale, also to those who ask for a table.' },
  ),
]

/** A table of a built-in kind, whose columns are described in other words. */
const undescribed = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(ageless(body)).replaceAll(/"description":"(?:[^"\\]|\\.)*",?/g, ''))

const builtInTables: Case[] = [
  asking('a ConfigMap as a table', async (stage) => {
    await stage.post(
      configMapsOf(stage),
      configMap('a', { data: { one: '1', two: '2' }, binaryData: { three: 'YQ==' } }),
      { show: () => '' },
    )
    await stage.get(configMapsOf(stage, 'a'), { accept: TABLE, show: undescribed })
  }),
  asking('a Secret as a table', async (stage) => {
    const path = pathIn(stage)('v1', 'secrets')
    await stage.post(
      path,
      { metadata: { name: 'a' }, stringData: { one: '1' } },
      { show: () => '' },
    )
    await stage.get(`${path}/a`, { accept: TABLE, show: undescribed })
  }),
  asking('a Service as a table', async (stage) => {
    const path = pathIn(stage)('v1', 'services')
    await stage.post(
      path,
      {
        metadata: { name: 'a' },
        spec: { clusterIP: 'None', ports: [{ port: 80 }], selector: { a: 'b' } },
      },
      { show: () => '' },
    )
    await stage.get(`${path}/a`, { accept: TABLE, show: undescribed })
  }),
  asking('a Deployment as a table', async (stage) => {
    const path = pathIn(stage)('apps/v1', 'deployments')
    await stage.post(path, deployment('a'), { show: () => '' })
    await stage.get(`${path}/a`, {
      accept: TABLE,
      show: (body) => undescribed([at(body, 'columnDefinitions'), at(body, 'rows', 0, 'cells')]),
    })
  }),
  asking('a Namespace as a table', (stage) =>
    stage.get(`/api/v1/namespaces/${stage.id}`, {
      accept: TABLE,
      show: (body) => undescribed([at(body, 'columnDefinitions'), at(body, 'rows', 0, 'cells')]),
    }),
  ),
  asking('a Role as a table', async (stage) => {
    const path = pathIn(stage)('rbac.authorization.k8s.io/v1', 'roles')
    await stage.post(path, { metadata: { name: 'a' }, rules: [] }, { show: () => '' })
    await stage.get(`${path}/a`, { accept: TABLE, show: undescribed })
  }),
  asking('a Lease as a table', async (stage) => {
    const path = pathIn(stage)('coordination.k8s.io/v1', 'leases')
    await stage.post(
      path,
      { metadata: { name: 'a' }, spec: { holderIdentity: 'me' } },
      { show: () => '' },
    )
    await stage.get(`${path}/a`, { accept: TABLE, show: undescribed })
  }),
  asking('a CRD as a table', (stage) =>
    stage.get(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${stage.group}`, {
      accept: TABLE,
      show: (body) => undescribed([at(body, 'columnDefinitions'), at(body, 'rows', 0, 'cells', 0)]),
    }),
  ),
]

const metadata: Case[] = [
  asking('the metadata of an object', async (stage) => {
    await fullWidget(stage)
    await stage.get(widgetsOf(stage, 'a'), { accept: PARTIAL })
    await stage.post(configMapsOf(stage), configMap('a', { data: { a: '1' } }), { show: () => '' })
    await stage.get(configMapsOf(stage, 'a'), { accept: PARTIAL })
  }),
  asking('the metadata of a list', async (stage) => {
    await fullWidget(stage)
    await stage.get(widgetsOf(stage), { accept: PARTIAL_LIST })
    await stage.get(pathIn(stage)('v1', 'secrets'), { accept: PARTIAL_LIST })
  }),
  asking(
    'the metadata of a list as if it were one object',
    async (stage) => {
      await stage.get(widgetsOf(stage), { accept: PARTIAL })
      await fullWidget(stage)
      await stage.get(widgetsOf(stage, 'a'), { accept: PARTIAL_LIST })
    },
    {
      differs:
        'Who asks for the metadata of one object where there is a list, or of a list where there is one object, is served all the same.',
    },
  ),
  asking('the metadata of what is created and changed', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'), { accept: PARTIAL })
    await stage.put(configMapsOf(stage, 'a'), configMap('a', { data: { a: '1' } }), {
      accept: PARTIAL,
    })
    await stage.delete(configMapsOf(stage, 'a'), undefined, { accept: PARTIAL })
  }),
  asking(
    'clients that ask for one of several forms get the first that is served',
    async (stage) => {
      await fullWidget(stage)
      const { body } = await stage.get(widgetsOf(stage, 'a'), {
        accept: `${PARTIAL},application/json`,
      })
      stage.note('its kind', textAt(body, 'kind'))
    },
  ),
  asking(
    'clients that would rather have protobuf',
    async (stage) => {
      await fullWidget(stage)
      const protobuf =
        'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
      await stage.get(widgetsOf(stage, 'a'), {
        accept: `${protobuf},${PARTIAL},application/json`,
        show: () => '',
      })
    },
    { differs: 'Answers are JSON or YAML: protobuf is read, but never sent.' },
  ),
]

export const shapesCases: Subject = {
  subject: 'shapes',
  cases: [...tables, ...builtInTables, ...metadata],
}
