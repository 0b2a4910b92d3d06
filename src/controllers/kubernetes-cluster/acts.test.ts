import { expect, test } from 'vitest'
import { aWriter } from '#test/a-writer.ts'
import { aControlPlane, aKubernetesCluster, aWorker } from '#test/builders.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { allMade, aWorldOf, NO_PARTS } from '#test/kubernetes-cluster-world.ts'
import { acts } from './acts.ts'
import { CreationTries } from './creation-tries.ts'
import type { World } from './world.ts'

const cluster = aKubernetesCluster()
const nobody = async () => expect.fail('nobody asks for that here')
const results = { look: nobody, write: nobody, remove: nobody }

const tries = new CreationTries()
const all = acts(
  {
    ...{ clock: new FakeClock(), newBundle: nobody },
    provided: { results, tally: { machineGenerated: () => undefined }, resyncMs: 1 },
  },
  tries,
)

/** The version over which a part would be written. */
async function versionOf(talos: World['talos'], group: string): Promise<unknown> {
  const { written, write } = aWriter()
  const on = {
    resource: cluster,
    world: aWorldOf(cluster, { machines: allMade(cluster), talos }),
    write,
  }
  const part = { name: group, machines: [], isNew: false }
  if (group === 'prod') await all.applyControlPlane({ do: 'applyControlPlane', ...part }, on)
  else await all.applyWorker({ do: 'applyWorker', group, ...part }, on)
  return Object(written[0]?.what).metadata.resourceVersion
}

test('a part that is there is written over the version that was looked at, or not at all', async () => {
  const resourceVersion = '7'
  const seen = {
    controlPlane: aControlPlane({ metadata: { name: 'prod', resourceVersion } }),
    workers: [aWorker({ metadata: { name: 'prod-workers', resourceVersion } })],
    machines: [],
  }

  expect(await versionOf(seen, 'prod')).toBe('7')
  expect(await versionOf(seen, 'prod-workers')).toBe('7')
})

test('what was not seen is written only where nothing is: no object has the first version of a store', async () => {
  const seen = { ...NO_PARTS, controlPlane: aControlPlane({ metadata: { name: 'prod' } }) }

  expect(await versionOf(seen, 'prod-workers')).toBe('1')
  expect(await versionOf(NO_PARTS, 'prod')).toBe('1')
})

test('what is let go by force is the object that was looked at, and not whoever has its name by now', async () => {
  const { written, write } = aWriter()
  const on = { resource: cluster, world: aWorldOf(cluster), write }
  const part = { part: 'TalosWorker' as const, name: 'prod-workers', uid: 'uid-1' }
  await all.forcePart({ do: 'forcePart', ...part }, on)
  await all.forceTalosMachine({ do: 'forceTalosMachine', name: 'one', uid: 'uid-2' }, on)

  expect(written.map(({ what }) => Object(what).body.metadata.uid)).toEqual(['uid-1', 'uid-2'])
})

test('A33: Machines are made and changed like that, too', async () => {
  const { written, write } = aWriter()
  const [first] = allMade(cluster)
  const machines = first
    ? [{ ...first, metadata: { ...first.metadata, resourceVersion: '7' } }]
    : []
  const on = { resource: cluster, world: aWorldOf(cluster, { machines }), write }
  await all.updateMachine({ do: 'updateMachine', machine: 'prod-cp-0' }, on)
  await all.createMachine({ do: 'createMachine', machine: 'prod-cp-1', role: 'controlplane' }, on)

  expect(written.map(({ what }) => Object(what).metadata.resourceVersion)).toEqual(['7', '1'])
})

test('R14: which Machines were made is known until the next look, and those that are refused were not', async () => {
  const world = aWorldOf(cluster)
  const make = (machine: string, write = aWriter().write) =>
    all.createMachine(
      { do: 'createMachine', machine, role: 'controlplane' },
      { resource: cluster, world, write },
    )
  const refused = { ...aWriter().write, apply: async () => Promise.reject(new Error('refused')) }
  await make('prod-cp-0')
  await expect(make('prod-cp-1', refused)).rejects.toMatchObject({ code: 'MachineCreationError' })

  expect(tries.madeSince(world)).toEqual(['prod-cp-0'])
  expect(tries.madeSince(aWorldOf(cluster))).toEqual([])
})
