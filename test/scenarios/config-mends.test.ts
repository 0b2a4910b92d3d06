import { expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { CONTROL_PLANE } from './a-control-plane.ts'
import { untilAsWanted, withPatch } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { aWorld } from './world.ts'

const LONG = 240_000
const POOL = [Worker, 'pool'] as const
const VERSIONS = { talos: 'v1.13.0', kubernetes: 'v1.34.1' }

test('a worker that cannot come up by its first configuration does by the corrected one', {
  timeout: LONG,
}, async () => {
  await using world = await aWorld({ subnet: '127.80.131', machines: 3, versions: VERSIONS })
  await world.bringSecrets('one')
  await world.objects.apply(controlPlaneIn(world, 'one', [1]))
  const pool = workerIn(world, { name: 'pool', joins: 'one', machines: [2, 3] })
  const image = `mirror.example/kubelet:${VERSIONS.kubernetes}`
  for (const at of [2, 3]) world.fault('registry-refuses', at, 'image=mirror.example')
  await world.objects.apply(withPatch(pool, { machine: { kubelet: { image } } }))
  const machine = [Machine, `pool-${world.address(2)}`] as const
  await untilSays(world, machine, { type: 'Ready', reason: 'ComingUp' })
  await world.pass(10)

  expect((await conditionOf(world, machine, 'Ready'))?.message).toContain('booting')
  await world.objects.apply(pool)
  await untilAsWanted(world, CONTROL_PLANE, POOL)
  expect(await brokenInvariants(world)).toEqual([])
})
