import type { Fields } from '#apiserver/objects.ts'
import { asking, type Case, type Subject } from '#test/conformance/apiserver/cases.ts'
import type { Stage } from '#test/conformance/apiserver/stage.ts'
import { at, listAt, textAt } from '#test/conformance/apiserver/values.ts'
import { configMapsOf, labelled, pathIn, pod, widget, widgetsOf } from './objects.ts'

const namesIn = (body: unknown): unknown =>
  at(body, 'kind') === 'Status'
    ? body
    : listAt(body, 'items').map((one) => textAt(one, 'metadata', 'name'))

async function createLabelled(stage: Stage): Promise<void> {
  const all: [string, Record<string, string>][] = [
    ['a', { app: 'web', tier: 'front', n: '1' }],
    ['b', { app: 'web', tier: 'back', n: '5' }],
    ['c', { app: 'db', empty: '' }],
    ['d', {}],
  ]
  for (const [name, labels] of all) {
    await stage.quietly({ method: 'POST', path: configMapsOf(stage), body: labelled(name, labels) })
  }
}

/** Which of four ConfigMaps a label selector finds, beside the one that every namespace has. */
const selecting = (selector: string): Case =>
  asking(`label selector: ${selector}`, async (stage) => {
    await createLabelled(stage)
    const query = `labelSelector=${encodeURIComponent(selector)}&fieldSelector=metadata.name!%3Dkube-root-ca.crt`
    await stage.get(`${configMapsOf(stage)}?${query}`, { show: namesIn })
  })

const labelSelectors = [
  'app=web',
  'app==web',
  'app!=web',
  'app',
  '!app',
  'app in (web,db)',
  'app in (web)',
  'app notin (web)',
  'app notin (web,db)',
  'app=web,tier=front',
  'app=web,tier!=front',
  'app,!tier',
  'empty=',
  'app=',
  'n>1',
  'n<5',
  'n>x',
  ' app = web , tier in ( front , back ) ',
  '',
  'app=web,',
  ',',
  'app=web=x',
  'app in web',
  'app in ()',
  'app in (web',
  '=web',
  'app!',
  'bad key!=x',
  'app=bad value',
  '-app=x',
  'app=-x',
  'example.com/app=x',
  'a/b/c=x',
].map(selecting)

const fieldSelecting = (selector: string): Case =>
  asking(`field selector: ${selector}`, async (stage) => {
    await createLabelled(stage)
    const query = `fieldSelector=${encodeURIComponent(selector)}&labelSelector=app`
    await stage.get(`${configMapsOf(stage)}?${query}`, { show: namesIn })
  })

const fieldSelectors: Case[] = [
  ...[
    'metadata.name=a',
    'metadata.name!=a',
    'metadata.name==b',
    'metadata.namespace=default',
    'metadata.name=a,metadata.name=b',
    'data.key=1',
    'metadata.name',
    'metadata.name=',
    'nonsense',
    '__proto__=a',
    'constructor=a',
  ].map(fieldSelecting),
  asking('custom objects are selected by the fields that their CRD names', async (stage) => {
    const spec = [{ mode: 'x' }, { mode: 'y', flag: true }, {}]
    for (const [index, one] of spec.entries()) {
      await stage.quietly({
        method: 'POST',
        path: widgetsOf(stage),
        body: widget(stage, `w${index}`, one),
      })
    }
    for (const selector of [
      'spec.mode=x',
      'spec.mode!=x',
      'spec.flag=true',
      'spec.mode=',
      'metadata.name=w0',
      'spec.replicas=1',
      'metadata.labels=x',
    ]) {
      await stage.get(`${widgetsOf(stage)}?fieldSelector=${encodeURIComponent(selector)}`, {
        show: namesIn,
      })
    }
  }),
  asking('built-in kinds are selected by fields of their own', async (stage) => {
    const paths = pathIn(stage)
    const secret = (name: string, type: string) => ({ metadata: { name }, type })
    await stage.quietly({
      method: 'POST',
      path: paths('v1', 'secrets'),
      body: secret('a', 'example.com/a'),
    })
    await stage.quietly({
      method: 'POST',
      path: paths('v1', 'secrets'),
      body: secret('b', 'Opaque'),
    })
    await stage.get(`${paths('v1', 'secrets')}?fieldSelector=type%3DOpaque`, { show: namesIn })
    await stage.get(`${paths('v1', 'secrets')}?fieldSelector=type%3Dexample.com/a`, {
      show: namesIn,
    })
    await stage.until(paths('v1', 'serviceaccounts', 'default'), ({ status }) => status === 200, {
      show: () => '',
    })
    await stage.quietly({ method: 'POST', path: paths('v1', 'pods'), body: pod('p') })
    for (const selector of [
      'status.phase=Pending',
      'status.phase!=Pending',
      'spec.nodeName=',
      'spec.nodeName=x',
      'spec.restartPolicy=Always',
      'spec.serviceAccountName=default',
      'spec.hostname=x',
    ]) {
      await stage.get(`${paths('v1', 'pods')}?fieldSelector=${encodeURIComponent(selector)}`, {
        show: namesIn,
      })
    }
    for (const [version, plural, selector] of [
      ['v1', 'services', 'spec.type=ClusterIP'],
      ['v1', 'services', 'spec.clusterIP=None'],
      ['v1', 'events', 'involvedObject.name=x,type=Normal,reason=y'],
      ['events.k8s.io/v1', 'events', 'regarding.name=x'],
      ['events.k8s.io/v1', 'events', 'involvedObject.name=x'],
      ['batch/v1', 'jobs', 'status.successful=1'],
      ['apps/v1', 'replicasets', 'status.replicas=0'],
      ['apps/v1', 'deployments', 'status.replicas=0'],
    ] as const) {
      await stage.get(`${paths(version, plural)}?fieldSelector=${encodeURIComponent(selector)}`, {
        show: namesIn,
      })
    }
    await stage.get(
      '/api/v1/namespaces?fieldSelector=status.phase%3DTerminating,metadata.name%3Dx',
      { show: namesIn },
    )
    await stage.get('/api/v1/nodes?fieldSelector=spec.unschedulable%3Dtrue', { show: namesIn })
  }),
  asking('selecting one name reads that one', async (stage) => {
    await createLabelled(stage)
    await stage.get(`${configMapsOf(stage)}?fieldSelector=metadata.name%3Da`)
    await stage.get(
      `/api/v1/configmaps?fieldSelector=metadata.name%3Da,metadata.namespace%3D${stage.id}`,
      { show: namesIn },
    )
  }),
]

const page = (body: unknown): Fields => ({
  names: namesIn(body),
  remaining: at(body, 'metadata', 'remainingItemCount') ?? 'none',
  more: textAt(body, 'metadata', 'continue') !== '',
})

async function createWidgets(stage: Stage, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await stage.quietly({
      method: 'POST',
      path: widgetsOf(stage),
      body: widget(stage, `w${index}`),
    })
  }
}

const pages: Case[] = [
  asking('a list is whole, in order of names', async (stage) => {
    await createWidgets(stage, 3)
    await stage.get(widgetsOf(stage))
  }),
  asking('an empty list has items', async (stage) => {
    await stage.get(widgetsOf(stage))
    await stage.get(pathIn(stage)('v1', 'secrets'))
    await stage.get(pathIn(stage)('apps/v1', 'deployments'))
  }),
  asking('a list comes in pages', async (stage) => {
    await createWidgets(stage, 5)
    let token = ''
    for (let count = 0; count < 3; count += 1) {
      const query = `limit=2${token && `&continue=${token}`}`
      const { body } = await stage.get(`${widgetsOf(stage)}?${query}`, { show: page })
      token = textAt(body, 'metadata', 'continue')
    }
  }),
  asking('a page of built-in objects', async (stage) => {
    await createLabelled(stage)
    // It is counted too, and comes when it comes.
    await stage.until(configMapsOf(stage, 'kube-root-ca.crt'), ({ status }) => status === 200, {
      show: () => '',
    })
    const { body } = await stage.get(`${configMapsOf(stage)}?limit=2`, { show: page })
    const token = textAt(body, 'metadata', 'continue')
    await stage.get(`${configMapsOf(stage)}?limit=2&continue=${token}&labelSelector=app`, {
      show: page,
    })
  }),
  asking('pages show the state of the first one', async (stage) => {
    await createWidgets(stage, 4)
    const first = await stage.get(`${widgetsOf(stage)}?limit=2`, { show: page })
    await stage.delete(widgetsOf(stage, 'w2'), undefined, { show: () => '' })
    await stage.quietly({ method: 'POST', path: widgetsOf(stage), body: widget(stage, 'w9') })
    const token = textAt(first.body, 'metadata', 'continue')
    const second = await stage.get(`${widgetsOf(stage)}?limit=5&continue=${token}`, { show: page })
    const rv = (body: unknown) => textAt(body, 'metadata', 'resourceVersion')
    stage.note('the same resourceVersion', rv(first.body) === rv(second.body))
  }),
  asking('a page with a selector tells no remaining count', async (stage) => {
    await createLabelled(stage)
    await stage.get(`${configMapsOf(stage)}?limit=1&labelSelector=app`, { show: page })
    await stage.get(`${configMapsOf(stage)}?limit=9&labelSelector=app`, { show: page })
    await stage.get(`${configMapsOf(stage)}?limit=-1&labelSelector=app`, { show: page })
  }),
  asking('a bad continue token is refused', async (stage) => {
    await stage.get(`${widgetsOf(stage)}?continue=nonsense`)
    await stage.get(`${widgetsOf(stage)}?limit=1&continue=bm9uc2Vuc2U`)
    await stage.get(`${configMapsOf(stage)}?limit=99999999999999999999`)
    await stage.get(`${configMapsOf(stage)}?limit=1&continue=nonsense`)
    const token = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v9', rv: 5, start: 'x' })).toString(
      'base64url',
    )
    await stage.get(`${widgetsOf(stage)}?limit=1&continue=${token}`)
  }),
  asking('a continue token allows no resourceVersion', async (stage) => {
    await createWidgets(stage, 2)
    const { body } = await stage.get(`${widgetsOf(stage)}?limit=1`, { show: page })
    const token = textAt(body, 'metadata', 'continue')
    await stage.get(`${widgetsOf(stage)}?limit=1&continue=${token}&resourceVersion=5`)
    await stage.get(`${widgetsOf(stage)}?limit=1&continue=${token}&resourceVersion=0`, {
      show: page,
    })
  }),
  asking('a list of all namespaces', async (stage) => {
    await createWidgets(stage, 1)
    const { body } = await stage.quietly({ method: 'GET', path: `/apis/${stage.group}/v1/widgets` })
    const own = listAt(body, 'items').filter(
      (one) => textAt(one, 'metadata', 'namespace') === stage.id,
    )
    stage.note('those of this namespace', own)
    await stage.get(
      `/apis/${stage.group}/v1/widgets?fieldSelector=metadata.namespace%3D${stage.id}`,
      { show: namesIn },
    )
  }),
]

const LATER = '999999999'

/** What is answered to a combination of resourceVersion and its match, on lists and single objects. */
const matching = (query: string): Case =>
  asking(`resourceVersion on lists: ${query}`, async (stage) => {
    await createWidgets(stage, 1)
    const { body } = await stage.quietly({ method: 'GET', path: widgetsOf(stage) })
    const now = textAt(body, 'metadata', 'resourceVersion')
    await stage.get(`${widgetsOf(stage)}?${query.replace('NOW', now)}`, { show: namesIn })
  })

const revisions: Case[] = [
  ...[
    'resourceVersion=0',
    'resourceVersion=NOW',
    'resourceVersion=NOW&resourceVersionMatch=NotOlderThan',
    'resourceVersion=NOW&resourceVersionMatch=Exact',
    'resourceVersion=NOW&limit=1',
    'resourceVersion=0&limit=1',
    'resourceVersion=0&resourceVersionMatch=NotOlderThan',
    'resourceVersion=0&resourceVersionMatch=Exact',
    'resourceVersionMatch=Exact',
    'resourceVersionMatch=NotOlderThan',
    'resourceVersion=NOW&resourceVersionMatch=Older',
    'resourceVersion=nonsense',
    'resourceVersion=-1',
    'sendInitialEvents=true',
    'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
  ].map(matching),
  asking('a resourceVersion that is not reached yet times out', async (stage) => {
    await stage.get(`${widgetsOf(stage)}?resourceVersion=${LATER}&timeoutSeconds=1`)
    await stage.get(`${widgetsOf(stage)}?resourceVersion=${LATER}&resourceVersionMatch=Exact`)
    await stage.get(`${widgetsOf(stage, 'a')}?resourceVersion=${LATER}`)
  }),
  asking('one object is read at least as new as asked', async (stage) => {
    await createWidgets(stage, 1)
    const { body } = await stage.quietly({ method: 'GET', path: widgetsOf(stage, 'w0') })
    const now = textAt(body, 'metadata', 'resourceVersion')
    await stage.get(`${widgetsOf(stage, 'w0')}?resourceVersion=${now}`)
    // Only now is it sure that a real server has it in its cache.
    await stage.get(`${widgetsOf(stage, 'w0')}?resourceVersion=0`)
    await stage.get(`${widgetsOf(stage, 'w0')}?resourceVersion=nonsense`)
  }),
  asking('the state of an exact resourceVersion is told', async (stage) => {
    await createWidgets(stage, 2)
    const { body } = await stage.quietly({ method: 'GET', path: widgetsOf(stage) })
    const then = textAt(body, 'metadata', 'resourceVersion')
    await stage.quietly({ method: 'DELETE', path: widgetsOf(stage, 'w0') })
    const answer = await stage.get(
      `${widgetsOf(stage)}?resourceVersion=${then}&resourceVersionMatch=Exact`,
      { show: namesIn },
    )
    stage.note('its resourceVersion', textAt(answer.body, 'metadata', 'resourceVersion') === then)
  }),
]

export const listsCases: Subject = {
  subject: 'lists',
  cases: [...labelSelectors, ...fieldSelectors, ...pages, ...revisions],
}
