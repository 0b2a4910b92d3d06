import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import type { KubeClient } from '#kube/client.ts'
import type { ReflectorState } from '#kube/reflector.ts'
import { type SmallApi, startSmallApi } from '#test/small-api/small-api.ts'
import { until } from '#test/until.ts'
import { clientOf } from './client-of.ts'
import { type Follower, follow } from './follower.ts'

const namespace = 'default'
const labels = { watched: 'yes' }

let api: SmallApi
let client: KubeClient
let follower: Follower
beforeEach(async () => {
  api = await startSmallApi()
  client = await clientOf(api)
  follower = follow(client)
  await follower.informer.whenSynced(AbortSignal.timeout(10_000))
  await until(
    'the watch',
    async () => api.watchers,
    (count) => count === 1,
  )
})
afterEach(async () => {
  await follower[Symbol.asyncDispose]()
  client.close()
  await api[Symbol.asyncDispose]()
})

const put = (name: string, data: Record<string, string> = {}) =>
  client.apply(
    ConfigMap,
    { metadata: { namespace, name, labels }, data },
    { fieldManager: 'test', force: true },
  )

/** Waits until the cache is as the server is, after one more change that must arrive. */
async function convergence(): Promise<void> {
  await put('last', { when: String(follower.told.length) })
  const look = async () => {
    const { items } = await client.list(ConfigMap, { labelSelector: 'watched=yes' })
    const versions = (
      objects: Iterable<{ metadata: { name: string; resourceVersion?: string } }>,
    ) => [...objects].map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`).sort()
    return { server: versions(items), cache: versions(follower.informer.cache.values()) }
  }
  await until(
    'the cache to equal the server',
    look,
    ({ server, cache }) => server.join() === cache.join(),
  )
}

const isWatch = (_: string, path: string) => path.includes('watch=true')

const failuresOf = (states: ReflectorState[]) => states.filter(({ state }) => state === 'failed')

describe('the cache ends equal to the server', () => {
  test('in quiet times, with no failure told', async () => {
    await put('a')
    await client.remove(ConfigMap, { namespace, name: 'a' })

    await convergence()

    expect(failuresOf(follower.states)).toEqual([])
    expect(follower.told.slice(0, 2)).toEqual(['added a', 'removed a'])
  })

  test('after the connection of the watch was broken', async () => {
    api.faults.dropWatches()

    await convergence()

    expect(failuresOf(follower.states)).toHaveLength(1)
  })

  test('after the server ended the watch, which is resumed from where it was', async () => {
    await put('a')
    api.faults.endWatches()

    await convergence()

    expect(follower.states.filter(({ state }) => state === 'listed')).toHaveLength(1)
    expect(follower.told.filter((change) => change === 'added a')).toHaveLength(1)
  })

  test('after the watch fell silent without an end', async () => {
    api.faults.freezeWatches()

    await convergence()

    expect(failuresOf(follower.states)).toMatchObject([
      { error: expect.objectContaining({ message: expect.stringContaining('nothing for') }) },
    ])
  })

  test.each([
    { what: 'garbage', text: 'not an event\n' },
    { what: 'a truncated event and the end of it', text: '{"type":"ADDED","object":{"meta\n' },
    { what: 'an ERROR', text: '{"type":"ERROR","object":{"code":500,"reason":"InternalError"}}\n' },
    {
      what: 'an ERROR for a version that is too old',
      text: '{"type":"ERROR","object":{"code":410,"reason":"Expired"}}\n',
    },
  ])('after $what on the watch', async ({ text }) => {
    await api.faults.sendOnWatches(text)

    await convergence()

    expect(failuresOf(follower.states).length).toBeGreaterThan(0)
  })

  test('after everything it knew became too old; and what is the same is told to nobody', async () => {
    await put('a')
    await convergence()
    follower.told.length = 0
    const off = api.faults.answer({ match: isWatch, status: 500 })
    api.faults.dropWatches()
    await put('meanwhile')
    api.faults.compact()
    off()

    await convergence()

    expect(follower.states).toContainEqual(expect.objectContaining({ why: 'tooOld' }))
    expect(follower.told.filter((change) => !change.endsWith('last'))).toEqual(['added meanwhile'])
  })

  test('although every watch is refused as too old, with longer and longer pauses', async () => {
    const off = api.faults.answer({ match: isWatch, status: 410 })
    api.faults.dropWatches()

    const look = async () =>
      failuresOf(follower.states).map((state) => Reflect.get(state, 'failures'))
    const failures = await until('refusals', look, ({ length }) => length >= 5)
    off()
    await convergence()

    // One for the connection that broke, after a watch that had lived.
    expect(failures.slice(0, 5)).toEqual([1, 2, 3, 4, 5])
  })

  test('after an event was lost, by the resync', async () => {
    await follower[Symbol.asyncDispose]()
    follower = follow(client, { resyncMs: 1_000, silenceMs: 60_000 })
    await until(
      'the watch',
      async () => api.watchers,
      (count) => count === 1,
    )
    api.faults.loseNextWatchEvent()
    await put('lost')

    await convergence()

    expect(follower.told).toContain('added lost')
    expect(follower.states).toContainEqual(expect.objectContaining({ why: 'resync' }))
  })

  test('after a list changed between its pages', async () => {
    const names = Array.from({ length: 600 }, (_, index) => `page-${index}`)
    await Promise.all(names.map((name) => put(name)))
    const off = api.faults.betweenPages(async () => {
      await put('page-new')
      await client.remove(ConfigMap, { namespace, name: 'page-0' }).catch(() => {})
    })
    api.faults.compact()
    api.faults.dropWatches()

    await convergence()
    off()
  })

  test.each([401, 403, 409, 429, 500, 503])('after some answers of %i', async (status) => {
    api.faults.answer({ match: isWatch, status, times: 3, retryAfter: 0 })
    const before = api.log.length
    api.faults.dropWatches()

    await convergence()

    const watches = api.log.slice(before).filter(({ method, path }) => isWatch(method, path))
    expect(watches.length).toBeGreaterThan(3)
  })

  test('after the API was gone for a while', async () => {
    await put('before')
    await api.faults.refuseConnections(true)
    await until(
      'failures',
      async () => failuresOf(follower.states).length,
      (count) => count >= 3,
    )
    await api.faults.refuseConnections(false)

    await convergence()

    expect(follower.told.filter((change) => change === 'added before')).toHaveLength(1)
  })
})

describe('a call that is too much', () => {
  test('fails with the server’s own words when its time is up before the server’s pause is', async () => {
    api.faults.answer({ status: 429, retryAfter: 60 })

    await expect(
      client.get(ConfigMap, { namespace, name: 'a' }, { deadlineMs: 200 }),
    ).rejects.toMatchObject({ status: 429 })
  })
})

describe('a list', () => {
  test.each(['{}', 'null', '{"kind":"Status"}', '{"metadata":{"resourceVersion":"1"},"items":7}'])(
    'that is %s in truth is an error, and not the end of all objects',
    async (text) => {
      api.faults.say((_, path) => path.includes('configmaps'), text)

      await expect(client.list(ConfigMap)).rejects.toMatchObject({ reason: 'Garbled' })
    },
  )
})

describe('a call', () => {
  test('that is too much comes back when it is asked to, and succeeds', async () => {
    api.faults.answer({ status: 429, times: 2, retryAfter: 0 })

    await expect(put('a')).resolves.toBeDefined()
  })

  test('that gets no answer in time fails with a sentence', async () => {
    api.faults.delay((method) => method === 'GET', Number.POSITIVE_INFINITY)

    await expect(
      client.get(ConfigMap, { namespace, name: 'a' }, { deadlineMs: 200 }),
    ).rejects.toMatchObject({
      reason: 'Timeout',
      message: expect.stringMatching(
        /could not get configmaps default\/a: .* no answer within 0.2 s/,
      ),
    })
  })

  test('whose answer is lost fails as unreachable, and the write may have been done', async () => {
    api.faults.hangUpAfterWrite(1)

    await expect(put('lost-reply')).rejects.toMatchObject({ status: 0, reason: 'Unreachable' })

    expect(await client.get(ConfigMap, { namespace, name: 'lost-reply' })).toBeDefined()
  })

  test('to nobody fails as unreachable', async () => {
    await api.faults.refuseConnections(true)

    await expect(put('a')).rejects.toMatchObject({ status: 0, reason: 'Unreachable' })
    await api.faults.refuseConnections(false)
  })

  test('that waits can be aborted', async () => {
    api.faults.delay((method) => method === 'GET', Number.POSITIVE_INFINITY)
    const stop = new AbortController()
    const waiting = client.get(ConfigMap, { namespace, name: 'a' }, { signal: stop.signal })

    stop.abort(new Error('enough'))

    await expect(waiting).rejects.toThrow('enough')
  })
})
