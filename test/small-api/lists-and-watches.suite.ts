import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RunningApi } from '#test/conformance/apis.ts'
import type { Answer } from '#test/conformance/kubernetes/https-json.ts'
import { until } from '#test/until.ts'
import { ALL_GADGETS, GADGETS, gadgetApis } from './gadgets.ts'
import { callRaw, type RawAnswer } from './raw-client.ts'

interface Item {
  metadata: { name: string; resourceVersion: string; labels?: Record<string, string> }
}

interface List {
  kind: string
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number }
  items: Item[]
}

interface Event {
  type: string
  object: Item
}

const listIn = ({ body }: Answer): List => body as List // the API's words
const eventsIn = ({ lines }: RawAnswer): Event[] => lines as Event[] // the API's words
const namesIn = (answer: Answer): string[] => listIn(answer).items.map((one) => one.metadata.name)
const seenIn = (watch: RawAnswer): string[] =>
  eventsIn(watch).map(({ type, object }) => `${type} ${object.metadata.name}`)

describe.each(gadgetApis)('$name', ({ start }) => {
  let api: RunningApi

  beforeAll(async () => {
    api = await start()
    for (const name of ['elsewhere', 'default']) {
      await api.send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } })
    }
  })
  afterAll(() => api?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    await api.send({ method: 'DELETE', path: GADGETS })
    for (const [name, color] of [
      ['a', 'red'],
      ['b', 'blue'],
      ['c', 'red'],
    ] as const) {
      await create(name, { color })
    }
    await create('d')
  })

  const get = (path: string) => api.send({ method: 'GET', path })
  const create = (name: string, labels: object = {}) => {
    const metadata = { name, labels }
    const body = { apiVersion: 'tests.example/v1', kind: 'Gadget', metadata, spec: {} }
    return api.send({ method: 'POST', path: GADGETS, body })
  }
  const change = (name: string, body: object) => {
    const contentType = 'application/merge-patch+json'
    return api.send({ method: 'PATCH', path: `${GADGETS}/${name}`, body, contentType })
  }
  const paint = (name: string, color: string) => change(name, { metadata: { labels: { color } } })
  const remove = (name: string) => api.send({ method: 'DELETE', path: `${GADGETS}/${name}` })
  const watch = (query: string) =>
    callRaw(api.kubeconfig, { path: `${GADGETS}?watch=true&${query}` })
  const version = async () => listIn(await get(GADGETS)).metadata.resourceVersion
  const untilSeen = (stream: RawAnswer, count: number) =>
    until(
      `${count} events`,
      async () => seenIn(stream),
      (seen) => seen.length >= count,
    )

  describe('lists', () => {
    test('are in order, with the version they show', async () => {
      const answer = await get(GADGETS)

      expect(listIn(answer)).toMatchObject({ kind: 'GadgetList', apiVersion: 'tests.example/v1' })
      expect(namesIn(answer)).toEqual(['a', 'b', 'c', 'd'])
      const newest = Math.max(
        ...listIn(answer).items.map(({ metadata }) => Number(metadata.resourceVersion)),
      )
      expect(Number(listIn(answer).metadata.resourceVersion)).toBeGreaterThanOrEqual(newest)
    })

    test('tell the kind of custom objects, and not that of Kubernetes’ own', async () => {
      const { body } = await get(GADGETS)
      const namespaces = listIn(await get('/api/v1/namespaces'))

      expect(body).toHaveProperty('items.0.kind', 'Gadget')
      expect(namespaces.kind).toBe('NamespaceList')
      expect(namespaces.items[0]).not.toHaveProperty('kind')
    })

    test('span all namespaces where none is named', async () => {
      const path = GADGETS.replace('default', 'elsewhere')
      const metadata = { name: 'z' }
      const body = { apiVersion: 'tests.example/v1', kind: 'Gadget', metadata }
      await api.send({ method: 'POST', path, body })

      expect(namesIn(await get(ALL_GADGETS))).toEqual(['a', 'b', 'c', 'd', 'z'])
      expect(namesIn(await get(path))).toEqual(['z'])
    })

    test.each([
      ['color=red', ['a', 'c']],
      ['color==red', ['a', 'c']],
      ['color!=red', ['b', 'd']],
      ['color in (red, blue)', ['a', 'b', 'c']],
      ['color notin (red)', ['b', 'd']],
      ['color', ['a', 'b', 'c']],
      ['!color', ['d']],
      ['color,color!=red', ['b']],
      ['color in (red,blue),color notin (blue)', ['a', 'c']],
      ['color=', []],
    ])('with the label selector %s hold what matches', async (selector, names) => {
      const query = `labelSelector=${encodeURIComponent(selector)}`

      expect(namesIn(await get(`${GADGETS}?${query}`))).toEqual(names)
    })

    test.each([
      ['metadata.name=a', ['a']],
      ['metadata.name!=a', ['b', 'c', 'd']],
      ['metadata.namespace=default,metadata.name==b', ['b']],
      ['metadata.namespace=elsewhere', []],
    ])('with the field selector %s hold what matches', async (selector, names) => {
      const query = `fieldSelector=${encodeURIComponent(selector)}`

      expect(namesIn(await get(`${GADGETS}?${query}`))).toEqual(names)
    })

    test.each(['labelSelector=a+in', 'labelSelector=a+b', 'fieldSelector=spec.x%3D1', 'limit=x'])(
      'are refused for %s',
      async (query) => {
        expect(await get(`${GADGETS}?${query}`)).toMatchObject({
          status: 400,
          body: { kind: 'Status', reason: 'BadRequest' },
        })
      },
    )

    test('come in pages that all show the same moment', async () => {
      const first = await get(`${GADGETS}?limit=2`)
      await create('bb')
      await remove('c')
      const { metadata } = listIn(first)
      const second = await get(`${GADGETS}?limit=2&continue=${metadata.continue}`)

      expect([namesIn(first), namesIn(second)]).toEqual([
        ['a', 'b'],
        ['c', 'd'],
      ])
      expect(metadata.remainingItemCount).toBe(2)
      expect(listIn(second).metadata.resourceVersion).toBe(metadata.resourceVersion)
      expect(listIn(second).metadata.continue || undefined).toBeUndefined()
      expect(namesIn(await get(GADGETS))).toEqual(['a', 'b', 'bb', 'd'])
    })

    test('can be asked for as they were', async () => {
      const before = await version()
      await remove('a')

      const exact = `resourceVersion=${before}&resourceVersionMatch=Exact`
      expect(namesIn(await get(`${GADGETS}?${exact}`))).toEqual(['a', 'b', 'c', 'd'])
      const notOlder = `resourceVersion=${before}&resourceVersionMatch=NotOlderThan`
      expect(namesIn(await get(`${GADGETS}?${notOlder}`))).toEqual(['b', 'c', 'd'])
    })

    test('are not to be had from the future', async () => {
      expect(await get(`${GADGETS}?resourceVersion=999999`)).toMatchObject({
        status: 504,
        body: {
          reason: 'Timeout',
          details: { causes: [{ reason: 'ResourceVersionTooLarge' }], retryAfterSeconds: 1 },
        },
      })
    })

    test('are not continued from a token that is none', async () => {
      expect(await get(`${GADGETS}?continue=nonsense`)).toMatchObject({ status: 400 })
    })
  })

  describe('watches', () => {
    test('send what happened since a version, and what happens then', async () => {
      const from = await version()
      await create('e')
      const stream = await watch(`resourceVersion=${from}`)
      await untilSeen(stream, 1)
      await paint('e', 'green')
      const { metadata } = listIn(await paint('e', 'red'))
      await remove('e')

      expect(stream.headers['content-type']).toBe('application/json')
      expect(await untilSeen(stream, 4)).toEqual([
        'ADDED e',
        'MODIFIED e',
        'MODIFIED e',
        'DELETED e',
      ])
      const versions = eventsIn(stream).map(({ object }) => Number(object.metadata.resourceVersion))
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
      expect(versions[2]).toBe(Number(metadata.resourceVersion))
      stream.close()
    })

    test('begin with what there is, where no version is named', async () => {
      for (const query of ['', 'resourceVersion=0']) {
        const stream = await watch(query)
        const there = ['ADDED a', 'ADDED b', 'ADDED c', 'ADDED d']
        expect((await untilSeen(stream, 4)).sort()).toEqual(there)
        stream.close()
      }
    })

    test('see what begins and what ceases to match come and go', async () => {
      const stream = await watch(`resourceVersion=${await version()}&labelSelector=color%3Dred`)
      await paint('a', 'blue')
      await paint('b', 'red')
      await change('b', { spec: { x: 1 } })
      await paint('d', 'green')
      await remove('c')

      const seen = await untilSeen(stream, 4)
      expect(seen).toEqual(['DELETED a', 'ADDED b', 'MODIFIED b', 'DELETED c'])
      // What goes is shown as it was when it still matched, at the version at which it went.
      const [gone] = eventsIn(stream)
      expect(gone?.object.metadata.labels).toEqual({ color: 'red' })
      const { metadata } = listIn(await get(`${GADGETS}/a`))
      expect(gone?.object.metadata.resourceVersion).toBe(metadata.resourceVersion)
      stream.close()
    })

    test('of one name see no other', async () => {
      const stream = await watch('fieldSelector=metadata.name%3Db')
      await paint('a', 'green')
      await paint('b', 'green')

      expect(await untilSeen(stream, 2)).toEqual(['ADDED b', 'MODIFIED b'])
      stream.close()
    })

    test('show the last finalizer go as a deletion', async () => {
      await change('a', { metadata: { finalizers: ['tests.example/hold'] } })
      const stream = await watch(`resourceVersion=${await version()}`)
      await remove('a')
      await change('a', { metadata: { finalizers: null } })

      expect(await untilSeen(stream, 2)).toEqual(['MODIFIED a', 'DELETED a'])
      stream.close()
    })

    test('end when their time is over, with a bookmark for those who asked', async () => {
      const from = `resourceVersion=${await version()}`
      const stream = await watch(`${from}&timeoutSeconds=3&allowWatchBookmarks=true`)
      await paint('a', 'green')

      expect(await stream.ended).toBe('complete')
      const [changed, ...bookmarks] = eventsIn(stream)
      expect(changed?.type).toBe('MODIFIED')
      expect([...new Set(bookmarks.map(({ type }) => type))]).toEqual(['BOOKMARK'])
      expect(bookmarks.at(-1)?.object).toEqual({
        kind: 'Gadget',
        apiVersion: 'tests.example/v1',
        metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
      })
      const versions = [changed, ...bookmarks].map((one) =>
        Number(one?.object.metadata.resourceVersion),
      )
      expect(versions).toEqual(versions.toSorted((a, b) => a - b))
    })

    test('tell the end of what there was, to those who asked for that', async () => {
      const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
      const stream = await watch(`${initial}&allowWatchBookmarks=true`)

      await untilSeen(stream, 5)
      expect(eventsIn(stream)[4]).toMatchObject({
        type: 'BOOKMARK',
        object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
      })
      stream.close()
      const refused = await watch('sendInitialEvents=true')
      expect(refused.status).toBe(422)
      refused.close()
    })

    test('from a version that is forgotten get an error, and end', async () => {
      const stream = await watch('resourceVersion=1')

      expect(await stream.ended).toBe('complete')
      expect(stream.status).toBe(200)
      expect(stream.lines).toEqual([
        {
          type: 'ERROR',
          object: {
            ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
            message: expect.stringMatching(/^too old resource version: 1 \(\d+\)$/),
            reason: 'Expired',
            code: 410,
          },
        },
      ])
    })

    test('from the future are silent', async () => {
      const stream = await watch('resourceVersion=999999&timeoutSeconds=1')
      await paint('a', 'green')

      expect(await stream.ended).toBe('complete')
      expect(stream).toMatchObject({ status: 200, text: '' })
    })
  })
})
