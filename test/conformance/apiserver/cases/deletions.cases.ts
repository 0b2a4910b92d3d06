import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import type { Answer, Stage } from '#test/conformance/apiserver/stage.ts'
import { at, listAt, textAt } from '#test/conformance/apiserver/values.ts'
import {
  configMap,
  configMapsOf,
  labelled,
  MERGE,
  pathIn,
  pod,
  widget,
  widgetsOf,
} from './objects.ts'

const options = (rest: Fields): Fields => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...rest })
const uidOf = ({ body }: Answer): string => textAt(body, 'metadata', 'uid')
const gone = ({ status }: Answer): boolean => status === 404
const silent = { show: () => '' }
const FINALIZER = 'example.com/keep'

const unfinalize = (stage: Stage, path: string) =>
  stage.patch(path, { metadata: { finalizers: null } }, { contentType: MERGE })

const plain: Case[] = [
  asking('deleting a ConfigMap answers a Status', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'))
    await stage.delete(configMapsOf(stage, 'a'))
    await stage.get(configMapsOf(stage, 'a'))
    await stage.delete(configMapsOf(stage, 'a'))
  }),
  asking('deleting a custom object answers a Status', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'))
    await stage.delete(widgetsOf(stage, 'a'))
    await stage.delete(widgetsOf(stage, 'a'))
  }),
  asking('some kinds answer with the object that is gone', async (stage) => {
    const paths = pathIn(stage)
    for (const [version, plural, body] of [
      ['v1', 'serviceaccounts', {}],
      ['v1', 'services', { spec: { ports: [{ port: 80 }] } }],
      ['v1', 'secrets', {}],
      ['rbac.authorization.k8s.io/v1', 'roles', { rules: [] }],
      ['coordination.k8s.io/v1', 'leases', {}],
      ['policy/v1', 'poddisruptionbudgets', { spec: { minAvailable: 1 } }],
      ['networking.k8s.io/v1', 'networkpolicies', { spec: { podSelector: {} } }],
    ] as const) {
      await stage.quietly({
        method: 'POST',
        path: paths(version, plural),
        body: { metadata: { name: 'a' }, ...body },
      })
      await stage.delete(paths(version, plural, 'a'), undefined, {
        show: (body) => at(body, 'kind'),
      })
    }
  }),
  asking('a finalizer keeps an object until it is removed', async (stage) => {
    await stage.post(
      configMapsOf(stage),
      configMap('a', { metadata: { name: 'a', finalizers: [FINALIZER] } }),
    )
    await stage.delete(configMapsOf(stage, 'a'))
    await stage.delete(configMapsOf(stage, 'a'))
    await stage.get(configMapsOf(stage, 'a'))
    await unfinalize(stage, configMapsOf(stage, 'a'))
    await stage.get(configMapsOf(stage, 'a'))
  }),
  asking('a finalizer keeps a custom object until it is removed', async (stage) => {
    const body = { ...widget(stage, 'a'), metadata: { name: 'a', finalizers: [FINALIZER] } }
    await stage.post(widgetsOf(stage), body)
    await stage.delete(widgetsOf(stage, 'a'))
    await stage.get(widgetsOf(stage, 'a'))
    await unfinalize(stage, widgetsOf(stage, 'a'))
    await stage.get(widgetsOf(stage, 'a'))
  }),
  asking('the last finalizer is removed by an update', async (stage) => {
    await stage.post(
      configMapsOf(stage),
      configMap('a', { metadata: { name: 'a', finalizers: [FINALIZER] } }),
    )
    await stage.delete(configMapsOf(stage, 'a'))
    await stage.put(configMapsOf(stage, 'a'), configMap('a', { data: { last: 'words' } }))
    await stage.get(configMapsOf(stage, 'a'))
  }),
  asking('no finalizer is added to an object that is being deleted', async (stage) => {
    await stage.post(
      configMapsOf(stage),
      configMap('a', { metadata: { name: 'a', finalizers: [FINALIZER] } }),
    )
    await stage.delete(configMapsOf(stage, 'a'), undefined, silent)
    const patch = { metadata: { finalizers: [FINALIZER, 'example.com/more'] } }
    await stage.patch(configMapsOf(stage, 'a'), patch, { contentType: MERGE })
    await unfinalize(stage, configMapsOf(stage, 'a'))
  }),
  asking('an object that is being deleted can be changed, and stays deleted', async (stage) => {
    await stage.post(
      configMapsOf(stage),
      configMap('a', { metadata: { name: 'a', finalizers: [FINALIZER] } }),
    )
    await stage.delete(configMapsOf(stage, 'a'), undefined, silent)
    await stage.post(configMapsOf(stage), configMap('a'))
    const patch = { data: { a: 'b' }, metadata: { deletionTimestamp: null } }
    await stage.patch(configMapsOf(stage, 'a'), patch, { contentType: MERGE })
    await unfinalize(stage, configMapsOf(stage, 'a'))
  }),
  asking('a bad finalizer is refused', async (stage) => {
    for (const finalizer of ['plain', 'Bad Name/x', '/x', 'example.com/', 'foregroundDeletion']) {
      const metadata = { name: 'a', finalizers: [finalizer] }
      await stage.post(`${configMapsOf(stage)}?dryRun=All`, configMap('a', { metadata }))
    }
    const metadata = { name: 'a', finalizers: ['plain', 'orphan', 'foregroundDeletion'] }
    await stage.post(`${widgetsOf(stage)}?dryRun=All`, { ...widget(stage, 'a'), metadata })
  }),
]

const conditional: Case[] = [
  asking('a precondition on the uid', async (stage) => {
    const made = await stage.post(configMapsOf(stage), configMap('a'))
    const other = '11111111-2222-3333-4444-555555555555'
    await stage.delete(configMapsOf(stage, 'a'), options({ preconditions: { uid: other } }))
    await stage.delete(configMapsOf(stage, 'a'), options({ preconditions: { uid: uidOf(made) } }))
  }),
  asking('a precondition on the resourceVersion', async (stage) => {
    const made = await stage.post(configMapsOf(stage), configMap('a'))
    const resourceVersion = textAt(made.body, 'metadata', 'resourceVersion')
    await stage.delete(
      configMapsOf(stage, 'a'),
      options({ preconditions: { resourceVersion: '1' } }),
    )
    await stage.delete(configMapsOf(stage, 'a'), options({ preconditions: { resourceVersion } }))
  }),
  asking('preconditions of custom objects', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'))
    const uid = '11111111-2222-3333-4444-555555555555'
    await stage.delete(widgetsOf(stage, 'a'), options({ preconditions: { uid } }))
    await stage.delete(widgetsOf(stage, 'a'), options({ preconditions: { resourceVersion: '1' } }))
  }),
  asking('options in bodies and queries', async (stage) => {
    await stage.post(configMapsOf(stage), configMap('a'))
    const path = configMapsOf(stage, 'a')
    await stage.delete(path, { propagationPolicy: 'Sideways' })
    await stage.delete(path, options({ gracePeriodSeconds: -1 }))
    await stage.delete(path, { kind: 'ConfigMap', apiVersion: 'v1' })
    await stage.delete(path, undefined, { text: '{' })
    await stage.delete(path, options({ dryRun: ['All'] }))
    await stage.delete(`${path}?dryRun=All`)
    await stage.delete(path, options({ unknown: 1 }))
  }),
  asking('a dry run by the query counts only without a body', async (stage) => {
    const dry = options({ dryRun: ['All'] })
    const remove = async (name: string, query: string, body?: unknown) => {
      await stage.post(configMapsOf(stage), configMap(name), silent)
      await stage.delete(`${configMapsOf(stage, name)}?${query}`, body)
      await stage.get(configMapsOf(stage, name), { show: (found) => at(found, 'kind') })
    }
    await remove('a', 'dryRun=All', options({}))
    await remove('b', 'dryRun=All', dry)
    await remove('c', 'dryRun=All', options({ propagationPolicy: 'Background' }))
    await remove('d', 'dryRun=All', {})
    await remove('e', 'dryRun=All&dryRun=All')
    await remove('f', 'dryRun=Some')
    await remove('g', 'dryRun=')
    await remove('h', 'dryRun=Some', dry)
    await remove('i', 'dryRun=All', options({ dryRun: ['Some'] }))
    await remove('j', '', options({ dryRun: ['All', 'All'] }))
    await remove('k', '', options({ dryRun: [] }))
    await remove('l', 'dryRun=All', options({ dryRun: [], preconditions: { uid: 'x' } }))
    await remove('m', 'dryRun=All&dryRun=Some')
  }),
  asking('a dry run by the query of all, and a body', async (stage) => {
    const path = `${widgetsOf(stage)}?dryRun=All`
    await stage.post(widgetsOf(stage), widget(stage, 'a'), silent)
    await stage.delete(path, options({ dryRun: ['All'] }), { show: remaining })
    await stage.get(widgetsOf(stage), { show: remaining })
    await stage.delete(path, options({}), { show: remaining })
    await stage.get(widgetsOf(stage), { show: remaining })
  }),
  asking('options of custom objects', async (stage) => {
    await stage.post(widgetsOf(stage), widget(stage, 'a'))
    const path = widgetsOf(stage, 'a')
    await stage.delete(path, undefined, { text: '{' })
    await stage.delete(path, options({ propagationPolicy: 'Sideways' }))
    await stage.delete(path, options({ dryRun: ['All'] }))
    await stage.delete(path, { ...options({}), apiVersion: `${stage.group}/v1` })
  }),
  asking('a Pod without a node goes at once', async (stage) => {
    const paths = pathIn(stage)
    await stage.until(
      paths('v1', 'serviceaccounts', 'default'),
      ({ status }) => status === 200,
      silent,
    )
    await stage.post(paths('v1', 'pods'), pod('a'), silent)
    await stage.delete(paths('v1', 'pods', 'a'), undefined, { show: (body) => at(body, 'kind') })
    await stage.get(paths('v1', 'pods', 'a'))
  }),
  asking('a Pod on a node goes after its grace', async (stage) => {
    const path = pathIn(stage)('v1', 'pods', 'a')
    await stage.until(
      pathIn(stage)('v1', 'serviceaccounts', 'default'),
      ({ status }) => status === 200,
      silent,
    )
    const spec = { nodeName: 'n', containers: [{ name: 'a', image: 'a' }] }
    await stage.post(pathIn(stage)('v1', 'pods'), pod('a', { spec }), silent)
    const show = (body: unknown) => {
      const { deletionTimestamp, deletionGracePeriodSeconds } = Object(at(body, 'metadata'))
      return [at(body, 'kind'), deletionTimestamp !== undefined, deletionGracePeriodSeconds]
    }
    await stage.delete(path, undefined, { show })
    await stage.delete(path, options({ gracePeriodSeconds: 5 }), { show })
    await stage.delete(path, options({ gracePeriodSeconds: 9 }), { show })
    await stage.delete(path, options({ gracePeriodSeconds: 0 }), {
      show: (body) => at(body, 'kind'),
    })
    await stage.get(path)
  }),
]

/** An owner, and a ConfigMap that it owns. */
async function family(stage: Stage, blocking = false): Promise<void> {
  const owner = await stage.post(widgetsOf(stage), widget(stage, 'owner'), silent)
  const ownerReferences = [
    {
      apiVersion: `${stage.group}/v1`,
      kind: 'Widget',
      name: 'owner',
      uid: uidOf(owner),
      ...(blocking && { blockOwnerDeletion: true, controller: true }),
    },
  ]
  const metadata = { name: 'owned', ownerReferences, finalizers: blocking ? [FINALIZER] : [] }
  await stage.post(configMapsOf(stage), configMap('owned', { metadata }), silent)
}

const propagating: Case[] = [
  asking('what an object owns goes after it', async (stage) => {
    await family(stage)
    await stage.delete(widgetsOf(stage, 'owner'))
    await stage.until(configMapsOf(stage, 'owned'), gone)
  }),
  asking('background is what happens if nothing is said', async (stage) => {
    await family(stage)
    await stage.delete(widgetsOf(stage, 'owner'), options({ propagationPolicy: 'Background' }))
    await stage.get(widgetsOf(stage, 'owner'))
    await stage.until(configMapsOf(stage, 'owned'), gone)
  }),
  asking('what an object owns goes before it in the foreground', async (stage) => {
    await family(stage, true)
    await stage.delete(widgetsOf(stage, 'owner'), options({ propagationPolicy: 'Foreground' }))
    await stage.until(
      configMapsOf(stage, 'owned'),
      ({ body }) => textAt(body, 'metadata', 'deletionTimestamp') !== '',
      {
        show: (body) => [
          at(body, 'metadata', 'finalizers'),
          at(body, 'metadata', 'deletionGracePeriodSeconds'),
        ],
      },
    )
    await stage.get(widgetsOf(stage, 'owner'), {
      show: (body) => at(body, 'metadata', 'finalizers'),
    })
    await stage.patch(
      configMapsOf(stage, 'owned'),
      { metadata: { finalizers: null } },
      { contentType: MERGE, ...silent },
    )
    await stage.until(widgetsOf(stage, 'owner'), gone)
    await stage.until(configMapsOf(stage, 'owned'), gone)
  }),
  asking('what an object owns stays if orphaned', async (stage) => {
    await family(stage)
    await stage.delete(widgetsOf(stage, 'owner'), options({ propagationPolicy: 'Orphan' }))
    await stage.until(widgetsOf(stage, 'owner'), gone)
    await stage.get(configMapsOf(stage, 'owned'), {
      show: (body) => at(body, 'metadata', 'ownerReferences') ?? 'none',
    })
  }),
  asking('orphanDependents is an older word for it', async (stage) => {
    await family(stage)
    await stage.delete(`${widgetsOf(stage, 'owner')}?orphanDependents=true`)
    await stage.until(widgetsOf(stage, 'owner'), gone)
    await stage.get(configMapsOf(stage, 'owned'), {
      show: (body) => at(body, 'metadata', 'ownerReferences') ?? 'none',
    })
  }),
  asking('what names an owner that never was goes', async (stage) => {
    const uid = '11111111-2222-3333-4444-555555555555'
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid }]
    await stage.post(
      configMapsOf(stage),
      configMap('owned', { metadata: { name: 'owned', ownerReferences } }),
      silent,
    )
    await stage.until(configMapsOf(stage, 'owned'), gone)
  }),
  asking('what has a second owner stays', async (stage) => {
    const one = await stage.post(configMapsOf(stage), configMap('one'), silent)
    const two = await stage.post(configMapsOf(stage), configMap('two'), silent)
    const reference = (name: string, made: Answer) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name,
      uid: uidOf(made),
    })
    const ownerReferences = [reference('one', one), reference('two', two)]
    await stage.post(
      configMapsOf(stage),
      configMap('owned', { metadata: { name: 'owned', ownerReferences } }),
      silent,
    )
    await stage.delete(configMapsOf(stage, 'one'), undefined, silent)
    await stage.until(
      configMapsOf(stage, 'owned'),
      ({ body }) => listAt(body, 'metadata', 'ownerReferences').length === 1,
      {
        show: (body) => listAt(body, 'metadata', 'ownerReferences').map((one) => at(one, 'name')),
      },
    )
    await stage.delete(configMapsOf(stage, 'two'), undefined, silent)
    await stage.until(configMapsOf(stage, 'owned'), gone)
  }),
  asking('a chain of owners goes whole', async (stage) => {
    let previous = await stage.post(configMapsOf(stage), configMap('c0'), silent)
    for (const index of [1, 2, 3]) {
      const ownerReferences = [
        { apiVersion: 'v1', kind: 'ConfigMap', name: `c${index - 1}`, uid: uidOf(previous) },
      ]
      const metadata = { name: `c${index}`, ownerReferences }
      previous = await stage.post(configMapsOf(stage), configMap(`c${index}`, { metadata }), silent)
    }
    await stage.delete(configMapsOf(stage, 'c0'), undefined, silent)
    await stage.until(configMapsOf(stage, 'c3'), gone)
  }),
]

const remaining = (body: unknown): unknown =>
  listAt(body, 'items').map((one) => textAt(one, 'metadata', 'name'))

const collections: Case[] = [
  asking('deletecollection answers what it has deleted', async (stage) => {
    for (const name of ['a', 'b']) await stage.post(widgetsOf(stage), widget(stage, name), silent)
    await stage.delete(widgetsOf(stage))
    await stage.get(widgetsOf(stage))
    await stage.delete(widgetsOf(stage))
  }),
  asking('deletecollection with selectors', async (stage) => {
    for (const name of ['a', 'b', 'c'])
      await stage.post(configMapsOf(stage), labelled(name, { is: name }), silent)
    await stage.delete(`${configMapsOf(stage)}?labelSelector=is%3Da`, undefined, {
      show: remaining,
    })
    await stage.get(`${configMapsOf(stage)}?labelSelector=is`, { show: remaining })
    await stage.delete(`${configMapsOf(stage)}?fieldSelector=metadata.name%3Db`, undefined, {
      show: remaining,
    })
    await stage.get(`${configMapsOf(stage)}?labelSelector=is`, { show: remaining })
    await stage.delete(`${configMapsOf(stage)}?labelSelector=bad%20one`)
  }),
  asking('deletecollection is stopped by nothing', async (stage) => {
    const finalizers = [FINALIZER]
    await stage.post(
      widgetsOf(stage),
      { ...widget(stage, 'a'), metadata: { name: 'a', finalizers } },
      silent,
    )
    await stage.post(widgetsOf(stage), widget(stage, 'b'), silent)
    await stage.delete(widgetsOf(stage))
    await stage.get(widgetsOf(stage), { show: remaining })
    await stage.patch(
      widgetsOf(stage, 'a'),
      { metadata: { finalizers: null } },
      { contentType: MERGE, ...silent },
    )
  }),
  asking('deletecollection as a dry run, with a limit and with bad options', async (stage) => {
    for (const name of ['a', 'b', 'c'])
      await stage.post(widgetsOf(stage), widget(stage, name), silent)
    await stage.delete(`${widgetsOf(stage)}?dryRun=All`, undefined, { show: remaining })
    await stage.delete(`${widgetsOf(stage)}?propagationPolicy=Sideways`)
    await stage.delete(widgetsOf(stage), undefined, { text: '{' })
    await stage.delete(`${widgetsOf(stage)}?limit=2`, undefined, { show: remaining })
    await stage.get(widgetsOf(stage), { show: remaining })
  }),
]

export const deletionsCases: Subject = {
  subject: 'deletions',
  cases: [...plain, ...conditional, ...propagating, ...collections],
}
