import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import type { Answer, Stage } from '#test/conformance/apiserver/stage.ts'
import { at, listAt, textAt } from '#test/conformance/apiserver/values.ts'
import { configMap, configMapsOf, MERGE, pathIn, widget, widgetsOf } from './objects.ts'

const silent = { show: () => '' }
const found = ({ status }: Answer): boolean => status === 200
const gone = ({ status }: Answer): boolean => status === 404
const own = ({ id }: Stage): string => `/api/v1/namespaces/${id}-own`

/** A second namespace, for cases that delete it. */
const withOwn = (stage: Stage, rest: object = {}) =>
  stage.post('/api/v1/namespaces', { metadata: { name: `${stage.id}-own`, ...rest } })

const cases: Case[] = [
  asking('a namespace is created active, with its name as a label', async (stage) => {
    await withOwn(stage)
    await stage.get(own(stage))
    await stage.delete(own(stage), undefined, silent)
  }),
  asking('a namespace that exists is refused', (stage) =>
    stage.post('/api/v1/namespaces', { metadata: { name: stage.id } }),
  ),
  asking('the label of the name is put back', async (stage) => {
    const path = `/api/v1/namespaces/${stage.id}`
    const patch = { metadata: { labels: { 'kubernetes.io/metadata.name': 'other', a: 'b' } } }
    await stage.patch(path, patch, { contentType: MERGE })
    await stage.patch(path, { metadata: { labels: null } }, { contentType: MERGE })
  }),
  asking('a namespace gets a default ServiceAccount', (stage) =>
    stage.until(pathIn(stage)('v1', 'serviceaccounts', 'default'), found),
  ),
  asking('a namespace gets the certificate of the API', (stage) =>
    stage.until(configMapsOf(stage, 'kube-root-ca.crt'), found, {
      show: (body) => [Object.keys(Object(at(body, 'metadata', 'annotations'))), at(body, 'data')],
    }),
  ),
  asking('what every namespace has comes back', async (stage) => {
    const path = pathIn(stage)('v1', 'serviceaccounts', 'default')
    const first = await stage.until(path, found, silent)
    await stage.delete(path, undefined, silent)
    const isNew = ({ status, body }: Answer) =>
      status === 200 && textAt(body, 'metadata', 'uid') !== textAt(first.body, 'metadata', 'uid')
    await stage.until(path, isNew, silent)
    await stage.until(configMapsOf(stage, 'kube-root-ca.crt'), found, silent)
    await stage.patch(
      configMapsOf(stage, 'kube-root-ca.crt'),
      { data: { 'ca.crt': 'x' } },
      { contentType: MERGE, ...silent },
    )
    await stage.until(
      configMapsOf(stage, 'kube-root-ca.crt'),
      ({ body }) => textAt(body, 'data', 'ca.crt') !== 'x',
      { show: (body) => at(body, 'data') },
    )
  }),
  asking('deleting a namespace empties it', async (stage) => {
    await withOwn(stage)
    const within = { ...stage, id: `${stage.id}-own` }
    await stage.post(configMapsOf(within), configMap('a'), silent)
    await stage.post(widgetsOf(within), widget(stage, 'a'), silent)
    await stage.delete(own(stage), undefined, {
      show: (body) => [at(body, 'kind'), at(body, 'status', 'phase'), at(body, 'spec')],
    })
    await stage.until(own(stage), gone)
    await stage.get(configMapsOf(within))
    await stage.get(widgetsOf(within, 'a'))
  }),
  asking('a namespace that is going refuses new objects', async (stage) => {
    await withOwn(stage)
    const within = { ...stage, id: `${stage.id}-own` }
    const metadata = { name: 'a', finalizers: ['example.com/keep'] }
    await stage.post(widgetsOf(within), { ...widget(stage, 'a'), metadata }, silent)
    await stage.delete(own(stage), undefined, silent)
    await stage.until(own(stage), ({ body }) => textAt(body, 'status', 'phase') === 'Terminating', {
      show: (body) => at(body, 'spec'),
    })
    await stage.post(configMapsOf(within), configMap('b'))
    await stage.post(widgetsOf(within), widget(stage, 'b'))
    await stage.until(
      widgetsOf(within, 'a'),
      ({ body }) => textAt(body, 'metadata', 'deletionTimestamp') !== '',
      silent,
    )
    await stage.patch(
      widgetsOf(within, 'a'),
      { spec: { mode: 'x' } },
      { contentType: MERGE, show: (body) => at(body, 'spec') },
    )
    await stage.delete(own(stage), undefined, {
      show: (body) => at(body, 'reason') ?? at(body, 'kind'),
    })
    await stage.patch(
      widgetsOf(within, 'a'),
      { metadata: { finalizers: null } },
      { contentType: MERGE, ...silent },
    )
    await stage.until(own(stage), gone)
  }),
  asking('a finalizer of a namespace keeps it', async (stage) => {
    await withOwn(stage, { finalizers: ['example.com/keep'] })
    await stage.delete(own(stage), undefined, silent)
    await stage.until(own(stage), ({ body }) => listAt(body, 'spec', 'finalizers').length === 0, {
      show: (body) => [at(body, 'metadata', 'finalizers'), at(body, 'status', 'phase')],
    })
    await stage.patch(
      own(stage),
      { metadata: { finalizers: null } },
      { contentType: MERGE, ...silent },
    )
    await stage.until(own(stage), gone)
  }),
  asking('the namespaces of the system cannot go', async (stage) => {
    for (const name of ['default', 'kube-system', 'kube-public']) {
      await stage.delete(`/api/v1/namespaces/${name}?dryRun=All`)
    }
  }),
  asking('namespaces have no deletecollection', (stage) => stage.delete('/api/v1/namespaces')),
  asking('the namespaces that are always there', (stage) =>
    stage.get('/api/v1/namespaces', {
      show: (body) =>
        listAt(body, 'items')
          .map((one) => textAt(one, 'metadata', 'name'))
          .filter((name) => /^(default|kube-)/.test(name)),
    }),
  ),
]

export const namespacesCases: Subject = { subject: 'namespaces', cases }
