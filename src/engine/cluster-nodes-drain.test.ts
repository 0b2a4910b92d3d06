import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Node, Pod, PodDisruptionBudget } from '#api/foreign.ts'
import { DRAIN } from '#api/labels.ts'
import type { ForeignKind, KubeObject, ObjectOf } from '#api/meta.ts'
import { isConflict } from '#kube/api-error.ts'
import type { KubeClient } from '#kube/client.ts'
import type { FakeClock } from '#test/fake-clock.ts'
import { CLUSTER, type FollowedCluster, followedCluster } from '#test/followed-cluster.ts'
import { until } from '#test/until.ts'
import type { ClusterNodes } from './cluster-nodes.ts'
import { cordon } from './node-cordon.ts'

// Against the embedded API, which judges evictions as a real one does.

const NAME = 'n1'
const namespace = 'default'
const { signal } = new AbortController()
const ServiceAccount: ForeignKind<KubeObject> = {
  ...{ group: '', version: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts' },
  scope: 'Namespaced',
}

let cluster: FollowedCluster
let client: KubeClient
let nodes: ClusterNodes
let clock: FakeClock

beforeAll(async () => {
  cluster = await followedCluster()
  ;({ clock, client, nodes } = cluster)
  await client.create(ServiceAccount, { metadata: { namespace, name: 'default' } }).catch(() => {})
})
afterAll(() => cluster[Symbol.asyncDispose]())

const isCordoned = ({ spec }: ObjectOf<typeof Node>) => spec?.unschedulable === true
const read = () => client.get(Node, { name: NAME })
const markOn = ({ metadata }: KubeObject): unknown =>
  JSON.parse(metadata.annotations?.[DRAIN] ?? 'null')

describe('a node that is drained', () => {
  let uid: string
  beforeEach(async () => {
    await client.remove(Node, { name: NAME }).catch(() => {})
    uid = (await client.create(Node, { metadata: { name: NAME } })).metadata.uid ?? ''
  })
  const drained = (by = 'machine') => ({ name: NAME, uid, by })
  const setCordon = (unschedulable: boolean | null) =>
    client.patch(Node, { name: NAME }, { type: 'merge', body: { spec: { unschedulable } } })

  test('is cordoned and marked, once, and that is seen at once', async () => {
    await nodes.cordon(CLUSTER, drained(), signal)
    const since = clock.now().toISOString()
    const mark = { by: 'machine', since, cordoned: true }
    expect(nodes.seen(CLUSTER).nodes[0]).toMatchObject({ isUnschedulable: true, drain: mark })
    const { resourceVersion } = (await read()).metadata

    await clock.advance(60_000)
    await nodes.cordon(CLUSTER, drained(), signal)

    const after = await read()
    expect(after.metadata.resourceVersion).toBe(resourceVersion)
    expect([isCordoned(after), markOn(after)]).toEqual([true, mark])
  })

  test('loses mark and cordon, also if that is said again', async () => {
    await nodes.cordon(CLUSTER, drained(), signal)

    await nodes.uncordon(CLUSTER, drained(), signal)
    await nodes.uncordon(CLUSTER, drained(), signal)

    const after = await read()
    expect([isCordoned(after), markOn(after)]).toEqual([false, null])
    expect(nodes.seen(CLUSTER).nodes[0]).not.toHaveProperty('drain')
  })

  test('keeps a cordon that somebody else made', async () => {
    await setCordon(true)

    await nodes.cordon(CLUSTER, drained(), signal)
    expect(markOn(await read())).toMatchObject({ cordoned: false })
    await nodes.uncordon(CLUSTER, drained(), signal)

    const after = await read()
    expect([isCordoned(after), markOn(after)]).toEqual([true, null])
  })

  test('is cordoned again, since the same time, if somebody took that away', async () => {
    await nodes.cordon(CLUSTER, drained(), signal)
    const before = markOn(await read())
    await clock.advance(60_000)
    await setCordon(null)

    await nodes.cordon(CLUSTER, drained(), signal)

    const after = await read()
    expect([isCordoned(after), markOn(after)]).toEqual([true, before])
  })

  test('says that it was given up, and since when, until it is begun anew', async () => {
    await nodes.cordon(CLUSTER, drained(), signal)
    const since = clock.now().toISOString()
    await clock.advance(60_000)
    const stopped = clock.now().toISOString()
    await nodes.uncordon(CLUSTER, { ...drained(), isStopped: true }, signal)
    await clock.advance(60_000)
    await nodes.uncordon(CLUSTER, { ...drained(), isStopped: true }, signal)

    const after = await read()
    expect(isCordoned(after)).toBe(false)
    expect(markOn(after)).toEqual({ by: 'machine', since, cordoned: false, stopped })

    await nodes.cordon(CLUSTER, drained(), signal)
    const again = { by: 'machine', since: clock.now().toISOString(), cordoned: true }
    expect(markOn(await read())).toEqual(again)
  })

  test('is left as it is by whoever did not mark it, and taken over by whoever drains it', async () => {
    await nodes.cordon(CLUSTER, drained('gone'), signal)

    await nodes.uncordon(CLUSTER, drained(), signal)
    expect(isCordoned(await read())).toBe(true)

    await nodes.cordon(CLUSTER, drained(), signal)
    expect(markOn(await read())).toMatchObject({ by: 'machine', cordoned: true })
  })

  test('is not touched if it is another one by now, or gone', async () => {
    const { uid: _, ...other } = drained()
    await nodes.cordon(CLUSTER, { ...other, uid: 'another' }, signal)
    await nodes.uncordon(CLUSTER, { ...other, uid: 'another' }, signal)
    await nodes.cordon(CLUSTER, { ...drained(), name: 'missing' }, signal)

    const after = await read()
    expect([isCordoned(after), markOn(after)]).toEqual([false, null])
  })

  test('is not marked by who saw it before it was changed', async () => {
    const patch = client.patch.bind(client)
    const find: KubeClient['find'] = async (...given) => {
      const found = await client.find(...given)
      await setCordon(true)
      return found
    }
    const tried = cordon({ find, patch }, { ...drained(), now: clock.now() }, signal)

    expect(isConflict(await tried.catch((error: unknown) => error))).toBe(true)
    expect(markOn(await read())).toBeNull()
  })
})

describe('the pods of a node', () => {
  const labels = { app: 'web' }
  const spec = { nodeName: NAME, containers: [{ name: 'a', image: 'none.example/a' }] }
  beforeEach(async () => {
    const gracePeriodSeconds = 0
    for (const { metadata } of (await client.list(Pod)).items)
      await client.remove(Pod, { namespace, name: metadata.name }, { gracePeriodSeconds })
    for (const { metadata } of (await client.list(PodDisruptionBudget)).items)
      await client.remove(PodDisruptionBudget, { namespace, name: metadata.name })
  })

  interface Made {
    metadata?: object
    spec?: object
    phase?: string
    isReady?: boolean
  }

  async function makePod(name: string, made: Made = {}): Promise<void> {
    const { phase = 'Running', isReady = true } = made
    const metadata = { namespace, name, labels, ...made.metadata }
    await until(
      'a pod',
      () =>
        client.create(Pod, { metadata, spec: { ...spec, ...made.spec } }).then(
          () => true,
          () => false,
        ),
      Boolean,
    )
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }]
    const body = { status: { phase, conditions } }
    await client.patch(Pod, { namespace, name, subresource: 'status' }, { type: 'merge', body })
  }

  async function makeBudget(name: string, disruptionsAllowed: number): Promise<void> {
    const selector = { matchLabels: labels }
    const made = await client.create(PodDisruptionBudget, {
      ...{ metadata: { namespace, name }, spec: { selector } },
    })
    const status = { disruptionsAllowed, observedGeneration: made.metadata.generation ?? 0 }
    const body = { status: { ...status, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 } }
    await client.patch(
      PodDisruptionBudget,
      { namespace, name, subresource: 'status' },
      { type: 'merge', body },
    )
  }

  const seen = () => nodes.podsOn(CLUSTER, NAME, signal)
  const named = async () => (await seen()).map(({ name }) => name)

  test('that have to go are those that somebody else could run', async () => {
    const owner = (kind: string, controller: boolean) => ({
      ownerReferences: [{ apiVersion: 'apps/v1', kind, name: 'o', uid: 'o', controller }],
    })
    await makePod('web-2')
    await makePod('web-1', { metadata: owner('ReplicaSet', true) })
    await makePod('watched', { metadata: owner('DaemonSet', false) })
    await makePod('daemon', { metadata: owner('DaemonSet', true) })
    await makePod('static', {
      metadata: { annotations: { 'kubernetes.io/config.mirror': 'hash' } },
    })
    await makePod('done', { phase: 'Succeeded' })
    await makePod('failed', { phase: 'Failed' })
    await makePod('elsewhere', { spec: { nodeName: 'n2' } })

    expect(await named()).toEqual(['watched', 'web-1', 'web-2'])
  })

  test('are held by budgets that have no room, and by two of them in any case', async () => {
    await makePod('ready')
    await makePod('unready', { isReady: false })
    await makePod('pending', { phase: 'Pending' })
    await makePod('other', { metadata: { labels: { app: 'db' } } })
    const found = async () =>
      (await seen()).map(({ name, heldBy, isHeld }) => `${name}: ${heldBy.join()} ${isHeld}`)

    await makeBudget('one', 1)
    expect(await found()).toEqual([
      ...['other:  false', 'pending:  false', 'ready:  false', 'unready:  false'],
    ])
    await makeBudget('two', 1)
    expect(await found()).toEqual([
      ...['other:  false', 'pending:  false', 'ready: one,two true', 'unready: one,two true'],
    ])
    await client.remove(PodDisruptionBudget, { namespace, name: 'one' })
    await client.remove(PodDisruptionBudget, { namespace, name: 'two' })
    await makeBudget('none', 0)
    expect(await found()).toEqual([
      ...['other:  false', 'pending:  false', 'ready: none true', 'unready: none false'],
    ])
  })

  test.each([
    ['nothing', [], false],
    ['everything', [{ operator: 'Exists' }], true],
    ['a cordon', [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }], true],
    ['a cordon, said otherwise', [{ key: 'node.kubernetes.io/unschedulable' }], true],
    ['what is not scheduled', [{ operator: 'Exists', effect: 'NoSchedule' }], true],
    ['what is not executed', [{ operator: 'Exists', effect: 'NoExecute' }], false],
    ['something else', [{ key: 'other', operator: 'Exists' }], false],
  ])(
    'say whether a cordon keeps them away: one that bears with %s',
    async (_what, given, bears) => {
      await makePod('one', { spec: { tolerations: given } })

      expect((await seen()).map(({ toleratesCordon }) => toleratesCordon)).toEqual([bears])
    },
  )

  test('are evicted as far as budgets allow it, and no other ones of their names', async () => {
    await makePod('free', { metadata: { labels: { app: 'db' } } })
    await makePod('held')
    await makePod('replaced', { metadata: { labels: { app: 'db' } } })
    await makeBudget('none', 0)
    const asked = (await seen()).map((pod) =>
      pod.name === 'replaced' ? { ...pod, uid: 'another' } : pod,
    )

    await nodes.evictPods(CLUSTER, [...asked, { namespace, name: 'gone', uid: 'u' }], signal)

    const left = await seen()
    expect(left.map(({ name, endsAt }) => [name, endsAt !== undefined])).toEqual([
      ...[
        ['free', true],
        ['held', false],
        ['replaced', false],
      ],
    ])
  })

  test('are deleted whatever budgets say', async () => {
    await makePod('held')
    await makeBudget('none', 0)

    await nodes.deletePods(CLUSTER, await seen(), signal)

    expect((await seen()).map(({ endsAt }) => endsAt !== undefined)).toEqual([true])
  })

  test('that cannot be asked are told of, when the others were', async () => {
    await makePod('free', { metadata: { labels: { app: 'db' } } })
    await makePod('two')
    await makeBudget('one', 1)
    await makeBudget('other', 1)

    await expect(nodes.evictPods(CLUSTER, await seen(), signal)).rejects.toThrow(
      'more than one PodDisruptionBudget',
    )

    expect((await seen()).map(({ endsAt }) => endsAt !== undefined)).toEqual([true, false])
  })
})
