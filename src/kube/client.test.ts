import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import type { ForeignKind, KubeObject } from '#api/meta.ts'
import { systemClock } from '#base/clock.ts'
import { startAnsweringServer } from '#test/answering-server.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { isOverBudget } from './api-error.ts'
import { ObjectCache } from './cache.ts'
import { KubeClient } from './client.ts'

const namespace = 'default'
const ref = { namespace, name: 'a' }

/** A client of a server that answers so, with what it was asked. */
async function aClient(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  clock = systemClock,
) {
  const server = await startAnsweringServer(answer)
  const client = new KubeClient({ access: server.access, clock, userAgent: 'test' })
  onTestFinished(async () => {
    client.close()
    await server[Symbol.asyncDispose]()
  })
  return { client, asked: server.asked }
}

const refusing = (code: number, body: object | string) => (_: unknown, response: ServerResponse) =>
  response.writeHead(code).end(typeof body === 'string' ? body : JSON.stringify(body))

describe('finding an object', () => {
  test('yields it', async () => {
    const { client } = await aClient((_, response) => response.end('{"metadata":{"name":"a"}}'))

    expect((await client.find(ConfigMap, ref))?.metadata.name).toBe('a')
  })

  test('yields nothing where the server says that there is none', async () => {
    const status = {
      kind: 'Status',
      reason: 'NotFound',
      details: { name: 'a', kind: 'configmaps' },
    }
    const { client } = await aClient(refusing(404, status))

    expect(await client.find(ConfigMap, ref)).toBeUndefined()
  })

  test.each([
    {
      what: 'a kind that is not served',
      body: { kind: 'Status', reason: 'NotFound', details: {} },
    },
    { what: 'a path that nobody knows', body: '404 page not found\n' },
  ])('fails for $what', async ({ body }) => {
    const { client } = await aClient(refusing(404, body))

    await expect(client.find(ConfigMap, ref)).rejects.toMatchObject({ status: 404 })
  })

  test('fails for any other refusal', async () => {
    const { client } = await aClient(refusing(403, ''))

    await expect(client.find(ConfigMap, ref)).rejects.toMatchObject({ reason: 'Forbidden' })
  })
})

describe('evicting a pod', () => {
  test('posts what the server has to know', async () => {
    const bodies: Promise<string>[] = []
    const { client, asked } = await aClient((request, response) => {
      bodies.push(text(request))
      response.writeHead(201).end('{}')
    })

    await client.evict(ref, { gracePeriodSeconds: 0, preconditions: { uid: 'u' }, dryRun: true })

    expect(asked).toEqual(['POST /api/v1/namespaces/default/pods/a/eviction'])
    expect(JSON.parse((await bodies[0]) ?? '')).toEqual({
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { namespace, name: 'a' },
      deleteOptions: { gracePeriodSeconds: 0, preconditions: { uid: 'u' }, dryRun: ['All'] },
    })
  })

  test('that a budget forbids fails at once, and keeps nobody waiting', async () => {
    const status = {
      kind: 'Status',
      reason: 'TooManyRequests',
      message: 'Cannot evict pod as it would violate the pod’s disruption budget.',
      details: {
        causes: [{ reason: 'DisruptionBudget', message: 'needs 1' }],
        retryAfterSeconds: 9,
      },
    }
    const { client, asked } = await aClient(({ method }, response) => {
      if (method === 'GET') response.end('{}')
      else refusing(429, status)(method, response)
    }, new FakeClock())

    const refused = await client.evict(ref).catch((error: unknown) => error)
    await client.get(ConfigMap, ref)

    expect(refused).toMatchObject({
      status: 429,
      message: expect.stringContaining('could not create pods default/a (eviction): Cannot evict'),
    })
    expect(isOverBudget(refused)).toBe(true)
    expect(asked).toHaveLength(2)
  })

  test('for which the server has no time is tried again', async () => {
    let count = 0
    const { client, asked } = await aClient((_, response) => {
      count += 1
      if (count === 1) response.writeHead(429, { 'retry-after': '0' }).end()
      else response.writeHead(201).end('{}')
    })

    await client.evict(ref)

    expect(asked).toHaveLength(2)
  })
})

const Gadget: ForeignKind<KubeObject> = {
  group: 'tests.example',
  version: 'v1',
  kind: 'Gadget',
  plural: 'gadgets',
  scope: 'Namespaced',
}

test('a write can be a rehearsal in which unknown fields are refused', async () => {
  const { client, asked } = await aClient((_, response) => response.end('{}'))
  const strict = { dryRun: true, fieldValidation: 'Strict', fieldManager: 'me' } as const

  await client.patch(Gadget, ref, { type: 'merge', body: {}, ...strict })

  const path = '/apis/tests.example/v1/namespaces/default/gadgets/a'
  expect(asked).toEqual([`PATCH ${path}?dryRun=All&fieldManager=me&fieldValidation=Strict`])
})

describe('the scale of an object', () => {
  const path = '/apis/tests.example/v1/namespaces/default/gadgets/a/scale'

  test('is read, and what is 0 may be left out', async () => {
    const { client, asked } = await aClient((_, response) =>
      response.end('{"metadata":{"name":"a"},"spec":{},"status":{"selector":"app=a"}}'),
    )

    expect(await client.scale(Gadget, ref)).toEqual({
      metadata: { name: 'a' },
      spec: { replicas: 0 },
      status: { replicas: 0, selector: 'app=a' },
    })
    expect(asked).toEqual([`GET ${path}`])
  })

  test('is written without the rest of the object', async () => {
    const bodies: Promise<string>[] = []
    const { client, asked } = await aClient((request, response) => {
      bodies.push(text(request))
      response.end('{"metadata":{"name":"a"},"spec":{"replicas":3},"status":{"replicas":1}}')
    })

    const scale = await client.setScale(Gadget, ref, { replicas: 3, dryRun: true })

    expect(scale).toMatchObject({ spec: { replicas: 3 }, status: { replicas: 1 } })
    expect(asked).toEqual([`PATCH ${path}?dryRun=All`])
    expect(await bodies[0]).toBe('{"spec":{"replicas":3}}')
  })
})

test('an object from a cache is not to be written back: the compiler refuses it', async () => {
  const { client, asked } = await aClient((_, response) => response.end('{"metadata":{}}'))
  const whole = await client.get(ConfigMap, ref)
  const cache = new ObjectCache<typeof whole>()
  cache.put({ ...whole, metadata: { ...whole.metadata, ...ref } })
  const [cached] = cache.values()
  if (!cached) throw new Error('it is not in the cache')

  await client.update(ConfigMap, { ...whole, metadata: ref })
  await client.update(ConfigMap, { metadata: cached.metadata, data: { ...cached.data } })
  // @ts-expect-error it is from a cache
  await client.update(ConfigMap, cached)
  // @ts-expect-error it is made of what is from a cache
  await client.update(ConfigMap, { ...cached, data: {} })
  // @ts-expect-error all that is in it would become ours
  await client.apply(ConfigMap, cached, { fieldManager: 'test' })

  expect(asked).toHaveLength(6)
})
