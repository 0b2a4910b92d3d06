import { expect, test } from 'vitest'
import { RECONCILE_MODE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE, deedsSince } from './a-control-plane.ts'
import { untilAsWanted, withPatch } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { controlPlaneIn, watchedBriefly, workerIn } from './parts.ts'
import { untilSays } from './verdicts.ts'
import { aWorld } from './world.ts'

const LONG = 240_000
const VERSIONS = { talos: 'v1.13.0', kubernetes: 'v1.34.1' }
const POOL = [Worker, 'pool'] as const
const SYSCTL = { machine: { sysctls: { 'vm.swappiness': '1' } } }

test('a machine that is left alone keeps no other one from being changed, or from leaving', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.126', machines: 4, versions: VERSIONS })
  const poolOn = (machines: readonly number[]) =>
    watchedBriefly(workerIn(world, { name: 'pool', joins: 'one', machines }))
  const first = [Machine, `pool-${world.address(2)}`] as const
  const leaveAlone = (mode: string | null) =>
    world.objects.patch(...first, { metadata: { annotations: { [RECONCILE_MODE]: mode } } })
  await world.bringSecrets('one')
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  await world.objects.apply(poolOn([2, 3, 4]))
  await untilAsWanted(world, CONTROL_PLANE, POOL)
  const before = world.history.length
  await world.objects.patch(Worker, 'pool', { spec: { rolloutStrategy: { paused: true } } })
  await world.objects.apply(withPatch(poolOn([2, 3, 4]), SYSCTL))
  await untilSays(world, first, { type: 'Ready', reason: 'ConfigPending' })
  await leaveAlone('disable')
  await world.objects.patch(Worker, 'pool', { spec: { rolloutStrategy: { paused: false } } })
  const changed = [3, 4].map((at) => `configuration.apply ${world.address(at)} done`)
  await world.until('the others to be changed', () => deedsSince(world, before).length === 2)
  expect(deedsSince(world, before)).toEqual(changed)

  await world.objects.apply(withPatch(poolOn([2, 3]), SYSCTL))
  await world.until('one to be gone', async () => (await world.objects.list(Machine)).length === 3)
  expect(deedsSince(world, before)).toEqual([...changed, `reset ${world.address(4)} done`])

  await leaveAlone(null)
  await untilAsWanted(world, CONTROL_PLANE, POOL)
  expect(deedsSince(world, before).at(-1)).toBe(`configuration.apply ${world.address(2)} done`)
  expect(await brokenInvariants(world)).toEqual([])
})
