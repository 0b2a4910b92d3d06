import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { deedsSince } from './a-control-plane.ts'
import { untilAsWanted, withPatch } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000
const POOL = [Worker, 'pool'] as const

describe('a change of the network', () => {
  let world: World
  const pool = () => workerIn(world, { name: 'pool', joins: 'one', machines: [2] })
  const withAddress = (address: string) =>
    withPatch(pool(), {
      machine: { network: { interfaces: [{ interface: 'eth0', addresses: [address] }] } },
    })
  beforeAll(async () => {
    world = await aWorld({ subnet: '127.80.67', machines: 2, versions: QUICK })
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    await world.objects.apply(pool())
    await untilAsWanted(world, POOL)
  }, LONG)
  afterAll(() => world[Symbol.asyncDispose]())

  test('that cuts a machine off is taken back by it, and not tried again', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    await world.objects.apply(withAddress('192.0.2.77/24'))
    const said = await untilSays(world, [Machine, `pool-${world.address(2)}`], {
      ...{ type: 'Ready', reason: 'ConfigRejected' },
    })
    await world.pass(15)

    expect(said).toContain('took it back by itself')
    expect(
      (await conditionOf(world, [Machine, `pool-${world.address(2)}`], 'Reachable'))?.status,
    ).toBe('True')
    expect(deedsSince(world, before)).toEqual([`configuration.apply ${world.address(2)} done`])
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('that leaves a machine its address is tried, and kept', { timeout: LONG }, async () => {
    const before = world.history.length
    await world.objects.apply(withAddress(`${world.address(2)}/8`))
    await untilAsWanted(world, POOL)
    // By then what was only tried would have been taken back.
    await world.pass(10)

    expect(deedsSince(world, before)).toEqual([
      `configuration.apply ${world.address(2)} done`,
      `configuration.apply ${world.address(2)} done`,
    ])
    expect(
      (await conditionOf(world, [Machine, `pool-${world.address(2)}`], 'Drifted'))?.status,
    ).toBe(undefined)
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('is kept by whoever comes after an operator that died in the middle', {
    timeout: LONG,
  }, async () => {
    world.killAfter(`configuration.apply ${world.address(2)} #1`)
    await world.objects.apply(
      withPatch(withAddress(`${world.address(2)}/8`), {
        machine: { network: { nameservers: ['192.0.2.53'] } },
      }),
    )
    await untilAsWanted(world, POOL)
    await world.pass(10)

    expect(await brokenInvariants(world)).toEqual([])
    expect((await conditionOf(world, POOL, 'Ready'))?.status).toBe('True')
  })
})
