import { expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import type { KubeObject } from '#api/meta.ts'
import { ownedBy } from '#runtime/controller.ts'
import { aReader } from '#test/a-reader.ts'
import { aCluster, aControlPlane, aWorker } from '#test/builders.ts'
import { observe } from './observe.ts'
import { unseenPart } from './unseen-parts.ts'

const LEAVING = { deletionTimestamp: '2030-01-01T00:00:00Z' }
const leaving = aCluster({ metadata: LEAVING })
const owned = { name: 'prod', ownerReferences: [ownedBy(Cluster, leaving)] }
const controlPlane = aControlPlane({ metadata: owned })
const worker = aWorker({ metadata: owned })

/** What is not seen of a cluster, where the caches show some objects and the API has others; and what that was asked. */
async function looked(
  cluster: Cluster,
  cached: readonly KubeObject[],
  live: readonly KubeObject[],
) {
  const { read, asked } = aReader({ cached, live })
  return { unseen: await unseenPart(cluster, observe(cluster, read), read), asked }
}

test('workers that only the API has are not gone', async () => {
  expect(await looked(leaving, [controlPlane], [controlPlane, worker])).toEqual({
    ...{ unseen: 'TalosWorker prod', asked: ['TalosWorker prod'] },
  })
})

test('a control plane that only the API has is not gone', async () => {
  expect((await looked(leaving, [], [controlPlane])).unseen).toBe('TalosControlPlane prod')
})

test('workers are asked for first, and nobody asks for the control plane while there are some', async () => {
  expect(await looked(leaving, [], [controlPlane, worker])).toEqual({
    ...{ unseen: 'TalosWorker prod', asked: ['TalosWorker prod'] },
  })
})

test('a cluster whose spec has no workers any more may still have some', async () => {
  const { spec, ...rest } = leaving
  const { worker: _, ...without } = spec ?? {}

  expect((await looked({ ...rest, spec: without }, [], [worker])).unseen).toBe('TalosWorker prod')
})

test('what the API does not have either is gone', async () => {
  expect(await looked(leaving, [], [])).toEqual({
    ...{ unseen: undefined, asked: ['TalosWorker prod', 'TalosControlPlane prod'] },
  })
})

test('what has its name and is a stranger’s does not count', async () => {
  const strangers = [aControlPlane(), aWorker({ metadata: { name: 'prod' } })]

  expect((await looked(leaving, [], strangers)).unseen).toBeUndefined()
})

test('nobody asks for what the caches show', async () => {
  expect(await looked(leaving, [controlPlane, worker], [])).toEqual({
    unseen: undefined,
    asked: [],
  })
  expect((await looked(leaving, [controlPlane], [])).asked).toEqual(['TalosWorker prod'])
})

test('nobody asks anything of a cluster that stays', async () => {
  expect(await looked(aCluster(), [], [controlPlane, worker])).toEqual({
    ...{ unseen: undefined, asked: [] },
  })
})
