import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import { at, textAt } from '#test/conformance/apiserver/values.ts'
import {
  configMap,
  configMapsOf,
  deployment,
  gadget,
  pathIn,
  uncontrolled,
  widget,
  widgetsOf,
} from './objects.ts'

const creating: Case[] = [
  asking('creating a ConfigMap answers the whole object', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a', { data: { key: 'value' } }))
    await stage.get(configMapsOf(stage, 'a'))
  }),
  asking('creating a custom object answers the whole object', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a', { mode: 'x' }))
    await stage.get(widgetsOf(stage, 'a'))
  }),
  asking('creating an object of the cluster answers the whole object', async (stage) => {
    const path = `/apis/${stage.group}/v1/gadgets`
    await stage.post(path, gadget(stage, stage.id, { anything: [1, { goes: true }] }))
    await stage.get(`${path}/${stage.id}`)
    await stage.delete(`${path}/${stage.id}`)
  }),
  asking('creating a Deployment fills in its defaults', async (stage) => {
    await stage.post(pathIn(stage)('apps/v1', 'deployments'), deployment('a'))
  }),
  asking('a second object of a name is refused', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'))
    await stage.post(configMapsOf(stage), configMap('a', { data: { other: 'one' } }))
  }),
  asking('a second custom object of a name is refused', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'))
    await stage.post(widgetsOf(stage), widget(stage, 'a'))
  }),
  asking('kind and apiVersion may be left out of built-in objects', (stage) =>
    stage.post(configMapsOf(stage), { metadata: { name: 'a' } }),
  ),
  asking('kind and apiVersion may not be left out of custom objects', (stage) =>
    stage.post(widgetsOf(stage), { metadata: { name: 'a' } }),
  ),
  asking('the server sets the fields of metadata that are its own', (stage) =>
    stage.post(
      configMapsOf(stage),
      configMap('a', {
        metadata: {
          name: 'a',
          uid: '11111111-2222-3333-4444-555555555555',
          generation: 7,
          creationTimestamp: '2001-01-01T00:00:00Z',
          deletionTimestamp: '2001-01-01T00:00:00Z',
          deletionGracePeriodSeconds: 5,
          selfLink: '/somewhere',
        },
      }),
    ),
  ),
  asking('the server sets the fields of metadata of custom objects too', (stage) =>
    stage.post(widgetsOf(stage), {
      ...widget(stage, 'a'),
      metadata: {
        name: 'a',
        uid: '11111111-2222-3333-4444-555555555555',
        generation: 7,
        creationTimestamp: '2001-01-01T00:00:00Z',
        selfLink: '/somewhere',
      },
    }),
  ),
  asking('a resourceVersion is refused on creation', async (stage) => {
    await stage.post(
      configMapsOf(stage),
      configMap('a', { metadata: { name: 'a', resourceVersion: '5' } }),
    )
    await stage.post(widgetsOf(stage), {
      ...widget(stage, 'a'),
      metadata: { name: 'a', resourceVersion: '5' },
    })
  }),
  asking('generateName makes up a name', async (stage) => {
    await stage.post(configMapsOf(stage), { metadata: { generateName: 'made-' } })
    await stage.post(widgetsOf(stage), {
      ...widget(stage, ''),
      metadata: { generateName: 'made-' },
    })
  }),
  asking('a name wins over generateName', (stage) =>
    stage.post(configMapsOf(stage), { metadata: { name: 'a', generateName: 'made-' } }),
  ),
  asking('a long generateName is cut', async (stage) => {
    const { body } = await stage.quietly({
      method: 'POST',
      path: configMapsOf(stage),
      body: { metadata: { generateName: 'x'.repeat(250) } },
    })
    stage.note('its length', [
      textAt(body, 'metadata', 'name').length,
      textAt(body, 'metadata', 'generateName').length,
    ])
  }),
  asking('a bad generateName is refused', async (stage) => {
    const { body } = await stage.quietly({
      method: 'POST',
      path: configMapsOf(stage),
      body: { metadata: { generateName: 'Made_' } },
    })
    // Nothing tells which part of the name that is refused was made up.
    stage.note('why', JSON.parse(JSON.stringify(body).replaceAll(/Made_\w{5}/g, 'Made_<suffix>')))
  }),
  asking('an object without any name is refused', async (stage) => {
    await stage.post(configMapsOf(stage), { metadata: {} })
    await stage.post(configMapsOf(stage), {})
    await stage.post(widgetsOf(stage), { ...widget(stage, ''), metadata: {} })
  }),
  asking('posting to the path of an object is not allowed', (stage) =>
    stage.post(configMapsOf(stage, 'a'), configMap('a')),
  ),
]

const mismatches: Case[] = [
  asking('a namespace that is not the one of the path is refused', async (stage) => {
    const metadata = { name: 'a', namespace: 'default' }
    await stage.post(configMapsOf(stage), configMap('a', { metadata }))
    await stage.post(widgetsOf(stage), { ...widget(stage, 'a'), metadata })
  }),
  asking('a namespace in an object of the cluster is refused', async (stage) => {
    const metadata = { name: stage.id, namespace: stage.id }
    await stage.post(`/apis/${stage.group}/v1/gadgets`, { ...gadget(stage, ''), metadata })
    await stage.post('/apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata })
  }),
  asking('a wrong kind is refused', async (stage) => {
    await stage.post(configMapsOf(stage), { ...configMap('a'), kind: 'Secret' })
    await stage.post(configMapsOf(stage), { ...configMap('a'), kind: 'Unknown' })
    await stage.post(widgetsOf(stage), { ...widget(stage, 'a'), kind: 'Gadget' })
  }),
  asking('a wrong apiVersion is refused', async (stage) => {
    await stage.post(configMapsOf(stage), { ...configMap('a'), apiVersion: 'v2' })
    await stage.post(configMapsOf(stage), { ...configMap('a'), apiVersion: 'apps/v1' })
    await stage.post(configMapsOf(stage), { ...configMap('a'), apiVersion: 'a/b/c' })
    await stage.post(widgetsOf(stage), { ...widget(stage, 'a'), apiVersion: `${stage.group}/v2` })
    await stage.post(widgetsOf(stage), { ...widget(stage, 'a'), apiVersion: 'v1' })
  }),
  asking('an apiVersion without a kind is refused', async (stage) => {
    await stage.post(configMapsOf(stage), { apiVersion: 'v1', metadata: { name: 'a' } })
    await stage.post(configMapsOf(stage), { kind: 'ConfigMap', metadata: { name: 'b' } })
  }),
  asking('a name that is not the one of the path is refused on update', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'))
    await stage.put(configMapsOf(stage, 'a'), configMap('b'))
    await stage.put(configMapsOf(stage, 'a'), {})
    await stage.post(widgetsOf(stage), widget(stage, 'a'))
    await stage.put(widgetsOf(stage, 'a'), widget(stage, 'b'))
  }),
  asking('a namespace that is not the one of the path is refused on update', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'))
    const metadata = { name: 'a', namespace: 'default' }
    await stage.put(configMapsOf(stage, 'a'), configMap('a', { metadata }))
  }),
  asking('creating in a namespace that does not exist is refused', async (stage) => {
    const path = `/api/v1/namespaces/${stage.id}-x/configmaps`
    await stage.post(path, configMap('a'))
    await stage.post(`/apis/${stage.group}/v1/namespaces/${stage.id}-x/widgets`, widget(stage, 'a'))
    await stage.get(path)
    await stage.get(`${path}/a`)
  }),
  asking('writing to all namespaces is not allowed', async (stage) => {
    await stage.post('/api/v1/configmaps', configMap('a'))
    await stage.post(
      '/api/v1/configmaps',
      configMap('a', { metadata: { name: 'a', namespace: stage.id } }),
    )
    await stage.delete('/api/v1/configmaps')
  }),
]

const updating: Case[] = [
  asking('an update replaces the object', async (stage) => {
    const path = configMapsOf(stage, 'a')
    await stage.post(configMapsOf(stage), configMap('a', { data: { one: '1', two: '2' } }))
    await stage.put(path, configMap('a', { data: { one: '1', three: '3' } }))
    await stage.get(path)
  }),
  asking('an update that changes nothing keeps the resourceVersion', async (stage) => {
    const path = configMapsOf(stage, 'a')
    const { body } = await stage.post(configMapsOf(stage), configMap('a', { data: { one: '1' } }))
    await stage.put(path, body)
    await stage.put(path, configMap('a', { data: { one: '1' } }))
  }),
  asking('an update of an object that has changed meanwhile is a conflict', async (stage) => {
    const path = configMapsOf(stage, 'a')
    const { body } = await stage.post(configMapsOf(stage), configMap('a'))
    await stage.put(path, configMap('a', { data: { one: '1' } }))
    await stage.put(path, { ...Object(body), data: { two: '2' } })
  }),
  asking('an update of a custom object needs a resourceVersion', async (stage) => {
    const path = widgetsOf(stage, 'a')
    const { body } = await stage.post(widgetsOf(stage), widget(stage, 'a'))
    await stage.put(path, widget(stage, 'a', { mode: 'x' }))
    await stage.put(path, { ...Object(body), spec: { mode: 'x' } })
    await stage.put(path, { ...Object(body), spec: { mode: 'y' } })
  }),
  asking('an update of what does not exist is not found', async (stage) => {
    await stage.put(configMapsOf(stage, 'a'), configMap('a'))
    await stage.put(widgetsOf(stage, 'a'), widget(stage, 'a'))
  }),
  asking('an update with the uid of another object is a conflict', async (stage) => {
    const path = configMapsOf(stage, 'a')
    await stage.post(configMapsOf(stage), configMap('a'))
    const metadata = { name: 'a', uid: '11111111-2222-3333-4444-555555555555' }
    await stage.put(path, configMap('a', { metadata }))
  }),
  asking('an update with a resourceVersion that is no number is refused', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'))
    for (const resourceVersion of ['x', '-1', '0', '1']) {
      const metadata = { name: 'a', resourceVersion }
      await stage.put(
        configMapsOf(stage, 'a'),
        configMap('a', { metadata, data: { resourceVersion } }),
      )
    }
  }),
  asking('an update cannot change what the server owns', async (stage) => {
    const path = configMapsOf(stage, 'a')
    await stage.post(configMapsOf(stage), configMap('a'))
    await stage.put(path, {
      metadata: { name: 'a', creationTimestamp: '2001-01-01T00:00:00Z', generation: 4 },
    })
    await stage.put(path, { metadata: { name: 'a', deletionTimestamp: '2001-01-01T00:00:00Z' } })
    await stage.put(path, { metadata: { name: 'a', generateName: 'b-' } })
  }),
  asking('the generation of a custom object counts changes of its spec', async (stage) => {
    const path = widgetsOf(stage, 'a')
    const { body } = await stage.post(widgetsOf(stage), widget(stage, 'a'))
    const metadata = Object(at(body, 'metadata'))
    const labelled = await stage.put(path, {
      ...Object(body),
      metadata: { ...metadata, labels: { a: 'b' } },
    })
    await stage.put(path, { ...Object(labelled.body), spec: { mode: 'x' } })
  }),
  asking('the generation of a custom object without a status counts all changes', async (stage) => {
    const path = `/apis/${stage.group}/v1/gadgets/${stage.id}`
    const { body } = await stage.post(
      `/apis/${stage.group}/v1/gadgets`,
      gadget(stage, stage.id, { status: { a: 1 } }),
    )
    const { body: changed } = await stage.put(path, { ...Object(body), status: { a: 2 } })
    const metadata = Object(at(changed, 'metadata'))
    await stage.put(path, { ...Object(changed), metadata: { ...metadata, labels: { a: 'b' } } })
    await stage.delete(path)
  }),
  asking('the generation of a Deployment counts changes of its spec', async (stage) => {
    const path = pathIn(stage)('apps/v1', 'deployments')
    const show = uncontrolled
    await stage.post(path, deployment('a'), { show })
    await stage.put(`${path}/a`, deployment('a', { revisionHistoryLimit: 3 }), { show })
    const metadata = { name: 'a', labels: { a: 'b' } }
    const changed = { ...deployment('a', { revisionHistoryLimit: 3 }), metadata }
    await stage.put(`${path}/a`, changed, { show })
  }),
]

export const writesCases: Subject = {
  subject: 'writes',
  cases: [...creating, ...mismatches, ...updating],
}
