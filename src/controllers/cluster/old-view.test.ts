import { expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ownedBy } from '#runtime/controller.ts'
import { aReader } from '#test/a-reader.ts'
import { aCluster, aWorker } from '#test/builders.ts'
import { observe } from './observe.ts'
import { isOldView } from './old-view.ts'

const seen = (metadata = {}): Cluster => {
  const { spec, ...cluster } = aCluster({ metadata: { generation: 3, ...metadata } })
  const { worker: _, ...without } = spec ?? {}
  return { ...cluster, spec: without }
}
const worker = (metadata = {}) =>
  aWorker({ metadata: { name: 'prod', ownerReferences: [ownedBy(Cluster, seen())], ...metadata } })

/** Whether the view is old, and what the API was asked, which has this cluster. */
async function judged(live: Cluster | undefined, cluster = seen(), pool = worker()) {
  const { read, asked } = aReader({ cached: [pool], live: live ? [live] : [] })
  return { isOld: await isOldView(cluster, observe(cluster, read), read), asked }
}

test('workers are removed only by the spec that the API has', async () => {
  expect(await judged(seen())).toEqual({ isOld: false, asked: ['TalosCluster prod'] })
  expect((await judged(seen({ generation: 4 }))).isOld).toBe(true)
  expect((await judged(seen({ uid: 'another' }))).isOld).toBe(true)
  expect((await judged(undefined)).isOld).toBe(true)
})

test('nobody asks where no workers go because of it', async () => {
  const LEAVING = { deletionTimestamp: '2030-01-01T00:00:00Z' }
  const nothing = { isOld: false, asked: [] }

  expect(await judged(seen({ generation: 4 }), aCluster())).toEqual(nothing)
  expect(await judged(seen({ generation: 4 }), seen(LEAVING))).toEqual(nothing)
  expect(await judged(seen({ generation: 4 }), seen(), worker(LEAVING))).toEqual(nothing)
})
