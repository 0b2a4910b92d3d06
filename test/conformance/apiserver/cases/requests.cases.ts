import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import { at } from '#test/conformance/apiserver/values.ts'
import { configMap, configMapsOf, labelled, widget, widgetsOf } from './objects.ts'

const yamlOf = (name: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  key: value\n`

const bodies: Case[] = [
  asking('a missing body is refused', async (stage) => {
    await stage.send({ method: 'POST', path: configMapsOf(stage) })
    await stage.send({ method: 'POST', path: widgetsOf(stage) })
    await stage.post(configMapsOf(stage), undefined, { text: '' })
  }),
  asking('malformed JSON is refused', async (stage) => {
    await stage.post(configMapsOf(stage), undefined, { text: '{"metadata":' })
    await stage.post(configMapsOf(stage), undefined, { text: 'nonsense' })
    await stage.post(widgetsOf(stage), undefined, { text: '{"metadata":' })
  }),
  asking('text behind the object is refused', (stage) =>
    stage.post(configMapsOf(stage), undefined, {
      text: '{"metadata":{"name":"a"}} and more',
    }),
  ),
  asking('a body that is no object is refused', async (stage) => {
    await stage.post(configMapsOf(stage), [])
    await stage.post(configMapsOf(stage), 'text')
    await stage.post(configMapsOf(stage), null)
    await stage.post(widgetsOf(stage), [])
  }),
  asking('a field of the wrong type is refused', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a', { data: { key: 1 } }))
    await stage.post(configMapsOf(stage), configMap('a', { data: [] }))
    await stage.post(configMapsOf(stage), configMap('a', { metadata: 'a' }))
    await stage.post(configMapsOf(stage), configMap('a', { metadata: { name: 5 } }))
    await stage.post(configMapsOf(stage), configMap('a', { immutable: 'yes' }))
  }),
  asking('metadata of the wrong type is refused in custom objects', async (stage) => {
    const base = widget(stage, 'a')
    await stage.post(widgetsOf(stage), { ...base, metadata: 'a' })
    await stage.post(widgetsOf(stage), { ...base, metadata: { name: 5 } })
    await stage.post(widgetsOf(stage), { ...base, metadata: { name: 'a', labels: { a: 1 } } })
    await stage.post(widgetsOf(stage), { ...base, metadata: { name: 'a', labels: [] } })
  }),
  asking('null is as good as absent', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a', { data: null, immutable: null }))
    const metadata = { name: 'a', labels: null, annotations: { a: null } }
    await stage.post(widgetsOf(stage), { ...widget(stage, 'a'), metadata })
  }),
  asking('YAML is taken', async (stage) => {
    const contentType = 'application/yaml'
    await stage.post(configMapsOf(stage), undefined, { text: yamlOf('a'), contentType })
    await stage.post(widgetsOf(stage), undefined, {
      text: `apiVersion: ${stage.group}/v1\nkind: Widget\nmetadata: {name: a}\nspec: {mode: x}\n`,
      contentType,
    })
    await stage.post(configMapsOf(stage), undefined, { text: 'a: b: c', contentType })
  }),
  asking('JSON is taken with parameters of its media type', (stage) =>
    stage.post(configMapsOf(stage), configMap('a'), {
      contentType: 'application/json; charset=utf-8',
    }),
  ),
  asking('a body without a media type is taken as JSON', (stage) =>
    stage.post(configMapsOf(stage), configMap('a'), { contentType: '' }),
  ),
  asking('a body that is too large is refused', (stage) =>
    stage.post(configMapsOf(stage), configMap('a', { data: { a: 'x'.repeat(3_200_000) } })),
  ),
  asking('a ConfigMap that is too large is refused', (stage) =>
    stage.post(configMapsOf(stage), configMap('a', { data: { a: 'x'.repeat(1_048_577) } }), {
      show: (body) => JSON.parse(JSON.stringify(body).replaceAll(/x{1000,}/g, 'x…')),
    }),
  ),
]

const mediaTypes: Case[] = [
  asking('an unknown media type of a body is refused', async (stage) => {
    for (const contentType of ['text/plain', 'application/xml', 'nonsense', 'application/*']) {
      await stage.post(configMapsOf(stage), configMap('a'), { contentType })
    }
    await stage.post(widgetsOf(stage), widget(stage, 'a'), { contentType: 'text/plain' })
  }),
  asking('a patch type is no media type of a new object', (stage) =>
    stage.post(configMapsOf(stage), configMap('a'), {
      contentType: 'application/merge-patch+json',
    }),
  ),
  asking('an unknown media type cannot be asked for', async (stage) => {
    for (const accept of ['text/plain', 'application/xml', 'image/*', 'nonsense']) {
      await stage.get(configMapsOf(stage), { accept })
    }
    await stage.get(widgetsOf(stage), { accept: 'text/plain' })
  }),
  asking('the best of several media types is chosen', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'))
    for (const accept of [
      '*/*',
      'application/*',
      'text/html, */*',
      'application/json;q=0.5, text/plain',
      '',
    ]) {
      await stage.get(configMapsOf(stage, 'a'), { accept })
    }
  }),
  asking('YAML can be asked for', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a', { data: { b: 'one\ntwo\n', a: '1' } }))
    await stage.get(configMapsOf(stage, 'a'), { accept: 'application/yaml' })
    await stage.get(configMapsOf(stage, 'b'), { accept: 'application/yaml' })
  }),
  asking('custom objects are not sent as protobuf', async (stage) => {
    const only = 'application/vnd.kubernetes.protobuf'
    await stage.post(widgetsOf(stage), widget(stage, 'a'))
    await stage.get(widgetsOf(stage, 'a'), { accept: `${only},application/json` })
    await stage.get(widgetsOf(stage, 'a'), { accept: only })
  }),
]

const methods: Case[] = [
  asking('methods that a path does not have are not allowed', async (stage) => {
    await stage.put(configMapsOf(stage), configMap('a'))
    await stage.patch(configMapsOf(stage), {}, { contentType: 'application/merge-patch+json' })
    await stage.put(widgetsOf(stage), widget(stage, 'a'))
    await stage.patch(widgetsOf(stage), {}, { contentType: 'application/merge-patch+json' })
    await stage.post(widgetsOf(stage, 'a'), widget(stage, 'a'))
  }),
  asking('unknown methods are not allowed', async (stage) => {
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND']) {
      await stage.send({ method, path: configMapsOf(stage) })
      await stage.send({ method, path: widgetsOf(stage) })
    }
  }),
  asking('HEAD is not served for objects', async (stage) => {
    await stage.send({ method: 'HEAD', path: configMapsOf(stage) })
    await stage.send({ method: 'HEAD', path: widgetsOf(stage) })
  }),
  asking('unknown paths are not found', async (stage) => {
    for (const path of [
      '/nothing',
      '/api/v2',
      '/api/v1/nothing',
      '/api/v1/nothing/a',
      '/apis/nothing',
      '/apis/nothing.example.com/v1',
      '/apis/apps/v9',
      '/apis/apps/v1/nothing',
      `/apis/${stage.group}/v9`,
      `/apis/${stage.group}/v1/nothing`,
      `${configMapsOf(stage, 'a')}/status`,
      `${widgetsOf(stage, 'a')}/nothing`,
      `/api/v1/namespaces/${stage.id}/nodes`,
      `/apis/${stage.group}/v1/namespaces/${stage.id}/gadgets`,
    ]) {
      await stage.get(path)
    }
  }),
  asking('a namespaced object is not found without its namespace', async (stage) => {
    await stage.get('/api/v1/configmaps/a')
    await stage.get(`/apis/${stage.group}/v1/widgets/a`)
  }),
  asking('what does not exist is not found', async (stage) => {
    await stage.get(configMapsOf(stage, 'nothing'))
    await stage.get(widgetsOf(stage, 'nothing'))
    await stage.get(`/apis/${stage.group}/v1/gadgets/nothing`)
    await stage.get('/api/v1/nodes/nothing')
    await stage.get(`/apis/apps/v1/namespaces/${stage.id}/deployments/nothing`)
    await stage.delete(configMapsOf(stage, 'nothing'))
    await stage.delete(widgetsOf(stage, 'nothing'))
    await stage.patch(
      configMapsOf(stage, 'nothing'),
      {},
      { contentType: 'application/merge-patch+json' },
    )
  }),
  asking('a trailing slash makes another path of health alone', async (stage) => {
    await stage.post(`${configMapsOf(stage)}/`, labelled('a', { x: 'y' }))
    await stage.get(`${configMapsOf(stage)}/?labelSelector=x`)
    await stage.get(`${configMapsOf(stage, 'a')}/`)
    await stage.get(`/api/v1/namespaces/${stage.id}/`, { show: (body) => at(body, 'kind') })
    await stage.post(`${widgetsOf(stage)}/`, widget(stage, 'a'))
    await stage.get(`${widgetsOf(stage, 'a')}/status/`)
    await stage.post(`${widgetsOf(stage, 'a')}/`, widget(stage, 'a'))
    for (const path of ['/apis/apps/', '/apis/apps/v1/', `/apis/${stage.group}/`]) {
      await stage.get(path)
    }
    await stage.get('/apis/', { show: (body) => at(body, 'kind') })
    for (const path of ['/healthz/', '/readyz/ping/', '/version/nothing/', '/api/v1//namespaces']) {
      await stage.get(path)
    }
  }),
]

const parameters: Case[] = [
  asking('unknown parameters are ignored', async (stage) => {
    await stage.get(`${configMapsOf(stage)}?nothing=1`, { show: () => '' })
    await stage.post(`${configMapsOf(stage)}?nothing=1`, configMap('a'))
  }),
  asking('bad values of parameters are refused', async (stage) => {
    await stage.post(`${configMapsOf(stage)}?dryRun=Some`, configMap('a'))
    await stage.post(`${configMapsOf(stage)}?fieldValidation=Loose`, configMap('a'))
    await stage.post(`${configMapsOf(stage)}?fieldManager=${'x'.repeat(129)}`, configMap('a'))
    await stage.post(`${configMapsOf(stage)}?fieldManager=a%07b`, configMap('a'))
    await stage.get(`${configMapsOf(stage)}?limit=x`)
    await stage.get(`${configMapsOf(stage)}?limit=-1`, { show: () => '' })
    await stage.get(`${configMapsOf(stage)}?timeoutSeconds=x`)
    await stage.get(`${configMapsOf(stage)}?watch=maybe&timeoutSeconds=1`)
    await stage.delete(`${configMapsOf(stage, 'a')}?gracePeriodSeconds=x`)
    await stage.delete(`${configMapsOf(stage, 'a')}?propagationPolicy=Sideways`)
    await stage.delete(`${configMapsOf(stage, 'a')}?orphanDependents=true&propagationPolicy=Orphan`)
  }),
  asking('bad options of custom objects are refused', async (stage) => {
    await stage.post(`${widgetsOf(stage)}?dryRun=Some`, widget(stage, 'a'))
    await stage.post(`${widgetsOf(stage)}?fieldValidation=Loose`, widget(stage, 'a'))
    await stage.delete(`${widgetsOf(stage, 'a')}?propagationPolicy=Sideways`)
  }),
]

export const requestsCases: Subject = {
  subject: 'requests',
  cases: [...bodies, ...mediaTypes, ...methods, ...parameters],
}
