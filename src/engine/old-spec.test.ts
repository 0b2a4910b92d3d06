import { expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { MACHINE_UUID } from '#api/labels.ts'
import { Worker } from '#api/worker.ts'
import { ownedBy } from '#runtime/controller.ts'
import type { Fetched } from '#runtime/fetch-any.ts'
import type { Reader } from '#runtime/reader.ts'
import { aCluster, aMachine, aWorker } from '#test/builders.ts'
import { isOldSpec } from './old-spec.ts'

const NOTHING = {
  ...{ missing: [], changed: [], same: [], known: [], surplus: [], taken: [], waiting: [] },
}
const surplus = [aMachine({ metadata: { annotations: { [MACHINE_UUID]: 'uuid-1' } } })]
const pool = { ...NOTHING, surplus }
const seen = aWorker({ metadata: { generation: 3 } })

const judged = (live: Worker | undefined, plan = pool, worker = seen) => {
  const answer: Fetched = live ? { is: 'found', object: live } : { is: 'absent' }
  const read = { fetchAny: async () => answer, get: () => undefined }
  return isOldSpec(Worker, worker, { pool: plan, read })
}

test('a spec is as old as the API says', async () => {
  expect(await judged(seen)).toBe(false)
  expect(await judged(aWorker({ metadata: { generation: 4 } }))).toBe(true)
  expect(await judged(aWorker({ metadata: { generation: 3, uid: 'another' } }))).toBe(true)
  expect(await judged(undefined)).toBe(true)
})

test('nobody asks where no machine goes because of it', async () => {
  const newer = aWorker({ metadata: { generation: 4 } })
  const leaving = aWorker({ metadata: { generation: 3, deletionTimestamp: '2030-01-01' } })

  expect(await judged(newer, NOTHING)).toBe(false)
  expect(await judged(newer, pool, leaving)).toBe(false)
})

test.each([
  [3, false],
  [2, true],
  [undefined, true],
])('a part is as old as its cluster, which is seen at %s', async (generation, isOld) => {
  const cluster = (at: number) => aCluster({ metadata: { generation: at } })
  const ownerReferences = [ownedBy(Cluster, cluster(3))]
  const part = aWorker({ metadata: { generation: 3, ownerReferences } })
  const read = {
    fetchAny: async ({ kind }: { kind: string }): Promise<Fetched> => ({
      ...{ is: 'found', object: kind === Cluster.kind ? cluster(3) : part },
    }),
    get: () => (generation === undefined ? undefined : cluster(generation)),
  } as unknown as Reader // as far as it is asked

  expect(await isOldSpec(Worker, part, { pool, read })).toBe(isOld)
})

test.each([
  ['still wants them', ['192.0.2.21'], false],
  ['wants others by now', ['192.0.2.21', '192.0.2.22'], true],
])('a part is old whose cluster %s', async (_what, addresses, isOld) => {
  const { spec } = aWorker()
  const metalSpec = { machines: addresses.map((address) => ({ address })) }
  const cluster = aCluster({ ...(spec && { spec: { worker: { ...spec, metalSpec } } }) })
  const part = aWorker({
    metadata: { ownerReferences: [ownedBy(Cluster, cluster)] },
    spec: { metalSpec: { machines: [{ address: '192.0.2.21' }] } },
  })
  const read = {
    fetchAny: async ({ kind }: { kind: string }): Promise<Fetched> => ({
      ...{ is: 'found', object: kind === Cluster.kind ? cluster : part },
    }),
    get: () => cluster,
  } as unknown as Reader // as far as it is asked

  expect(await isOldSpec(Worker, part, { pool, read })).toBe(isOld)
})
