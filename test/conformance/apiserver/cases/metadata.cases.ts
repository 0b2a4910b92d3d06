import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import { configMap, configMapsOf, pathIn, widget, widgetsOf } from './objects.ts'

const LONG = 'x'.repeat(64)

/** Both a ConfigMap and a widget with this metadata. Nothing is stored. */
const creating = (name: string, metadata: Fields): Case =>
  asking(name, async (stage) => {
    const whole = { name: 'a', ...metadata }
    await stage.post(`${configMapsOf(stage)}?dryRun=All`, configMap('a', { metadata: whole }))
    await stage.post(`${widgetsOf(stage)}?dryRun=All`, { ...widget(stage, 'a'), metadata: whole })
  })

const names: Case[] = [
  'A',
  'a_b',
  '-a',
  'a-',
  'a..b',
  'a/b',
  'a b',
  '.',
  '..',
  'a%b',
  'x'.repeat(254),
  'a.b-c.d',
  '1',
].map((name) => creating(`a name: ${name.slice(0, 10)}`, { name }))

const kindNames: Case[] = [
  asking('a Service has a label for a name', async (stage) => {
    for (const name of ['a.b', '1a', LONG, 'A']) {
      const body = { metadata: { name }, spec: { ports: [{ port: 80 }] } }
      await stage.post(`${pathIn(stage)('v1', 'services')}?dryRun=All`, body)
    }
  }),
  asking('a Namespace has a label for a name', async (stage) => {
    for (const name of ['a.b', LONG, 'A', '-a']) {
      await stage.post('/api/v1/namespaces?dryRun=All', { metadata: { name } })
    }
  }),
  asking('a Role may be called almost anything', async (stage) => {
    const path = `${pathIn(stage)('rbac.authorization.k8s.io/v1', 'roles')}?dryRun=All`
    for (const name of ['system:a', 'A_b', 'a/b', 'a%b', '..']) {
      await stage.post(path, { metadata: { name }, rules: [] })
    }
  }),
]

const labels: Case[] = [
  creating('a good label and annotation', {
    labels: { 'example.com/a': 'B_c.d', e: '' },
    annotations: { 'example.com/A': 'any text\n' },
  }),
  creating('a bad key of a label', { labels: { 'bad key': 'x' } }),
  creating('a bad value of a label', { labels: { a: 'bad value' } }),
  creating('a label that is too long', { labels: { a: LONG, [LONG]: 'a' } }),
  creating('a bad prefix of a label', { labels: { 'Bad_Prefix/a': 'x', '/a': 'x', 'a/b/c': 'x' } }),
  creating('a bad key of an annotation', { annotations: { 'bad key': 'x' } }),
  creating('a capital prefix of an annotation is taken', { annotations: { 'Example.COM/a': 'x' } }),
  creating('an empty key of a label', { labels: { '': 'x' } }),
  asking('annotations that are too large', (stage) =>
    stage.post(
      `${configMapsOf(stage)}?dryRun=All`,
      configMap('a', { metadata: { name: 'a', annotations: { a: 'x'.repeat(262_145) } } }),
      {
        show: (body) => JSON.parse(JSON.stringify(body).replaceAll(/x{99,}/g, 'x…')),
      },
    ),
  ),
]

const reference = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'o',
  uid: '11111111-2222-3333-4444-555555555555',
}

const owners: Case[] = [
  creating('an owner', { ownerReferences: [reference] }),
  creating('an owner without a uid', { ownerReferences: [{ ...reference, uid: '' }] }),
  creating('an owner without a name', { ownerReferences: [{ ...reference, name: '' }] }),
  creating('an owner without a kind', { ownerReferences: [{ ...reference, kind: '' }] }),
  creating('an owner without a version', { ownerReferences: [{ ...reference, apiVersion: '' }] }),
  creating('an owner of a bad version', {
    ownerReferences: [{ ...reference, apiVersion: 'a/b/c' }],
  }),
  creating('an owner that is an Event', { ownerReferences: [{ ...reference, kind: 'Event' }] }),
  creating('two owners that control', {
    ownerReferences: [
      { ...reference, controller: true },
      { ...reference, uid: '2', name: 'p', controller: true },
    ],
  }),
  creating('the same owner twice', { ownerReferences: [reference, reference] }),
  creating('unknown fields of an owner', { ownerReferences: [{ ...reference, other: 1 }] }),
]

export const metadataCases: Subject = {
  subject: 'metadata',
  cases: [...names, ...kindNames, ...labels, ...owners],
}
