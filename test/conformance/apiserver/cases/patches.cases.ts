import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import { textAt } from '#test/conformance/apiserver/values.ts'
import {
  configMap,
  configMapsOf,
  deployment,
  JSON_PATCH,
  MERGE,
  pathIn,
  pod,
  STRATEGIC,
  uncontrolled,
  widget,
  widgetsOf,
} from './objects.ts'

/** Patches a ConfigMap that has two keys, a label and an annotation. */
const patching = (name: string, patch: unknown, contentType: string): Case =>
  asking(name, async (stage) => {
    const metadata = { name: 'a', labels: { one: '1' }, annotations: { note: 'x' } }
    await stage.post(
      configMapsOf(stage),
      configMap('a', { metadata, data: { one: '1', two: '2' } }),
    )
    await stage.patch(configMapsOf(stage, 'a'), patch, { contentType })
  })

const merging: Case[] = [
  patching('a patch of no known type', [], 'text/plain'),
  patching('a patch of a type that only JavaScript knows', [], 'constructor'),
  patching(
    'a merge patch adds, changes and removes',
    { data: { one: null, two: '3', four: '4' } },
    MERGE,
  ),
  patching('a merge patch removes a whole map', { data: null }, MERGE),
  patching('a merge patch that changes nothing keeps the object', { data: { one: '1' } }, MERGE),
  patching('an empty merge patch keeps the object', {}, MERGE),
  patching(
    'a merge patch changes labels and annotations',
    { metadata: { labels: { one: null, two: '2' }, annotations: null } },
    MERGE,
  ),
  patching('a merge patch cannot change the name', { metadata: { name: 'b' } }, MERGE),
  patching(
    'a merge patch cannot change the namespace',
    { metadata: { namespace: 'default' } },
    MERGE,
  ),
  patching(
    'a merge patch cannot change the uid',
    { metadata: { uid: '11111111-2222-3333-4444-555555555555' } },
    MERGE,
  ),
  patching('a merge patch cannot change the kind', { kind: 'Secret' }, MERGE),
  patching('a merge patch cannot change the apiVersion', { apiVersion: 'v2' }, MERGE),
  patching(
    'a merge patch with an old resourceVersion is a conflict',
    { metadata: { resourceVersion: '1' }, data: { a: 'b' } },
    MERGE,
  ),
  patching('a merge patch that is a list is refused', [], MERGE),
  patching('a merge patch that is text is refused', 'text', MERGE),
  patching(
    'a merge patch that makes the object invalid is refused',
    { data: { 'bad key': 'x' } },
    MERGE,
  ),
  patching('a merge patch with a wrong type is refused', { data: { one: 1 } }, MERGE),
  asking('a merge patch that is no JSON is refused', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'))
    await stage.patch(configMapsOf(stage, 'a'), undefined, { text: '{"data":', contentType: MERGE })
    await stage.patch(configMapsOf(stage, 'a'), undefined, { text: '', contentType: MERGE })
  }),
  asking('a merge patch of a custom object replaces lists', async (stage) => {
    const spec = { tags: ['a', 'b'], ports: [{ name: 'a' }, { name: 'b' }], raw: { a: 1, b: 2 } }
    await stage.post(widgetsOf(stage), widget(stage, 'a', spec))
    const patch = { spec: { tags: ['c'], ports: [{ name: 'c' }], raw: { a: null, c: 3 } } }
    await stage.patch(widgetsOf(stage, 'a'), patch, { contentType: MERGE })
  }),
  asking('a merge patch of a custom object is validated', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'))
    await stage.patch(widgetsOf(stage, 'a'), { spec: { small: 99 } }, { contentType: MERGE })
    await stage.patch(widgetsOf(stage, 'a'), { spec: 'text' }, { contentType: MERGE })
    await stage.patch(widgetsOf(stage, 'a'), { kind: 'Gadget' }, { contentType: MERGE })
  }),
  asking('a merge patch with the current resourceVersion is taken', async (stage) => {
    const { body } = await stage.post(configMapsOf(stage), configMap('a'))
    const resourceVersion = textAt(body, 'metadata', 'resourceVersion')
    const patch = { metadata: { resourceVersion }, data: { a: 'b' } }
    await stage.patch(configMapsOf(stage, 'a'), patch, { contentType: MERGE })
    await stage.patch(configMapsOf(stage, 'a'), patch, { contentType: MERGE })
  }),
]

const operating: Case[] = [
  patching(
    'a JSON patch adds, replaces and removes',
    [
      { op: 'add', path: '/data/three', value: '3' },
      { op: 'replace', path: '/data/one', value: '9' },
      { op: 'remove', path: '/data/two' },
    ],
    JSON_PATCH,
  ),
  patching(
    'a JSON patch moves, copies and tests',
    [
      { op: 'test', path: '/data/one', value: '1' },
      { op: 'move', from: '/data/one', path: '/data/moved' },
      { op: 'copy', from: '/data/two', path: '/data/copied' },
    ],
    JSON_PATCH,
  ),
  patching(
    'a JSON patch whose test fails is refused',
    [{ op: 'test', path: '/data/one', value: '2' }],
    JSON_PATCH,
  ),
  patching(
    'a JSON patch that tests what is absent is refused',
    [{ op: 'test', path: '/data/none', value: '2' }],
    JSON_PATCH,
  ),
  patching(
    'a JSON patch that removes what is absent is refused',
    [{ op: 'remove', path: '/data/none' }],
    JSON_PATCH,
  ),
  patching(
    'a JSON patch that replaces what is absent is refused',
    [{ op: 'replace', path: '/data/none', value: '1' }],
    JSON_PATCH,
  ),
  patching(
    'a JSON patch below what is absent is refused',
    [{ op: 'add', path: '/binaryData/a', value: 'YQ==' }],
    JSON_PATCH,
  ),
  patching(
    'a JSON patch with an unknown operation is refused',
    [{ op: 'jump', path: '/data/one' }],
    JSON_PATCH,
  ),
  patching('a JSON patch without a path is refused', [{ op: 'add', value: '1' }], JSON_PATCH),
  patching(
    'a JSON patch with escaped names is taken',
    [{ op: 'add', path: '/metadata/annotations/example.com~1a~0b', value: '1' }],
    JSON_PATCH,
  ),
  patching('a JSON patch that is an object is refused', { data: {} }, JSON_PATCH),
  patching('an empty JSON patch keeps the object', [], JSON_PATCH),
  patching(
    'a JSON patch that replaces the whole object without a name is refused',
    [{ op: 'replace', path: '', value: {} }],
    JSON_PATCH,
  ),
  asking('a JSON patch changes items of a list', async (stage) => {
    const spec = { tags: ['a', 'b'] }
    await stage.post(widgetsOf(stage), widget(stage, 'a', spec))
    const patch = [
      { op: 'add', path: '/spec/tags/-', value: 'c' },
      { op: 'add', path: '/spec/tags/0', value: 'd' },
      { op: 'remove', path: '/spec/tags/1' },
    ]
    await stage.patch(widgetsOf(stage, 'a'), patch, { contentType: JSON_PATCH })
    const beyond = [{ op: 'remove', path: '/spec/tags/9' }]
    await stage.patch(widgetsOf(stage, 'a'), beyond, { contentType: JSON_PATCH })
  }),
]

const CONTAINERS = {
  containers: [
    { name: 'main', image: 'a:1' },
    { name: 'side', image: 'b:1' },
  ],
}

/** Patches the Pod template of a Deployment that has two containers. */
const strategic = (name: string, spec: Fields): Case =>
  asking(name, async (stage) => {
    const path = pathIn(stage)('apps/v1', 'deployments')
    const template = { metadata: { labels: { app: 'a' } }, spec: CONTAINERS }
    await stage.post(path, deployment('a', { template }), { show: () => '' })
    const patch = { spec: { template: { spec } } }
    await stage.patch(`${path}/a`, patch, { contentType: STRATEGIC, show: uncontrolled })
  })

const strategies: Case[] = [
  patching('a strategic merge patch merges maps', { data: { one: null, three: '3' } }, STRATEGIC),
  patching(
    'a strategic merge patch replaces a map if told',
    { data: { $patch: 'replace', three: '3' } },
    STRATEGIC,
  ),
  patching(
    'a strategic merge patch deletes a map if told',
    { data: { $patch: 'delete' } },
    STRATEGIC,
  ),
  patching(
    'a strategic merge patch retains keys',
    { data: { $retainKeys: ['two'], two: '3' } },
    STRATEGIC,
  ),
  patching('an unknown directive is refused', { data: { $patch: 'turn', three: '3' } }, STRATEGIC),
  patching('a strategic merge patch that is a list is refused', [], STRATEGIC),
  patching(
    'finalizers are merged',
    { metadata: { finalizers: ['example.com/a', 'example.com/b'] } },
    STRATEGIC,
  ),
  strategic('lists are merged by their key', {
    containers: [
      { name: 'side', image: 'b:2' },
      { name: 'new', image: 'c:1' },
    ],
  }),
  strategic('an item of a list is deleted', { containers: [{ name: 'side', $patch: 'delete' }] }),
  strategic('a list is replaced', {
    containers: [{ $patch: 'replace' }, { name: 'only', image: 'o:1' }],
  }),
  strategic('the order of a list is set', {
    '$setElementOrder/containers': [{ name: 'side' }, { name: 'main' }],
    containers: [{ name: 'side', image: 'b:2' }],
  }),
  strategic('an order that lacks an item of the patch is refused', {
    '$setElementOrder/containers': [{ name: 'main' }],
    containers: [{ name: 'side', image: 'b:2' }],
  }),
  strategic('an item without its key is refused', { containers: [{ image: 'b:2' }] }),
  strategic('a list in a list is merged', {
    containers: [
      { name: 'main', env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 80 }] },
    ],
  }),
  strategic('a plain list is replaced', { containers: [{ name: 'main', args: ['one', 'two'] }] }),
  strategic('a null removes', {
    containers: [{ name: 'main', imagePullPolicy: null }],
    terminationGracePeriodSeconds: null,
  }),
  asking('primitive items are deleted from a list', async (stage) => {
    const metadata = { name: 'a', finalizers: ['example.com/a', 'example.com/b'] }
    await stage.post(configMapsOf(stage), configMap('a', { metadata }))
    const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } }
    await stage.patch(configMapsOf(stage, 'a'), patch, { contentType: STRATEGIC })
    await stage.patch(
      configMapsOf(stage, 'a'),
      { metadata: { finalizers: null } },
      { contentType: MERGE },
    )
  }),
  asking('an envelope of ports is merged by port and protocol', async (stage) => {
    const path = pathIn(stage)('v1', 'services')
    const ports = [{ name: 'web', port: 80, targetPort: 8080 }]
    await stage.post(path, { metadata: { name: 'a' }, spec: { ports } })
    const patch = {
      spec: {
        ports: [
          { name: 'tls', port: 443 },
          { port: 80, targetPort: 'http' },
        ],
      },
    }
    await stage.patch(`${path}/a`, patch, { contentType: STRATEGIC })
  }),
  asking('a custom object takes no strategic merge patch', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'))
    await stage.patch(widgetsOf(stage, 'a'), { spec: { mode: 'x' } }, { contentType: STRATEGIC })
  }),
  asking('a patch of an unknown type is refused', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'))
    for (const contentType of ['application/json', 'text/plain', '', 'application/yaml']) {
      await stage.patch(configMapsOf(stage, 'a'), { data: {} }, { contentType })
    }
    await stage.post(widgetsOf(stage), widget(stage, 'a'))
    await stage.patch(widgetsOf(stage, 'a'), {}, { contentType: 'application/json' })
  }),
  asking('the image of a Pod may be patched, its name may not', async (stage) => {
    const path = pathIn(stage)('v1', 'pods')
    await stage.until(
      pathIn(stage)('v1', 'serviceaccounts', 'default'),
      ({ status }) => status === 200,
    )
    await stage.post(
      path,
      pod('a', { spec: { ...CONTAINERS, automountServiceAccountToken: false } }),
      { show: uncontrolled },
    )
    const image = { spec: { containers: [{ name: 'main', image: 'a:2' }] } }
    await stage.patch(`${path}/a`, image, { contentType: STRATEGIC, show: uncontrolled })
    const added = { spec: { containers: [{ name: 'third', image: 'a:2' }] } }
    await stage.patch(`${path}/a`, added, {
      contentType: STRATEGIC,
      show: (body) => textAt(body, 'message').slice(0, 200),
    })
  }),
]

export const patchesCases: Subject = {
  subject: 'patches',
  cases: [...merging, ...operating, ...strategies],
}
