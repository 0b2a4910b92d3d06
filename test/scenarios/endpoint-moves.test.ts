import { expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE, deedsSince, onMachines, votersOf } from './a-control-plane.ts'
import { untilAsWanted } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { watchedBriefly, workerIn } from './parts.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

// Nobody answers at a shared address before a machine has it from its configuration.

const LONG = 240_000
const POOL = [Worker, 'pool'] as const

async function threeAndOne(subnet: string): Promise<World> {
  const world = await aWorld({ subnet, machines: 4, versions: QUICK })
  await world.objects.apply(watchedBriefly(onMachines(world, [1, 2, 3])))
  const pool = workerIn(world, { name: 'pool', joins: 'one', machines: [4] })
  await world.objects.apply(watchedBriefly(pool))
  await untilAsWanted(world, CONTROL_PLANE, POOL)
  return world
}

/** The same control plane, at another address that its machines share, or at one that none of them has. */
function movedTo(world: World, number: number, { isShared = true } = {}) {
  const [from, to] = [world.address(200), world.address(number)]
  const { spec, ...rest } = watchedBriefly(onMachines(world, [1, 2, 3]))
  const { metalSpec } = spec
  const moved = JSON.parse(JSON.stringify(metalSpec).replaceAll(from, to))
  const endpoint = spec.endpoint.replace(from, to)
  return { ...rest, spec: { ...spec, endpoint, metalSpec: isShared ? moved : metalSpec } }
}

/** The numbers of the machines that were given a configuration, each once. */
const changedSince = (world: World, since: number) => [
  ...new Set(
    deedsSince(world, since)
      .filter((deed) => /^configuration\.apply .* done$/.test(deed))
      .map((deed) => Number(deed.split(' ')[1]?.split('.').at(-1))),
  ),
]

test('a control plane of three is reached at another shared address once its machines have that', {
  timeout: LONG,
}, async () => {
  await using world = await threeAndOne('127.80.152')
  const before = world.history.length
  await world.objects.apply(movedTo(world, 201))
  await untilAsWanted(world, CONTROL_PLANE, POOL)

  expect(changedSince(world, before)).toEqual([1, 2, 3, 4])
  expect(votersOf(world)).toBe(3)
  expect(await brokenInvariants(world)).toEqual([])
})

test('an operator that comes when the address is being moved goes on with it', {
  timeout: LONG,
}, async () => {
  await using world = await threeAndOne('127.80.153')
  const before = world.history.length
  await world.stopOperator()
  await world.objects.apply(movedTo(world, 201))
  world.startOperator()
  await world.until('the first machine to be changed', () => changedSince(world, before).length > 0)
  await world.restartOperator()
  await untilAsWanted(world, CONTROL_PLANE, POOL)

  expect(changedSince(world, before)).toEqual([1, 2, 3, 4])
  expect(await brokenInvariants(world)).toEqual([])
})

test('an address that nobody ever answers at is given to one machine alone, and taken back', {
  timeout: LONG,
}, async () => {
  await using world = await threeAndOne('127.80.154')
  const before = world.history.length
  await world.objects.apply(movedTo(world, 202, { isShared: false }))
  await untilSays(world, [Machine, `one-${world.address(1)}`], {
    ...{ type: 'Ready', reason: 'NodeMissing' },
  })
  await world.pass(30)

  expect(changedSince(world, before)).toEqual([1])
  const ready = await conditionOf(world, CONTROL_PLANE, 'Ready')
  expect(ready?.message).toContain(world.address(202))
  await world.objects.apply(watchedBriefly(onMachines(world, [1, 2, 3])))
  await untilAsWanted(world, CONTROL_PLANE, POOL)
  expect(changedSince(world, before)).toEqual([1])
  expect(await brokenInvariants(world)).toEqual([])
})
