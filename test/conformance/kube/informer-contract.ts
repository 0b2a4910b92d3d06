import { describe, expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import type { Api } from '#test/conformance/apis.ts'
import { until } from '#test/until.ts'
import { clientOfBlock } from './client-of.ts'
import { follow } from './follower.ts'

const namespace = 'default'
const labels = { watched: 'yes' }

/** What an informer promises, whichever API it talks to. Faults are in faults-contract.ts. */
export const informerContract = ({ name, start }: Api) =>
  describe(`an informer on ${name}`, () => {
    const client = clientOfBlock(start)

    test('knows what was there before, and every change after', async () => {
      const put = (object: string, data: Record<string, string>) =>
        client().apply(
          ConfigMap,
          { metadata: { namespace, name: object, labels }, data },
          { fieldManager: 'test' },
        )
      await put('before', { a: '1' })
      await using follower = follow(client())
      await follower.informer.whenSynced(AbortSignal.timeout(20_000))

      await put('after', { a: '1' })
      await put('after', { a: '2' })
      await client().remove(ConfigMap, { namespace, name: 'before' })
      await until(
        'the changes',
        async () => follower.told,
        (told) => told.includes('removed before'),
      )

      expect(follower.told).toEqual([
        'added before',
        'added after',
        'changed after',
        'removed before',
      ])
      expect(follower.informer.cache.get('default/after')?.data).toEqual({ a: '2' })
    })

    test('sees an object go that no longer has the label it is watched by', async () => {
      await client().create(ConfigMap, { metadata: { namespace, name: 'fickle', labels } })
      await using follower = follow(client())
      await follower.informer.whenSynced(AbortSignal.timeout(20_000))

      await client().patch(
        ConfigMap,
        { namespace, name: 'fickle' },
        { type: 'merge', body: { metadata: { labels: null } } },
      )

      const look = async () => follower.informer.cache.get('default/fickle')
      expect(await until('it to go', look, (seen) => seen === undefined)).toBeUndefined()
    })
  })
