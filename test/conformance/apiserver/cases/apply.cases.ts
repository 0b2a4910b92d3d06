import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import type { Stage } from '#test/conformance/apiserver/stage.ts'
import { at } from '#test/conformance/apiserver/values.ts'
import {
  APPLY,
  configMap,
  configMapsOf,
  deployment,
  MERGE,
  pathIn,
  uncontrolled,
  widget,
  widgetsOf,
} from './objects.ts'

const applying =
  (stage: Stage, path: string, owner: string) =>
  (body: Fields, more = '') =>
    stage.patch(`${path}?fieldManager=${owner}${more}`, body, { contentType: APPLY })

const configMaps = (stage: Stage, owner = 'one') => applying(stage, configMapsOf(stage, 'a'), owner)
const widgets = (stage: Stage, owner = 'one') => applying(stage, widgetsOf(stage, 'a'), owner)

const builtIn: Case[] = [
  asking('applying creates what is not there', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { key: 'value' } }))
    await stage.get(configMapsOf(stage, 'a'))
  }),
  asking('applying the same again changes nothing', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { key: 'value' } }))
    await configMaps(stage)(configMap('a', { data: { key: 'value' } }))
  }),
  asking('what an owner does not apply any more is removed', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { one: '1', two: '2' } }))
    await configMaps(stage)(configMap('a', { data: { one: '1' } }))
    await configMaps(stage)(configMap('a'))
  }),
  asking('applying the value of another owner is a conflict', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { key: 'one' } }))
    await configMaps(stage, 'two')(configMap('a', { data: { key: 'two' } }))
  }),
  asking('several conflicts are told together', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { a: '1', b: '1' } }))
    await configMaps(stage, 'two')(configMap('a', { data: { c: '1' } }))
    await configMaps(stage, 'three')(configMap('a', { data: { a: '2', b: '2', c: '2' } }))
  }),
  asking('force takes the field over', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { key: 'one', other: '1' } }))
    await configMaps(stage, 'two')(configMap('a', { data: { key: 'two' } }), '&force=true')
    await configMaps(stage)(configMap('a', { data: { key: 'one', other: '1' } }))
  }),
  asking('two owners of one value share it', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { key: 'same' } }))
    await configMaps(stage, 'two')(configMap('a', { data: { key: 'same' } }))
    await configMaps(stage)(configMap('a'))
    await configMaps(stage, 'two')(configMap('a'))
  }),
  asking('an update takes fields away from those who applied them', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { key: 'one', other: '1' } }))
    await stage.put(configMapsOf(stage, 'a'), configMap('a', { data: { key: 'two', other: '1' } }))
    await configMaps(stage)(configMap('a', { data: { key: 'one', other: '1' } }))
  }),
  asking('a patch takes fields away from those who applied them', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { key: 'one' } }))
    await stage.patch(
      `${configMapsOf(stage, 'a')}?fieldManager=patcher`,
      { data: { key: 'two', more: '1' } },
      { contentType: MERGE },
    )
    await configMaps(stage)(configMap('a', { data: { key: 'one' } }))
    await configMaps(stage)(configMap('a', { data: { key: 'two' } }))
  }),
  asking(
    'applying over an object that was created is no conflict if the values are equal',
    async (stage) => {
      await stage.post(
        `${configMapsOf(stage)}?fieldManager=maker`,
        configMap('a', { data: { key: 'one' } }),
      )
      await configMaps(stage)(configMap('a', { data: { key: 'one' } }))
      await configMaps(stage)(configMap('a', { data: { key: 'two' } }))
      await configMaps(stage)(configMap('a', { data: { key: 'two' } }), '&force=true')
    },
  ),
  asking('labels, annotations, finalizers and owners are applied', async (stage) => {
    const metadata = (labels: Fields, finalizers: string[]) => ({
      name: 'a',
      labels,
      annotations: { note: 'x' },
      finalizers,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u', controller: true }],
    })
    const base = configMap('a')
    await stage.post(configMapsOf(stage), base)
    await configMaps(stage)(
      { ...base, metadata: metadata({ a: '1', b: '1' }, ['x.com/a', 'x.com/b']) },
      '&dryRun=All',
    )
    await configMaps(stage)({
      ...base,
      metadata: { name: 'a', labels: { a: '1' }, finalizers: ['x.com/b'] },
    })
    await configMaps(stage)({ ...base, metadata: { name: 'a' } })
  }),
  asking('managedFields are reset by an empty entry', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { key: 'one' } }))
    const patch = { metadata: { managedFields: [{}] } }
    await stage.patch(configMapsOf(stage, 'a'), patch, { contentType: MERGE })
    await stage.get(configMapsOf(stage, 'a'))
    await configMaps(stage, 'two')(configMap('a', { data: { key: 'two' } }))
  }),
  asking('managedFields are reset by an empty list', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { key: 'one' } }))
    const metadata = { name: 'a', managedFields: [] }
    await stage.put(configMapsOf(stage, 'a'), configMap('a', { metadata, data: { key: 'two' } }))
  }),
  asking('a status cannot be used to own what it leaves alone', async (stage) => {
    const path = pathIn(stage)('apps/v1', 'deployments', 'a')
    await applying(stage, path, 'one')(deployment('a'))
    const metadata = (labels: Fields) => ({ metadata: { name: 'a', labels } })
    const status = { ...deployment('a'), ...metadata({ a: '1' }), status: { replicas: 0 } }
    await stage.patch(`${path}/status?fieldManager=two`, status, {
      contentType: APPLY,
      show: uncontrolled,
    })
  }),
  asking('a service is made by applying its status', async (stage) => {
    const head = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } }
    const path = `${pathIn(stage)('v1', 'services', 'a')}/status`
    await applying(stage, path, 'one')(head)
    await applying(stage, path, 'one')({ ...head, spec: { ports: [{ port: 80 }] } })
  }),
  asking('a resourceVersion that is no number is refused where nothing is there', async (stage) => {
    await configMaps(stage)(configMap('a', { metadata: { name: 'a', resourceVersion: 'x' } }))
    const metadata = { name: 'a', resourceVersion: '1' }
    await configMaps(stage)(configMap('a', { metadata }), '&dryRun=All')
  }),
  asking('applying managedFields is refused', async (stage) => {
    const metadata = { name: 'a', managedFields: [{ manager: 'x', operation: 'Apply' }] }
    await configMaps(stage)(configMap('a', { metadata }))
  }),
  asking('bad managedFields in an update are ignored or refused', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a', { data: { a: '1' } }))
    const entry = { manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' }
    for (const managedFields of [
      [{ ...entry, fieldsV1: { 'f:data': { 'f:a': {} } } }],
      [{ ...entry, operation: 'Steal' }],
      [{ ...entry, fieldsType: 'FieldsV9', fieldsV1: {} }],
      [{ ...entry, fieldsV1: { nonsense: {} } }],
      [],
    ]) {
      const metadata = { name: 'a', managedFields }
      await stage.put(configMapsOf(stage, 'a'), configMap('a', { metadata, data: { a: '1' } }))
    }
  }),
  asking('applying needs an owner', async (stage) => {
    await stage.patch(configMapsOf(stage, 'a'), configMap('a'), { contentType: APPLY })
    await stage.patch(`${configMapsOf(stage, 'a')}?fieldManager=`, configMap('a'), {
      contentType: APPLY,
    })
  }),
  asking('force is only for applying', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'))
    await stage.patch(`${configMapsOf(stage, 'a')}?force=true`, {}, { contentType: MERGE })
  }),
  asking('applying YAML is taken, nonsense is refused', async (stage) => {
    const path = `${configMapsOf(stage, 'a')}?fieldManager=one`
    const send = (text: string) => stage.patch(path, undefined, { text, contentType: APPLY })
    await send('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: "1"\n')
    await send('a: b: c')
    await send('')
    await send('[]')
  }),
  asking('applying under another name is refused', async (stage) => {
    await configMaps(stage)(configMap('b'))
    await configMaps(stage)(configMap('a', { metadata: { name: 'a', namespace: 'default' } }))
    await configMaps(stage)(configMap('a', { metadata: {} }))
  }),
  asking('applying without kind or apiVersion is refused', async (stage) => {
    await configMaps(stage)({ metadata: { name: 'a' } })
    await configMaps(stage)({ kind: 'ConfigMap', metadata: { name: 'a' } })
    await configMaps(stage)({ apiVersion: 'v1', metadata: { name: 'a' } })
    await configMaps(stage)({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } })
    await configMaps(stage)({ apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'a' } })
  }),
  asking(
    'applying with a resourceVersion needs the object to be there, unchanged',
    async (stage) => {
      await configMaps(stage)(configMap('a', { metadata: { name: 'a', resourceVersion: '1' } }))
      await configMaps(stage)(configMap('a', { data: { a: '1' } }))
      await configMaps(stage)(
        configMap('a', { metadata: { name: 'a', resourceVersion: '1' }, data: { a: '2' } }),
      )
    },
  ),
  asking('applying with a uid needs the object to be there', (stage) =>
    configMaps(stage)(
      configMap('a', { metadata: { name: 'a', uid: '11111111-2222-3333-4444-555555555555' } }),
    ),
  ),
  asking('applying what is invalid is refused', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { 'bad key': '1' } }))
    await configMaps(stage)(configMap('a', { data: { key: 1 } }))
    await configMaps(stage)(configMap('a', { data: 'text' }))
    await configMaps(stage)(configMap('a', { data: null }))
  }),
  asking('a dry run of applying stores nothing', async (stage) => {
    await configMaps(stage)(configMap('a', { data: { key: '1' } }), '&dryRun=All')
    await stage.get(configMapsOf(stage, 'a'))
  }),
  asking('a long name of an owner is refused', (stage) =>
    configMaps(stage, 'x'.repeat(129))(configMap('a')),
  ),
]

const deployments = (stage: Stage, owner: string) => {
  const path = pathIn(stage)('apps/v1', 'deployments', 'a')
  return (body: Fields, more = '') =>
    stage.patch(`${path}?fieldManager=${owner}${more}`, body, {
      contentType: APPLY,
      show: uncontrolled,
    })
}

const templated = (container: Fields): Fields => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: { template: { spec: { containers: [{ name: 'main', ...container }] } } },
})

const nested: Case[] = [
  asking('items of a list have owners of their own', async (stage) => {
    await deployments(stage, 'one')(deployment('a'))
    await deployments(stage, 'two')(templated({ env: [{ name: 'A', value: '1' }] }))
    await deployments(
      stage,
      'three',
    )(templated({ env: [{ name: 'B', value: '2' }], ports: [{ containerPort: 80 }] }))
    await deployments(stage, 'two')(templated({}))
  }),
  asking('an item with a field of another owner in it stays', async (stage) => {
    await deployments(stage, 'one')(deployment('a'))
    await deployments(stage, 'two')(templated({ image: 'b:1' }))
    await deployments(stage, 'two')(templated({ image: 'b:1' }), '&force=true')
  }),
  asking('duplicate keys in an applied list are refused', (stage) =>
    deployments(
      stage,
      'one',
    )(
      templated({
        env: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      }),
    ),
  ),
  asking('an item without its key is refused', (stage) =>
    deployments(
      stage,
      'one',
    )({ ...templated({}), spec: { template: { spec: { containers: [{ image: 'a' }] } } } }),
  ),
  asking('the ports of a Service are kept by port and protocol', async (stage) => {
    const path = pathIn(stage)('v1', 'services', 'a')
    const body = (...ports: Fields[]) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'a' },
      spec: { ports },
    })
    await applying(stage, path, 'one')(body({ port: 80, protocol: 'TCP', name: 'a' }))
    await applying(stage, path, 'two')(body({ port: 81, name: 'b' }))
    await applying(stage, path, 'one')(body({ port: 82, protocol: 'UDP', name: 'c' }))
  }),
]

const custom: Case[] = [
  asking(
    'with a version that no object has, applying makes what is not there and changes nothing that is',
    async (stage) => {
      const versioned = (mode: string) => {
        const object = widget(stage, 'a', { mode })
        return { ...object, metadata: { ...Object(object.metadata), resourceVersion: '1' } }
      }
      await widgets(stage)(versioned('x'), '&force=true')
      await widgets(stage)(versioned('y'), '&force=true')
      await widgets(stage, 'two')(versioned('x'), '&force=true')
    },
  ),
  asking('applying creates a custom object', async (stage) => {
    await widgets(stage)(widget(stage, 'a', { mode: 'x', tags: ['a'], ports: [{ name: 'p' }] }))
  }),
  asking('sets are shared item by item', async (stage) => {
    await widgets(stage)(widget(stage, 'a', { tags: ['a', 'b'] }))
    await widgets(stage, 'two')(widget(stage, 'a', { tags: ['b', 'c'] }))
    await widgets(stage)(widget(stage, 'a', { tags: ['d'] }))
    await widgets(stage, 'two')(widget(stage, 'a'))
  }),
  asking('lists by key are shared item by item', async (stage) => {
    await widgets(stage)(widget(stage, 'a', { ports: [{ name: 'a', number: 1 }] }))
    await widgets(
      stage,
      'two',
    )(widget(stage, 'a', { ports: [{ name: 'a', protocol: 'UDP', number: 2 }] }))
    await widgets(stage, 'two')(widget(stage, 'a', { ports: [{ name: 'a', number: 3 }] }))
    await widgets(stage)(widget(stage, 'a', { ports: [] }))
  }),
  asking('atomic lists and maps have one owner', async (stage) => {
    await widgets(stage)(
      widget(stage, 'a', { steps: [{ run: 'a' }], whole: { a: '1' }, plain: [{ run: 'p' }] }),
    )
    await widgets(
      stage,
      'two',
    )(widget(stage, 'a', { steps: [{ run: 'b' }], whole: { b: '1' }, plain: [] }))
    await widgets(stage, 'two')(
      widget(stage, 'a', { steps: [{ run: 'b' }], whole: { b: '1' }, plain: [] }),
      '&force=true',
    )
  }),
  asking('duplicates in sets and lists by key are refused', async (stage) => {
    await widgets(stage)(widget(stage, 'a', { tags: ['a', 'a'] }))
    await widgets(stage)(
      widget(stage, 'a', { ports: [{ name: 'a' }, { name: 'a', protocol: 'TCP' }] }),
    )
  }),
  asking('fields that the schema does not know have owners where they are kept', async (stage) => {
    await widgets(stage)(widget(stage, 'a', { raw: { a: { b: [1, 2] }, c: 1 } }))
    await widgets(stage, 'two')(widget(stage, 'a', { raw: { a: { d: 1 } } }))
    await widgets(stage, 'two')(widget(stage, 'a', { raw: { a: { b: [3] } } }))
  }),
  asking('defaults have no owner', async (stage) => {
    await widgets(stage)(widget(stage, 'a', { filled: {} }))
    await widgets(stage, 'two')(widget(stage, 'a', { filled: { colour: 'blue' } }))
  }),
  asking('applying what is not declared is refused', async (stage) => {
    await widgets(stage)(widget(stage, 'a', { unknown: 1 }))
    await widgets(stage)(widget(stage, 'a', { mode: 5 }))
    await widgets(stage)({ ...widget(stage, 'a'), spec: 'text' })
    await widgets(stage)(widget(stage, 'a', { tags: [{}] }))
  }),
  asking('a null that is applied is not dropped but refused', async (stage) => {
    await widgets(stage)(widget(stage, 'a', { tags: null, replicas: null, perhaps: null }))
    await widgets(stage)(widget(stage, 'a', { perhaps: null, filled: { colour: null } }))
    await widgets(stage)(widget(stage, 'a', { ports: [{ name: 'a', number: null }] }))
  }),
  asking('what is applied is not warned of', async (stage) => {
    await widgets(stage)(widget(stage, 'a', { partly: { known: { name: 'x', odd: 'x' } } }))
  }),
  asking('a status is applied through its subresource', async (stage) => {
    await widgets(stage)(widget(stage, 'a', { mode: 'x' }))
    const status = (...conditions: Fields[]) => ({
      ...widget(stage, 'a'),
      status: { phase: 'Up', conditions },
    })
    const path = `${widgetsOf(stage, 'a')}/status`
    await applying(stage, path, 'one')(status({ type: 'Ready', status: 'True' }))
    await applying(
      stage,
      path,
      'two',
    )({ ...widget(stage, 'a'), status: { conditions: [{ type: 'Other', status: 'True' }] } })
    await applying(
      stage,
      path,
      'two',
    )({ ...widget(stage, 'a'), status: { conditions: [{ type: 'Ready', status: 'False' }] } })
    await applying(stage, path, 'one')(status())
  }),
  asking('a status that is applied to the object itself is ignored', async (stage) => {
    await widgets(stage)({ ...widget(stage, 'a', { mode: 'x' }), status: { phase: 'Up' } })
    await stage.get(widgetsOf(stage, 'a'))
  }),
  asking('a scale is applied and its owner is seen', async (stage) => {
    await widgets(stage)(widget(stage, 'a', { replicas: 1 }))
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a' },
      spec: { replicas: 3 },
    }
    const path = `${widgetsOf(stage, 'a')}/scale`
    await applying(stage, path, 'two')(scale)
    await applying(stage, path, 'two')(scale, '&force=true')
    await stage.get(widgetsOf(stage, 'a'))
  }),
  asking('applying in another version keeps the owners of each', async (stage) => {
    const path = (version: string) => `/apis/${stage.group}/${version}/gadgets/${stage.id}`
    const body = (version: string, colour: string) => ({
      apiVersion: `${stage.group}/${version}`,
      kind: 'Gadget',
      metadata: { name: stage.id },
      spec: { colour },
    })
    await applying(stage, path('v1'), 'one')(body('v1', 'red'))
    await applying(stage, path('v1beta1'), 'two')(body('v1beta1', 'blue'))
    await applying(stage, path('v1beta1'), 'two')(body('v1beta1', 'blue'), '&force=true')
    await stage.get(path('v1'), { show: (got) => at(got, 'metadata', 'managedFields') })
    await stage.delete(path('v1'))
  }),
]

export const applyCases: Subject = { subject: 'apply', cases: [...builtIn, ...nested, ...custom] }
