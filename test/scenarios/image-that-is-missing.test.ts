import { expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE } from './a-control-plane.ts'
import { wordsFor } from './boundary.ts'
import { untilAsWanted } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { controlPlaneIn, watchedBriefly, workerIn } from './parts.ts'
import { untilSays } from './verdicts.ts'
import { workloadsOf } from './workloads.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000
const POOL = [Worker, 'pool'] as const

/** What was done to nodes since then, in order. */
const nodesSince = ({ history }: World, since: number) =>
  history
    .slice(since)
    .map((call) => wordsFor(call).replace(/^(\d+\.|–) /, ''))
    .filter((words) => /\bnodes?\b/i.test(words))

test.each([
  {
    how: 'in one call, before v1.13',
    ...{ subnet: '127.80.121', versions: QUICK, exists: 'v1.6.8', missing: 'v1.6.77' },
  },
  {
    how: 'beside what runs, since v1.13',
    subnet: '127.80.122',
    versions: { talos: 'v1.13.0', kubernetes: 'v1.34.1' },
    ...{ exists: 'v1.13.1', missing: 'v1.13.77' },
  },
])(
  'a node that was drained for one version takes pods again while the next cannot be fetched: $how',
  {
    timeout: LONG,
  },
  async ({ subnet, versions, exists, missing }) => {
    await using world = await aWorld({ subnet, machines: 2, versions })
    await world.bringSecrets('one')
    // No pool is ahead of its control plane, and that could fetch what its worker cannot.
    const controlPlane = controlPlaneIn(world, 'one', [1])
    const ahead = { ...controlPlane, spec: { ...controlPlane.spec, version: missing } }
    await world.objects.apply(watchedBriefly(ahead))
    await world.objects.apply(
      watchedBriefly(workerIn(world, { name: 'pool', joins: 'one', machines: [2] })),
    )
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    using workloads = await workloadsOf(world, 'one')
    await workloads.deploy('web', 1)
    await world.until('the pod', async () => (await workloads.nodesOf('web')).length === 1)
    await workloads.budget('web', 1)
    const machine = [Machine, `pool-${world.address(2)}`] as const
    const node = world.fleet.machine(world.address(2))?.hostname ?? ''
    const setVersion = (version: string) =>
      world.objects.patch(Worker, 'pool', { spec: { version } })
    await setVersion(exists)
    await untilSays(world, machine, { type: 'Ready', reason: 'Draining' })

    const before = world.history.length
    const there = world.fault('registry-refuses', 2, `image=${missing}`)
    await setVersion(missing)
    await untilSays(world, machine, { type: 'Ready', reason: 'ImagePullFailed' })
    await world.pass(10)

    expect(await workloads.isCordoned(node)).toEqual({ isCordoned: false, isMarked: false })
    // Once: what is tried again each minute cordons nothing.
    expect(nodesSince(world, before)).toHaveLength(1)
    await setVersion(exists)
    await untilSays(world, machine, { type: 'Ready', reason: 'Draining' })
    await workloads.budget('web', undefined)
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    there()
    expect(world.fleet.machine(world.address(2))?.talosVersion).toBe(exists)
    expect(await workloads.isCordoned(node)).toEqual({ isCordoned: false, isMarked: false })
    expect(await brokenInvariants(world)).toEqual([])
  },
)
