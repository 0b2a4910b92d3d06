import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anApi } from '#test/an-api.ts'
import type { RunningApi } from '#test/conformance/apis.ts'
import { until } from '#test/until.ts'
import { type HelmUser, helm3, helm4, helmUser } from './helm-user.ts'
import { startRealApi } from './kubectl-apis.ts'

const CHART = `${import.meta.dirname}/chart`
const WAIT = ['--wait', '--timeout', '50s']

const runs = [
  { helm: helm4, name: 'embedded API', start: () => anApi() },
  { helm: helm3, name: 'embedded API', start: () => anApi() },
  { helm: helm4, name: 'kube-apiserver', start: startRealApi },
]

describe.each(runs)('$helm.name on $name', ({ helm: version, start }) => {
  let api: RunningApi
  beforeAll(async () => {
    api = await start()
  })
  afterAll(() => api?.[Symbol.asyncDispose]())

  test('a release is installed, upgraded, rolled back and uninstalled', async () => {
    await using user = await helmUser(api, version, 'lifecycle')
    const { helm, kubectl, controllers } = user

    expect(await helm('install', 'shop', CHART, ...WAIT)).toContain('shop says hello.')
    expect(await objectsOf(user)).toEqual(objects({ extra: true }))
    expect(await configurationOf(user)).toMatchObject({
      ...{ greeting: 'hello', revision: '1', kubernetes: 'v1.36.4' },
      ...{ knowsApps: 'true', namespace: 'lifecycle' },
    })

    const changes = 'greeting=bye,replicas=3,password=second,extra=false,ingress=true'
    await helm('upgrade', 'shop', CHART, '--set', changes, ...WAIT)
    expect(await objectsOf(user)).toEqual(objects({ ingress: true }))
    expect(await configurationOf(user)).toMatchObject({ greeting: 'bye', revision: '2' })
    expect(await shelfOf(user)).toEqual({ boards: 3, labels: { greeting: 'bye' } })
    const password = await kubectl('get', 'secret/shop-secret', '-o', 'jsonpath={.data.password}')
    expect(Buffer.from(password, 'base64').toString()).toBe('second')

    await helm('rollback', 'shop', '1', ...WAIT)
    expect(await objectsOf(user)).toEqual(objects({ extra: true }))
    expect(await configurationOf(user)).toMatchObject({ greeting: 'hello', revision: '1' })
    expect(await shelfOf(user)).toEqual({ boards: 2, labels: { greeting: 'hello' } })

    await helm('uninstall', 'shop')
    await untilNothingIsLeft(user)
    expect(await kubectl('get', 'crd/shelves.shop.example.com', '-o', 'name')).not.toBe('')
    expect(controllers.ended).toEqual([
      ...['shop-pre-install', 'shop-post-install', 'shop-pre-upgrade', 'shop-post-upgrade'],
      ...['shop-pre-rollback', 'shop-pre-delete'],
    ])
  })

  test('helm tells what it has done', async () => {
    await using user = await helmUser(api, version, 'told')
    const { helm } = user
    await helm('upgrade', '--install', 'shop', CHART, '--set', 'greeting=one', ...WAIT)
    await helm('upgrade', '--install', 'shop', CHART, '--set', 'greeting=two', ...WAIT)

    expect(JSON.parse(await helm('list', '-o', 'json'))).toMatchObject([
      { name: 'shop', namespace: 'told', revision: '2', status: 'deployed', chart: 'shop-1.0.0' },
    ])
    expect(await statusesOf(user)).toEqual(['superseded', 'deployed'])
    expect(JSON.parse(await helm('get', 'values', 'shop', '-o', 'json'))).toEqual({
      greeting: 'two',
    })
    expect(await helm('get', 'manifest', 'shop')).toMatch(/kind: Shelf[\s\S]*greeting: "two"/)
    expect(await helm('get', 'manifest', 'shop', '--revision', '1')).toContain('greeting: "one"')
    expect(await helm('get', 'hooks', 'shop')).toContain('name: shop-pre-delete')
    expect(JSON.parse(await helm('status', 'shop', '-o', 'json'))).toMatchObject({
      info: { status: 'deployed', notes: expect.stringContaining('shop says two.') },
    })

    await helm('uninstall', 'shop', '--keep-history')
    expect(await statusesOf(user)).toEqual(['superseded', 'uninstalled'])
  })

  test('an upgrade that the API refuses is rolled back', async () => {
    await using user = await helmUser(api, version, 'refused')
    const { helm, refused, kubectl } = user
    await helm('install', 'shop', CHART, ...WAIT)

    const broken = ['--set', 'broken=true,greeting=bye', version.rollBackOnFailure, ...WAIT]
    const complaint = await refused('upgrade', 'shop', CHART, ...broken)

    expect(complaint).toContain('must be between 1 and 65535, inclusive')
    expect(await statusesOf(user)).toEqual(['superseded', 'failed', 'deployed'])
    expect(await configurationOf(user)).toMatchObject({ greeting: 'hello' })
    expect(await kubectl('get', 'service/shop', '-o', 'jsonpath={.spec.ports[0].port}')).toBe('80')
  })

  test('an installation whose hook fails is repaired by the next one', async () => {
    await using user = await helmUser(api, version, 'hooks')
    const { helm, refused, controllers } = user

    const complaint = await refused('install', 'shop', CHART, '--set', 'hooksFail=true', ...WAIT)
    expect(complaint).toContain('pre-install')
    expect(await statusesOf(user)).toEqual(['failed'])
    expect(await objectsOf(user)).toEqual([])

    await helm('upgrade', '--install', 'shop', CHART, '--set', 'hooksFail=false', ...WAIT)
    expect(await statusesOf(user)).toEqual(['superseded', 'deployed'])
    expect(await objectsOf(user)).toEqual(objects({ extra: true }))
    expect(controllers.ended).toContain('shop-pre-install')
  })

  test('a chart is checked by the API', async () => {
    await using user = await helmUser(api, version, 'checked')
    const { helm, refused, kubectl } = user
    await kubectl('apply', '-f', `${CHART}/crds`)
    await kubectl('wait', '--for=condition=Established', 'crd/shelves.shop.example.com')

    const rendered = await helm('template', 'shop', CHART, version.validate)
    expect(rendered).toContain('kubernetes: "v1.36.4"')
    expect(await objectsOf(user)).toEqual([])

    const wrong = ['--set-string', 'replicas=many']
    expect(await refused('install', 'shop', CHART, ...wrong)).toContain('replicas')
  })

  test('the tests of a chart are run', async () => {
    await using user = await helmUser(api, version, 'tested')
    const { helm, kubectl } = user
    await helm('install', 'shop', CHART, ...WAIT)

    expect(await helm('test', 'shop')).toMatch(/TEST SUITE:\s+shop-works[\s\S]*Succeeded/)
    expect(await kubectl('get', 'pods', '-o', 'name')).toBe('')
  })
})

/** What the chart consists of, hooks aside. */
const objects = ({ extra = false, ingress = false }): string[] =>
  [
    ...(extra ? ['configmap/shop-extra'] : []),
    ...(ingress ? ['ingress.networking.k8s.io/shop'] : []),
    'configmap/shop-config',
    'deployment.apps/shop',
    'role.rbac.authorization.k8s.io/shop',
    'rolebinding.rbac.authorization.k8s.io/shop',
    'secret/shop-secret',
    'service/shop',
    'serviceaccount/shop',
    'shelf.shop.example.com/shop',
  ].sort()

const KINDS =
  'configmaps,secrets,serviceaccounts,services,pods,jobs,deployments,ingresses,roles,rolebindings'

/** What there is of a release in its namespace, apart from what others make of it. */
async function objectsOf({ kubectl }: HelmUser): Promise<string[]> {
  const named = ['-l', 'app.kubernetes.io/name=shop', '-o', 'name', '--ignore-not-found']
  const text = await kubectl('get', `${KINDS},shelves`, ...named)
  return text.split('\n').filter(Boolean).sort()
}

async function configurationOf({ kubectl }: HelmUser): Promise<unknown> {
  return JSON.parse(await kubectl('get', 'configmap/shop-config', '-o', 'jsonpath={.data}'))
}

async function shelfOf({ kubectl }: HelmUser): Promise<unknown> {
  return JSON.parse(await kubectl('get', 'shelf/shop', '-o', 'jsonpath={.spec}'))
}

async function statusesOf({ helm }: HelmUser): Promise<string[]> {
  const revisions: { status: string }[] = JSON.parse(await helm('history', 'shop', '-o', 'json'))
  return revisions.map(({ status }) => status)
}

/** Everything that can be listed is looked at, for a release must leave nothing anywhere. */
async function untilNothingIsLeft({ kubectl, namespace }: HelmUser): Promise<void> {
  const resources = await kubectl('api-resources', '--verbs=list', '--namespaced', '-o', 'name')
  const all = resources.split('\n').filter(Boolean).join(',')
  const look = async () => (await kubectl('get', all, '-o', 'name')).split('\n').filter(Boolean)
  const ours = (left: string[]) =>
    left.filter(
      (name) => !/^(event\S*|serviceaccount\/default|configmap\/kube-root-ca.crt)/.test(name),
    )
  await until('an empty namespace', look, (left) => ours(left).length === 0)
  const cluster = await kubectl('get', 'clusterroles,clusterrolebindings', '-o', 'name')
  expect(cluster).not.toContain(`${namespace}-shop`)
}
