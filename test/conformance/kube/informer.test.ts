import { expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import type { ForeignKind, KubeObject } from '#api/meta.ts'
import { systemClock } from '#base/clock.ts'
import { Informer } from '#kube/informer.ts'
import { anApi } from '#test/an-api.ts'
import { startMisbehaving } from '#test/misbehaving/front.ts'
import { until } from '#test/until.ts'
import { clientOf } from './client-of.ts'
import { informerContract } from './informer-contract.ts'

informerContract({ name: 'embedded API', start: () => anApi() })

test('nobody gets a copy of all Secrets or ConfigMaps', async () => {
  await using api = await anApi()
  const client = await clientOf(api)

  expect(() => new Informer({ client, clock: systemClock, kind: ConfigMap })).toThrow(
    'configmaps are only watched by name or by label',
  )
  client.close()
})

test('an informer of some namespaces knows those, and is synced when all of them are', async () => {
  await using api = await anApi()
  const client = await clientOf(api)
  const labels = { watched: 'yes' }
  for (const namespace of ['one', 'two', 'three']) {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
    await api.send({ method: 'POST', path: '/api/v1/namespaces', body })
    await client.create(ConfigMap, { metadata: { namespace, name: 'a', labels } })
  }
  const informer = new Informer({
    client,
    clock: systemClock,
    kind: ConfigMap,
    namespaces: ['one', 'two'],
    labelSelector: 'watched=yes',
  })
  const stop = new AbortController()
  const running = informer.run(stop.signal)

  await informer.whenSynced(AbortSignal.timeout(10_000))

  expect([...informer.cache.values()].map(({ metadata }) => metadata.namespace).sort()).toEqual([
    'one',
    'two',
  ])
  stop.abort()
  await running
  client.close()
})

const Namespace: ForeignKind<KubeObject> = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
}

test('objects of no namespace are watched once, and seen to go, whatever namespaces are named', async () => {
  await using api = await startMisbehaving(anApi)
  const client = await clientOf(api)
  await client.create(Namespace, { metadata: { name: 'short-lived' } })
  const clock = systemClock
  const informer = new Informer({ client, clock, kind: Namespace, namespaces: ['one', 'two'] })
  const stop = new AbortController()
  const running = informer.run(stop.signal)
  await informer.whenSynced(AbortSignal.timeout(10_000))
  expect(informer.cache.get('short-lived')).toBeDefined()
  await until(
    'one watch',
    async () => api.watchers,
    (count) => count === 1,
  )

  await client.remove(Namespace, { name: 'short-lived' })

  const look = async () => informer.cache.get('short-lived')
  await until('it to go', look, (seen) => seen === undefined)
  stop.abort()
  await running
  client.close()
})
