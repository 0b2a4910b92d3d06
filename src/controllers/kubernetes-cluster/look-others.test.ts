import { expect, test } from 'vitest'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { KubeObject } from '#api/meta.ts'
import { ownedBy } from '#runtime/controller.ts'
import { aReader } from '#test/a-reader.ts'
import { aControlPlane, aKubernetesCluster, aWorker } from '#test/builders.ts'
import { allMade, aWorldOf, NO_PARTS } from '#test/kubernetes-cluster-world.ts'
import { lookAtOthers } from './look-others.ts'
import type { TalosSeen } from './world.ts'

const cluster = aKubernetesCluster()
const ownerReferences = [ownedBy(KubernetesCluster, cluster)]

const controlPlane = aControlPlane({ metadata: { name: 'prod', ownerReferences } })
const pool = aWorker({ metadata: { name: 'prod-workers', ownerReferences } })
const theirs = aWorker({ metadata: { name: 'prod-workers' } })

/** What is seen of others by who is shown these parts of its own, where the API has all of that. */
async function look(talos: TalosSeen, live: readonly KubeObject[]) {
  const { judged, wanted } = aWorldOf(cluster)
  const shape = 'shape' in judged ? judged.shape : undefined
  const { read, asked } = aReader({ cached: [], live })
  const machines = allMade(cluster)
  return { seen: await lookAtOthers(cluster, { shape, wanted, machines, talos }, read), asked }
}

test('a pool of its own that no cache shows is found, whether or not its control plane is shown', async () => {
  const live = [controlPlane, pool]

  expect((await look({ ...NO_PARTS, controlPlane }, live)).seen).toMatchObject({
    ...{ workers: [pool], taken: [] },
  })
  expect((await look(NO_PARTS, live)).seen).toMatchObject({
    ...{ controlPlane, workers: [pool], taken: [] },
  })
})

test('a pool of somebody else is in the way, though no cache shows anything', async () => {
  const { seen } = await look(NO_PARTS, [controlPlane, theirs])

  expect(seen).toMatchObject({
    ...{ workers: [], taken: [{ what: 'TalosWorker prod-workers', owner: undefined }] },
  })
})

test('nobody asks for pools before there is a control plane', async () => {
  expect((await look(NO_PARTS, [theirs])).asked).toEqual(['TalosControlPlane prod'])
})

test('whether the spec is an old one is asked where only a pool that no cache shows has more than it wants', async () => {
  const entry = { machineRef: { apiVersion: 'v1', kind: 'Machine', name: 'prod-workers-9' } }
  const larger = aWorker({ ...pool, spec: { ...pool.spec, metalSpec: { machines: [entry] } } })

  expect((await look(NO_PARTS, [controlPlane, larger])).asked).toContain('KubernetesCluster prod')
})
