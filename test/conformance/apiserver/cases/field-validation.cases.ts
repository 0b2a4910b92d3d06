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
  widget,
  widgetsOf,
} from './objects.ts'

const MODES = ['Strict', 'Warn', 'Ignore']

const perMode = MODES.flatMap((mode): Case[] => {
  const query = `fieldValidation=${mode}&dryRun=All`
  return [
    asking(`${mode}: unknown fields of a built-in object`, (stage) =>
      stage.post(
        `${configMapsOf(stage)}?${query}`,
        configMap('a', { unknown: 1, metadata: { name: 'a', other: { deep: [] } } }),
      ),
    ),
    asking(`${mode}: unknown fields deep in a built-in object`, (stage) =>
      stage.post(
        `${pathIn(stage)('apps/v1', 'deployments')}?${query}`,
        deployment('a', {
          wrong: true,
          template: {
            metadata: { labels: { app: 'a' } },
            spec: {
              containers: [{ name: 'a', image: 'a', imag: 'b' }],
              restartPolicy: 'Always',
              x: 1,
            },
          },
        }),
      ),
    ),
    asking(`${mode}: duplicate fields of a built-in object`, (stage) =>
      stage.post(`${configMapsOf(stage)}?${query}`, undefined, {
        text: '{"metadata":{"name":"a","name":"b"},"data":{"a":"1","a":"2"},"data":{"b":"3"}}',
      }),
    ),
    asking(`${mode}: fields in the wrong case`, (stage) =>
      stage.post(`${configMapsOf(stage)}?${query}`, {
        metadata: { name: 'a' },
        Data: { a: '1' },
        Immutable: true,
      }),
    ),
    asking(`${mode}: unknown fields of a custom object`, (stage) =>
      stage.post(`${widgetsOf(stage)}?${query}`, {
        ...widget(stage, 'a', {
          unknown: 1,
          needy: { name: 'a', unknown: 2 },
          ports: [{ name: 'a', nothing: 1 }],
          raw: { any: 'thing' },
        }),
        metadata: { name: 'a', unknown: true },
        other: {},
      }),
    ),
    asking(`${mode}: duplicate fields of a custom object`, (stage) =>
      stage.post(`${widgetsOf(stage)}?${query}`, undefined, {
        text: `{"apiVersion":"${stage.group}/v1","kind":"Widget","metadata":{"name":"a","name":"b"},"spec":{"mode":"a","mode":"b"}}`,
      }),
    ),
    asking(`${mode}: unknown and duplicate fields in YAML`, (stage) =>
      stage.post(`${configMapsOf(stage)}?${query}`, undefined, {
        contentType: 'application/yaml',
        text: 'metadata:\n  name: a\ndata:\n  a: "1"\n  a: "2"\nunknown: true\n',
      }),
    ),
    asking(`${mode}: unknown fields in patches of a built-in object`, async (stage) => {
      const path = `${configMapsOf(stage, 'a')}?${query}`
      await stage.post(configMapsOf(stage), configMap('a'))
      await stage.patch(path, { unknown: 1 }, { contentType: MERGE })
      await stage.patch(path, { unknown: 1, data: { a: 'b' } }, { contentType: STRATEGIC })
      const add = [{ op: 'add', path: '/unknown', value: 1 }]
      await stage.patch(path, add, { contentType: JSON_PATCH })
      const applied = configMap('a', { unknown: 1 })
      await stage.patch(`${path}&fieldManager=me`, applied, { contentType: APPLY })
    }),
    asking(`${mode}: unknown fields in patches of a custom object`, async (stage) => {
      const path = `${widgetsOf(stage, 'a')}?${query}`
      await stage.post(widgetsOf(stage), widget(stage, 'a'))
      await stage.patch(path, { spec: { unknown: 1 } }, { contentType: MERGE })
      const add = [{ op: 'add', path: '/spec/unknown', value: 1 }]
      await stage.patch(path, add, { contentType: JSON_PATCH })
      const applied = widget(stage, 'a', { unknown: 1 })
      await stage.patch(`${path}&fieldManager=me`, applied, { contentType: APPLY })
    }),
  ]
})

const defaults: Case[] = [
  asking('unknown fields are warned of if nothing is said', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a', { unknown: 1 }))
    await stage.post(widgetsOf(stage), widget(stage, 'a', { unknown: 1 }))
    await stage.put(configMapsOf(stage, 'a'), configMap('a', { unknown: 2 }))
  }),
  asking('many unknown fields are told one by one', (stage) =>
    stage.post(
      `${configMapsOf(stage)}?fieldValidation=Strict`,
      configMap('a', Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`unknown${i}`, i]))),
    ),
  ),
]

export const fieldValidationCases: Subject = {
  subject: 'field validation',
  cases: [...perMode, ...defaults],
}
