import { expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { ownedBy } from '#runtime/controller.ts'
import { aReader } from '#test/a-reader.ts'
import {
  aCluster,
  aControlPlane,
  aKubernetesCluster,
  aWorker,
  type Overrides,
} from '#test/builders.ts'
import { aClaimedMachine, aMember, aWaiting, NOW, OTHER_UUID } from '#test/machine-world.ts'
import { lookAbove } from './look-above.ts'
import type { Seen } from './world.ts'

const leaving = aClaimedMachine({}, { metadata: { deletionTimestamp: NOW.toISOString() } })
const policy = { deletionPolicy: 'preserve' as const }
const disabled = { annotations: { [RECONCILE_MODE]: 'disable' } }

const owners = {
  ownerReferences: [
    ownedBy(Cluster, aCluster()),
    ownedBy(KubernetesCluster, aKubernetesCluster({ metadata: { name: 'shape' } })),
  ],
}
const controlPlane = (over: Overrides<ReturnType<typeof aControlPlane>> = {}) =>
  aControlPlane({ ...over, metadata: { ...owners, ...over.metadata } })
const worker = aWorker({ metadata: owners })
const shape = (metadata = {}) => aKubernetesCluster({ metadata: { name: 'shape', ...metadata } })
const CACHED = [controlPlane(), worker, aCluster(), shape()]

interface Asked {
  of?: Machine
  seen?: Seen
  inPool?: boolean
}

/** The API has these instead of what the caches show. */
const above = (
  live: readonly KubeObject[],
  { of = leaving, seen = aMember(), inPool = false }: Asked = {},
) => {
  const others = CACHED.filter(({ kind }) => live.every((one) => one.kind !== kind))
  const { read, asked } = aReader({ cached: CACHED, live: [...live, ...others] })
  const parent = {
    ...{ is: 'there' as const, controlPlane: controlPlane() },
    ...(inPool && { worker }),
  }
  return lookAbove(of, { parent, seen }, read).then((found) => ({ ...found, asked }))
}

const keepingCluster = (part: 'controlPlane' | 'worker') => {
  const { spec = {} } = aCluster()
  return aCluster({ spec: { ...spec, [part]: { ...spec[part], ...policy } } })
}

test('a machine that is about to be wiped is kept by its control plane or pool, and by the cluster of that', async () => {
  expect(await above([])).toMatchObject({ keptBy: undefined, isUnseen: false })
  expect(await above([controlPlane({ spec: policy })])).toMatchObject({
    keptBy: 'TalosControlPlane prod',
  })
  expect(await above([keepingCluster('controlPlane')])).toMatchObject({
    keptBy: 'TalosCluster prod',
  })
  expect(await above([keepingCluster('worker')], { inPool: true })).toMatchObject({
    keptBy: 'TalosCluster prod',
  })
})

test('what is said of the other part of a cluster is not said of it', async () => {
  expect((await above([keepingCluster('worker')])).keptBy).toBeUndefined()
  expect((await above([controlPlane({ spec: policy })], { inPool: true })).keptBy).toBeUndefined()
})

test.each([
  ['its control plane', controlPlane({ metadata: disabled })],
  ['the cluster of that', aCluster({ metadata: disabled })],
  ['the cluster by its shape', shape(disabled)],
])('a mode of %s that no cache shows yet is found', async (_whose, live) => {
  expect((await above([live])).isUnseen).toBe(true)
})

test('a mode that the caches show, too, is for the runtime to mind', async () => {
  const cached = [controlPlane(), aCluster({ metadata: disabled })]
  const { read } = aReader({ cached })
  const parent = { is: 'there' as const, controlPlane: controlPlane() }

  expect((await lookAbove(leaving, { parent, seen: aMember() }, read)).isUnseen).toBe(false)
})

test('a parent that is gone is one that no cache shows as it is', async () => {
  const { read } = aReader({ cached: CACHED, live: [] })
  const parent = { is: 'there' as const, controlPlane: controlPlane() }

  expect(await lookAbove(leaving, { parent, seen: aMember() }, read)).toEqual({ isUnseen: true })
})

test.each([
  ['stays', { of: aClaimedMachine() }],
  ['waits already', { seen: aWaiting() }],
  ['is another one', { seen: aMember({ uuid: OTHER_UUID }) }],
])('nobody asks for a machine that %s', async (_what, how) => {
  expect((await above([controlPlane({ spec: policy })], how)).asked).toEqual([])
})
