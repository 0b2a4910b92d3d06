import { describe, expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { Worker } from '#api/worker.ts'
import type { Api } from '#test/conformance/apis.ts'
import { clientOfBlock } from './client-of.ts'

const namespace = 'default'
const fieldManager = 'talos-operator'

/** What our client promises, whichever API it talks to. */
export const clientContract = ({ name, start }: Api) =>
  describe(`the client on ${name}`, () => {
    const client = clientOfBlock(start)

    const aConfigMap = (name: string, data: Record<string, string> = {}) =>
      client().create(ConfigMap, { metadata: { namespace, name }, data })

    test('what is created can be read, with everything the server adds', async () => {
      const created = await aConfigMap('created', { a: '1' })

      expect(created.metadata.uid).toBeTruthy()
      expect(await client().get(ConfigMap, { namespace, name: 'created' })).toEqual(created)
    })

    test('what is not there is NotFound, in a sentence', async () => {
      await expect(client().get(ConfigMap, { namespace, name: 'missing' })).rejects.toMatchObject({
        status: 404,
        reason: 'NotFound',
        message: 'could not get configmaps default/missing: configmaps "missing" not found',
      })
    })

    test('what is there already is AlreadyExists', async () => {
      await aConfigMap('twice')

      await expect(aConfigMap('twice')).rejects.toMatchObject({ reason: 'AlreadyExists' })
    })

    test('a name can be left to the server', async () => {
      const { metadata } = await client().create(ConfigMap, {
        metadata: { namespace, generateName: 'made-up-' },
      })

      expect(metadata.name).toMatch(/^made-up-\w+/)
    })

    test('an update of an old version is a Conflict', async () => {
      const old = await aConfigMap('contested')
      await client().update(ConfigMap, { ...old, data: { a: 'first' } })

      await expect(
        client().update(ConfigMap, { ...old, data: { a: 'second' } }),
      ).rejects.toMatchObject({ status: 409, reason: 'Conflict' })
    })

    test('each type of patch does its own thing', async () => {
      await aConfigMap('patched', { a: '1', b: '2' })
      const ref = { namespace, name: 'patched' }

      const merged = await client().patch(ConfigMap, ref, {
        type: 'merge',
        body: { data: { a: null } },
      })
      expect(merged.data).toEqual({ b: '2' })
      const added = await client().patch(ConfigMap, ref, {
        type: 'json',
        body: [{ op: 'add', path: '/data/c', value: '3' }],
      })
      expect(added.data).toEqual({ b: '2', c: '3' })
      const strategic = await client().patch(ConfigMap, ref, {
        type: 'strategic',
        body: { data: { d: '4' } },
      })
      expect(strategic.data).toEqual({ b: '2', c: '3', d: '4' })
    })

    test('applying owns fields: what is left out goes, what others own is a Conflict unless forced', async () => {
      const metadata = { namespace, name: 'applied' }
      await client().apply(ConfigMap, { metadata, data: { a: '1', b: '2' } }, { fieldManager })

      const again = await client().apply(
        ConfigMap,
        { metadata, data: { a: '1' } },
        { fieldManager },
      )
      expect(again.data).toEqual({ a: '1' })

      const other = { metadata, data: { a: 'mine' } }
      const byOther = { fieldManager: 'somebody-else' }
      await expect(client().apply(ConfigMap, other, byOther)).rejects.toMatchObject({
        reason: 'Conflict',
      })
      const forced = await client().apply(ConfigMap, other, { ...byOther, force: true })
      expect(forced.data).toEqual({ a: 'mine' })
    })

    test('a dry run changes nothing', async () => {
      const options = { dryRun: true }

      await client().create(ConfigMap, { metadata: { namespace, name: 'dry' } }, options)

      await expect(client().get(ConfigMap, { namespace, name: 'dry' })).rejects.toMatchObject({
        reason: 'NotFound',
      })
    })

    test('status is written on its own', async () => {
      const created = await client().apply(
        Worker,
        { metadata: { namespace, name: 'pool' }, spec: { mode: 'metal', metalSpec: {} } },
        { fieldManager },
      )

      const updated = await client().apply(
        Worker,
        { metadata: { namespace, name: 'pool' }, status: { state: 'Pending' } },
        { fieldManager, subresource: 'status' },
      )

      expect(updated.status).toEqual({ state: 'Pending' })
      expect(updated.metadata.generation).toBe(created.metadata.generation)
    })

    test('what the server objects to is told field by field', async () => {
      const draft = { metadata: { namespace, name: 'wrong' }, spec: { version: '1' } }

      const creating = client().create(Worker, draft)

      await expect(creating).rejects.toMatchObject({
        reason: 'Invalid',
        causes: expect.arrayContaining([expect.objectContaining({ field: 'spec.version' })]),
      })
    })

    test('only the very object that is meant is deleted', async () => {
      const { metadata } = await aConfigMap('precious')
      const ref = { namespace, name: 'precious' }

      const wrong = { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } }
      await expect(client().remove(ConfigMap, ref, wrong)).rejects.toMatchObject({
        reason: 'Conflict',
      })
      await client().remove(ConfigMap, ref, {
        preconditions: { uid: metadata.uid ?? '' },
        propagation: 'Background',
      })

      await expect(client().get(ConfigMap, ref)).rejects.toMatchObject({ reason: 'NotFound' })
    })

    test('a list comes in pages and is whole', { timeout: 120_000 }, async () => {
      const names = Array.from({ length: 1_100 }, (_, index) => `many-${index}`)
      const labels = { many: 'yes' }
      await Promise.all(
        names.map((name) => client().create(ConfigMap, { metadata: { namespace, name, labels } })),
      )

      const sizes: number[] = []
      const selection = { namespace, labelSelector: 'many=yes' }
      for await (const { items } of client().pages(ConfigMap, selection)) sizes.push(items.length)
      const { items, resourceVersion } = await client().list(ConfigMap, selection)
      const since = await client().list(ConfigMap, { ...selection, notOlderThan: resourceVersion })

      expect(sizes).toEqual([500, 500, 100])
      expect(since.items).toEqual(items)
      expect(new Set(items.map(({ metadata }) => metadata.name))).toEqual(new Set(names))
      expect(resourceVersion).toMatch(/^\d+$/)
    })

    test('a call that is aborted ends with the reason it was given', async () => {
      const reason = new Error('shutting down')

      await expect(
        client().list(ConfigMap, {}, { signal: AbortSignal.abort(reason) }),
      ).rejects.toBe(reason)
    })

    test('other paths can be read as they are', async () => {
      expect(JSON.parse(await client().read('/version'))).toHaveProperty('gitVersion')
    })
  })
