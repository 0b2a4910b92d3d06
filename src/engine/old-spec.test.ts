import { expect, test } from 'vitest'
import { MACHINE_UUID } from '#api/labels.ts'
import { Worker } from '#api/worker.ts'
import type { Fetched } from '#runtime/fetch-any.ts'
import { aMachine, aWorker } from '#test/builders.ts'
import { isOldSpec } from './old-spec.ts'

const NOTHING = {
  ...{ missing: [], changed: [], same: [], known: [], surplus: [], taken: [], waiting: [] },
}
const surplus = [aMachine({ metadata: { annotations: { [MACHINE_UUID]: 'uuid-1' } } })]
const pool = { ...NOTHING, surplus }
const seen = aWorker({ metadata: { generation: 3 } })

const judged = (live: Worker | undefined, plan = pool, worker = seen) => {
  const answer: Fetched = live ? { is: 'found', object: live } : { is: 'absent' }
  return isOldSpec(Worker, worker, { pool: plan, read: { fetchAny: async () => answer } })
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
