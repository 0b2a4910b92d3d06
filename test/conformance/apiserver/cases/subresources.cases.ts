import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import { at } from '#test/conformance/apiserver/values.ts'
import {
  configMap,
  configMapsOf,
  deployment,
  JSON_PATCH,
  MERGE,
  pathIn,
  STRATEGIC,
  uncontrolled,
  widget,
  widgetsOf,
} from './objects.ts'

const silent = { show: () => '' }

const statuses: Case[] = [
  asking('a status is written through its subresource alone', async (stage) => {
    const { body } = await stage.post(widgetsOf(stage), {
      ...widget(stage, 'a', { mode: 'x' }),
      status: { phase: 'Lost' },
    })
    const path = `${widgetsOf(stage, 'a')}/status`
    const { body: written } = await stage.put(path, {
      ...Object(body),
      spec: { mode: 'y' },
      status: { phase: 'Up' },
    })
    await stage.put(widgetsOf(stage, 'a'), {
      ...Object(written),
      spec: { mode: 'z' },
      status: { phase: 'Down' },
    })
    await stage.get(path)
  }),
  asking('a status is patched', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'), silent)
    const path = `${widgetsOf(stage, 'a')}/status`
    await stage.patch(
      path,
      { status: { phase: 'Up' }, spec: { mode: 'lost' } },
      { contentType: MERGE },
    )
    await stage.patch(path, [{ op: 'add', path: '/status/replicas', value: 3 }], {
      contentType: JSON_PATCH,
    })
    await stage.patch(path, { status: { replicas: 'x' } }, { contentType: MERGE })
    await stage.patch(
      path,
      { metadata: { labels: { a: 'b' }, annotations: { a: 'b' }, finalizers: ['a.com/b'] } },
      { contentType: MERGE },
    )
    await stage.patch(path, { status: { unknown: 1 } }, { contentType: MERGE })
  }),
  asking('a status that does not change keeps the resourceVersion', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'), silent)
    const path = `${widgetsOf(stage, 'a')}/status`
    await stage.patch(path, { status: { phase: 'Up' } }, { contentType: MERGE })
    await stage.patch(path, { status: { phase: 'Up' } }, { contentType: MERGE })
  }),
  asking('methods that a status does not have', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'), silent)
    const path = `${widgetsOf(stage, 'a')}/status`
    await stage.post(path, widget(stage, 'a'))
    await stage.delete(path)
    await stage.get(`${widgetsOf(stage, 'none')}/status`)
    await stage.put(`${widgetsOf(stage, 'none')}/status`, widget(stage, 'none'))
  }),
  asking('a conflict on a status', async (stage) => {
    const { body } = await stage.post(widgetsOf(stage), widget(stage, 'a'), silent)
    const path = `${widgetsOf(stage, 'a')}/status`
    await stage.put(path, { ...Object(body), status: { phase: 'Up' } }, silent)
    await stage.put(path, { ...Object(body), status: { phase: 'Down' } })
    await stage.put(path, { ...widget(stage, 'a'), status: { phase: 'Down' } })
  }),
  asking('the status of a built-in object', async (stage) => {
    const path = pathIn(stage)('policy/v1', 'poddisruptionbudgets', 'a')
    const body = {
      metadata: { name: 'a' },
      spec: { minAvailable: 1 },
      status: { currentHealthy: 9, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
    }
    await stage.post(pathIn(stage)('policy/v1', 'poddisruptionbudgets'), body, {
      show: (made) => at(made, 'spec'),
    })
    await stage.patch(
      `${path}/status`,
      { status: { currentHealthy: 2 }, spec: { minAvailable: 5 } },
      { contentType: MERGE, show: (got) => at(got, 'spec') },
    )
  }),
  asking('a namespace has a status and a finalize', async (stage) => {
    const path = `/api/v1/namespaces/${stage.id}`
    await stage.get(`${path}/status`, { show: (body) => [at(body, 'spec'), at(body, 'status')] })
    await stage.get(`${path}/finalize`)
    await stage.patch(
      path,
      { spec: { finalizers: [] }, status: { phase: 'Terminating' } },
      { contentType: MERGE, show: (body) => [at(body, 'spec'), at(body, 'status')] },
    )
  }),
  asking('a ConfigMap has no status', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'), silent)
    await stage.put(`${configMapsOf(stage, 'a')}/status`, configMap('a'))
    await stage.get(`/apis/${stage.group}/v1/gadgets/none/status`)
  }),
]

const scale = (replicas: unknown, rest: Fields = {}): Fields => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', ...rest },
  spec: { replicas },
})

const scales: Case[] = [
  asking('the scale of a custom object', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a', { replicas: 2 }), silent)
    await stage.patch(
      `${widgetsOf(stage, 'a')}/status`,
      { status: { replicas: 1, selector: 'app=a' } },
      { contentType: MERGE, ...silent },
    )
    await stage.get(`${widgetsOf(stage, 'a')}/scale`)
    await stage.put(`${widgetsOf(stage, 'a')}/scale`, scale(5, { namespace: stage.id }))
    await stage.get(widgetsOf(stage, 'a'))
  }),
  asking('the scale of a custom object without replicas', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'), silent)
    await stage.get(`${widgetsOf(stage, 'a')}/scale`)
    await stage.patch(
      `${widgetsOf(stage, 'a')}/scale`,
      { spec: { replicas: 3 } },
      { contentType: MERGE },
    )
    await stage.get(widgetsOf(stage, 'a'))
  }),
  asking('the scale of a custom object without replicas is written', async (stage) => {
    const path = `${widgetsOf(stage, 'a')}/scale`
    const again = async () => {
      await stage.quietly({ method: 'DELETE', path: widgetsOf(stage, 'a') })
      await stage.post(widgetsOf(stage), widget(stage, 'a'), silent)
    }
    await again()
    await stage.put(path, scale(2, { namespace: stage.id }))
    await stage.get(widgetsOf(stage, 'a'))
    await again()
    await stage.put(path, { ...scale(2, { namespace: stage.id }), spec: {} })
    await stage.get(widgetsOf(stage, 'a'))
    await again()
    await stage.patch(path, [{ op: 'replace', path: '/spec/replicas', value: 4 }], {
      contentType: JSON_PATCH,
    })
    await again()
    await stage.patch(path, { spec: { replicas: null } }, { contentType: MERGE })
    await stage.get(widgetsOf(stage, 'a'))
  }),
  asking('the scale of a custom object without replicas stays without', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'), silent)
    const path = `${widgetsOf(stage, 'a')}/scale`
    await stage.patch(path, { metadata: { labels: { a: 'b' } } }, { contentType: MERGE })
    await stage.patch(path, { spec: { replicas: -5 } }, { contentType: MERGE })
    await stage.patch(path, { spec: { replicas: -(2 ** 31) } }, { contentType: MERGE })
    await stage.put(path, scale(-(2 ** 31), { namespace: stage.id }))
    await stage.patch(path, [{ op: 'test', path: '/spec/replicas', value: 0 }], {
      contentType: JSON_PATCH,
    })
    await stage.get(widgetsOf(stage, 'a'))
  }),
  asking('a scale must be that of the object', async (stage) => {
    const paths = pathIn(stage)
    await stage.post(widgetsOf(stage), widget(stage, 'a', { replicas: 2 }), silent)
    await stage.post(paths('apps/v1', 'deployments'), deployment('a'), silent)
    const uid = '11111111-2222-3333-4444-555555555555'
    for (const object of [widgetsOf(stage, 'a'), paths('apps/v1', 'deployments', 'a')]) {
      const path = `${object}/scale`
      for (const metadata of [{ name: 'b' }, { namespace: 'b' }, { name: undefined }]) {
        await stage.put(path, scale(0, metadata))
        await stage.patch(path, { metadata }, { contentType: MERGE, ...silent })
      }
      await stage.put(path, scale(0, { resourceVersion: '1' }))
      await stage.patch(path, { metadata: { uid } }, { contentType: MERGE })
    }
    await stage.put(`${widgetsOf(stage, 'a')}/scale`, scale(0, { uid }))
  }),
  asking('fields that a scale does not have', async (stage) => {
    const paths = pathIn(stage)
    await stage.post(widgetsOf(stage), widget(stage, 'a', { replicas: 2 }), silent)
    await stage.post(paths('apps/v1', 'deployments'), deployment('a'), silent)
    const path = `${paths('apps/v1', 'deployments', 'a')}/scale`
    const colourful = { ...scale(0), spec: { replicas: 0, colour: 'red' } }
    const show = (body: unknown) => at(body, 'message') ?? at(body, 'spec')
    await stage.put(`${path}?fieldValidation=Strict`, colourful, { show })
    await stage.put(`${path}?fieldValidation=Warn`, colourful, { show })
    await stage.patch(
      `${widgetsOf(stage, 'a')}/scale?fieldValidation=Warn`,
      { spec: { colour: 'red' } },
      { contentType: MERGE },
    )
  }),
  asking('a bad scale of a custom object is refused', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a', { replicas: 2 }), silent)
    const path = `${widgetsOf(stage, 'a')}/scale`
    await stage.put(path, scale(-1, { namespace: stage.id }))
    await stage.put(path, scale('x', { namespace: stage.id }))
    await stage.put(path, scale(3, { namespace: stage.id, resourceVersion: '1' }))
    await stage.put(path, { ...scale(3), kind: 'Other' })
    await stage.patch(path, { spec: { replicas: null } }, { contentType: MERGE })
    await stage.get(`${widgetsOf(stage, 'none')}/scale`)
    await stage.put(`${widgetsOf(stage, 'none')}/scale`, {
      ...scale(3),
      metadata: { name: 'none' },
    })
  }),
  asking('the replicas of a widget must be a number for its scale', (stage) =>
    stage.post(widgetsOf(stage), widget(stage, 'a', { replicas: -1 })),
  ),
  asking('the scale of a Deployment', async (stage) => {
    const paths = pathIn(stage)
    await stage.post(paths('apps/v1', 'deployments'), deployment('a'), silent)
    const path = `${paths('apps/v1', 'deployments', 'a')}/scale`
    const show = (body: unknown) =>
      at(body, 'kind') === 'Scale' ? [at(body, 'spec'), at(body, 'status')] : body
    await stage.get(path, { show })
    await stage.patch(path, { spec: { replicas: 0 } }, { contentType: STRATEGIC, show })
    await stage.patch(path, { spec: { replicas: -1 } }, { contentType: MERGE, show })
    await stage.put(path, scale(0, { namespace: stage.id }), { show })
    await stage.get(paths('apps/v1', 'deployments', 'a'), { show: uncontrolled })
  }),
]

const dryRuns: Case[] = [
  asking('a dry run of a creation stores nothing', async (stage) => {
    await stage.post(`${configMapsOf(stage)}?dryRun=All`, configMap('a'))
    await stage.get(configMapsOf(stage, 'a'))
    await stage.post(`${configMapsOf(stage)}?dryRun=All`, { metadata: { generateName: 'made-' } })
    await stage.post(`${widgetsOf(stage)}?dryRun=All`, widget(stage, 'a'))
    await stage.post(`${configMapsOf(stage)}?dryRun=`, configMap('b'))
  }),
  asking('a dry run of a creation of what is there is refused', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'), silent)
    await stage.post(`${configMapsOf(stage)}?dryRun=All`, configMap('a'))
  }),
  asking('a dry run of an update stores nothing', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'), silent)
    await stage.put(`${configMapsOf(stage, 'a')}?dryRun=All`, configMap('a', { data: { a: '1' } }))
    await stage.patch(
      `${configMapsOf(stage, 'a')}?dryRun=All`,
      { data: { b: '1' } },
      { contentType: MERGE },
    )
    await stage.get(configMapsOf(stage, 'a'))
  }),
  asking('a dry run of a deletion deletes nothing', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'), silent)
    await stage.delete(`${widgetsOf(stage, 'a')}?dryRun=All`)
    await stage.get(widgetsOf(stage, 'a'))
  }),
  asking('a dry run on a status and a scale', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a', { replicas: 1 }), silent)
    await stage.patch(
      `${widgetsOf(stage, 'a')}/status?dryRun=All`,
      { status: { phase: 'Up' } },
      { contentType: MERGE },
    )
    await stage.patch(
      `${widgetsOf(stage, 'a')}/scale?dryRun=All`,
      { spec: { replicas: 2 } },
      { contentType: MERGE },
    )
    await stage.get(widgetsOf(stage, 'a'))
  }),
]

export const subresourcesCases: Subject = {
  subject: 'subresources',
  cases: [...statuses, ...scales, ...dryRuns],
}
