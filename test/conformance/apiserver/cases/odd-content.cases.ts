import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import {
  APPLY,
  configMap,
  configMapsOf,
  deployment,
  JSON_PATCH,
  MERGE,
  pathIn,
  STRATEGIC,
  uncontrolled,
  widgetsOf,
} from './objects.ts'

/** As text: a literal of JavaScript would mean another thing. */
const INHERITED = '{"__proto__":"x","constructor":"y","toString":"z"}'

const inherited: Case[] = [
  asking('keys that objects of JavaScript inherit are keys of a ConfigMap', async (stage) => {
    const path = configMapsOf(stage, 'a')
    const text = `{"metadata":{"name":"a"},"data":${INHERITED},"binaryData":{"b":"Yg=="}}`
    await stage.post(configMapsOf(stage), undefined, { text })
    await stage.get(path)
    await stage.patch(path, { data: { other: '1' } }, { contentType: MERGE })
  }),
  asking('such keys are keys of a Secret', async (stage) => {
    const path = pathIn(stage)('v1', 'secrets')
    const text = `{"metadata":{"name":"a"},"stringData":${INHERITED}}`
    await stage.post(path, undefined, { text })
  }),
  ...[MERGE, STRATEGIC].map((contentType) =>
    asking(`such keys are set and removed by ${contentType}`, async (stage) => {
      const path = configMapsOf(stage, 'a')
      await stage.post(configMapsOf(stage), configMap('a'))
      await stage.patch(path, undefined, { text: `{"data":${INHERITED}}`, contentType })
      await stage.patch(path, undefined, { text: '{"data":{"__proto__":"new"}}', contentType })
      await stage.patch(path, undefined, { text: '{"data":{"__proto__":null}}', contentType })
    }),
  ),
  asking('such keys are set and removed by a JSON patch', async (stage) => {
    const path = configMapsOf(stage, 'a')
    await stage.post(configMapsOf(stage), configMap('a', { data: { a: '1' } }))
    const options = { contentType: JSON_PATCH }
    await stage.patch(path, [{ op: 'add', path: '/data/__proto__', value: 'x' }], options)
    await stage.patch(path, [{ op: 'add', path: '/data/toString', value: 'x' }], options)
    await stage.patch(path, [{ op: 'remove', path: '/data/__proto__' }], options)
  }),
  asking('such keys are applied', async (stage) => {
    const path = `${configMapsOf(stage, 'a')}?fieldManager=m`
    const apply = (content: string) => {
      const text = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":${content}}`
      return stage.patch(path, undefined, { text, contentType: APPLY })
    }
    await apply(INHERITED)
    await apply('{"__proto__":"new","a":"b"}')
    await apply('{"a":"b"}')
  }),
]

const versions: Case[] = ['0', 'x', '-5', '99999999999999999999999'].map((resourceVersion) =>
  asking(`a resourceVersion of ${resourceVersion} does not stop a creation`, (stage) =>
    stage.post(configMapsOf(stage), configMap('a', { metadata: { name: 'a', resourceVersion } })),
  ),
)

const deletions: Case[] = [
  ['nulls', { preconditions: { uid: null }, gracePeriodSeconds: null, orphanDependents: null }],
  [
    'a policy, and null for the older way to say it',
    { propagationPolicy: 'Foreground', orphanDependents: null },
  ],
  ['preconditions that are a text', { preconditions: 'x' }],
  ['a grace period that is a text', { gracePeriodSeconds: '5' }],
  ['half a second of grace', { gracePeriodSeconds: 1.5 }],
  ['an empty policy', { propagationPolicy: '' }],
  ['a policy that is a number', { propagationPolicy: 5 }],
  ['an unknown sort of dry run', { dryRun: ['All', 'x'] }],
  ['a dry run that is no list', { dryRun: 'All' }],
  ['a list for options', []],
].map(([what, options]) =>
  asking(`deleting with ${what}`, async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'))
    await stage.delete(configMapsOf(stage, 'a'), options)
  }),
)

const EMPTY = { 'example.com/empty': '' }

const emptyTexts: Case[] = [
  asking('an empty value of a node selector is a change that counts', async (stage) => {
    const path = pathIn(stage)('apps/v1', 'deployments')
    await stage.post(path, deployment('a'), { show: uncontrolled })
    const patch = { spec: { template: { spec: { nodeSelector: EMPTY } } } }
    await stage.patch(`${path}/a`, patch, { contentType: MERGE, show: uncontrolled })
  }),
  asking('an empty annotation is a change that counts', async (stage) => {
    const path = pathIn(stage)('apps/v1', 'deployments')
    await stage.post(path, deployment('a'), { show: uncontrolled })
    const patch = { metadata: { annotations: EMPTY } }
    await stage.patch(`${path}/a`, patch, { contentType: MERGE, show: uncontrolled })
  }),
  asking('what is immutable gets no empty entry either', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a', { immutable: true, data: { a: '1' } }))
    await stage.patch(configMapsOf(stage, 'a'), { data: { b: '' } }, { contentType: MERGE })
  }),
]

const fields: Case[] = [
  ...['Strict', 'Warn'].map((validation) =>
    asking(`${validation}: fields of a custom object that are unknown and there twice`, (stage) =>
      stage.post(`${widgetsOf(stage)}?dryRun=All&fieldValidation=${validation}`, undefined, {
        text: `{"apiVersion":"${stage.group}/v1","kind":"Widget","metadata":{"name":"a","foo":1,"name":"a"},"spec":{"foo":1,"foo":2}}`,
      }),
    ),
  ),
  asking('raw content is owned as a whole', async (stage) => {
    const path = pathIn(stage)('apps/v1', 'controllerrevisions', 'a')
    const apply = (writer: string, data: Fields) => {
      const head = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'a' } }
      const text = JSON.stringify({ ...head, revision: 1, data })
      return stage.patch(`${path}?fieldManager=${writer}`, undefined, { text, contentType: APPLY })
    }
    await apply('one', { a: { x: 1 } })
    await apply('two', { a: { x: 1 } })
    await apply('two', { a: { y: 2 } })
  }),
]

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const nestedMap = (depth: number): string =>
  `{"metadata":{"name":"a"},"unknown":${nested(depth)},"data":{"a":"1","a":"2"}}`

const sizes: Case[] = [
  asking('what is nested in an unknown field is not looked at', (stage) =>
    stage.post(configMapsOf(stage), undefined, { text: nestedMap(900) }),
  ),
  asking('what is nested too deep is refused', (stage) =>
    stage.post(configMapsOf(stage), undefined, { text: nestedMap(20_000) }),
  ),
  asking(
    'what is nested deep is taken',
    (stage) => stage.post(configMapsOf(stage), undefined, { text: nestedMap(5_000) }),
    { differs: 'Bodies may be nested 1,000 levels deep, not 10,000.' },
  ),
  asking('copies of copies in a JSON patch are not made without end', async (stage) => {
    const big: Fields = { a: 'x'.repeat(100_000) }
    const path = pathIn(stage)('apps/v1', 'controllerrevisions')
    await stage.quietly({
      ...{ method: 'POST', path },
      body: { metadata: { name: 'a' }, revision: 1, data: { big } },
    })
    const copies = Array.from({ length: 40 }, (_, n) => ({
      ...{ op: 'copy', from: '/data/big', path: `/data/big/${n}` },
    }))
    await stage.patch(`${path}/a`, copies, { contentType: JSON_PATCH })
  }),
]

export const oddContentCases: Subject = {
  subject: 'odd content',
  cases: [...inherited, ...versions, ...deletions, ...emptyTexts, ...fields, ...sizes],
}
