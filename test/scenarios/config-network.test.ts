import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONFIG_REJECTED } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { deedsSince } from './a-control-plane.ts'
import { untilAsWanted, withPatch } from './changed-configs.ts'
import { changeElsewhere } from './changed-elsewhere.ts'
import { brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf, untilSays } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const LONG = 240_000
const POOL = [Worker, 'pool'] as const

/** What the worker has. */
function textOf(world: World): string {
  const config = world.fleet.machine(world.address(2))?.config
  return config ? writeConfig(config) : ''
}

describe('a change of the network', () => {
  let world: World
  const pool = () => workerIn(world, { name: 'pool', joins: 'one', machines: [2] })
  const withAddress = (address: string) =>
    withPatch(pool(), {
      machine: { network: { interfaces: [{ interface: 'eth0', addresses: [address] }] } },
    })
  const withNameserver = (address: string) =>
    withPatch(withAddress(`${world.address(2)}/8`), {
      machine: { network: { nameservers: [address] } },
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

  test('that it took back is tried once more when somebody says so', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    const machine = [Machine, `pool-${world.address(2)}`] as const
    await world.objects.patch(...machine, {
      metadata: { annotations: { [CONFIG_REJECTED]: null } },
    })
    await world.until('another try', () => deedsSince(world, before).length === 1)
    await untilSays(world, machine, { type: 'Ready', reason: 'ConfigRejected' })
    await world.pass(15)

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
    await world.objects.apply(withNameserver('192.0.2.53'))
    await untilAsWanted(world, POOL)
    await world.pass(10)

    expect(await brokenInvariants(world)).toEqual([])
    expect((await conditionOf(world, POOL, 'Ready'))?.status).toBe('True')
  })

  test('is tried again by whoever comes when it has been taken back', {
    timeout: LONG,
  }, async () => {
    const before = world.history.length
    await world.objects.apply(withNameserver('192.0.2.54'))
    await world.until('the first try', () => deedsSince(world, before).length === 1)
    await world.stopOperator()
    await world.pass(2.5)
    world.startOperator()
    await untilAsWanted(world, POOL)
    await world.pass(10)

    // Tried, tried again, and kept.
    expect(deedsSince(world, before)).toHaveLength(3)
    expect((await conditionOf(world, POOL, 'Ready'))?.status).toBe('True')
    expect(await brokenInvariants(world)).toEqual([])
  })

  test('by somebody else is put right, and stays so', { timeout: LONG }, async () => {
    const correcting = withNameserver('192.0.2.54')
    const rolloutStrategy = { configDrift: 'correct', minReadySeconds: 1 }
    await world.objects.apply({ ...correcting, spec: { ...correcting.spec, rolloutStrategy } })
    await untilAsWanted(world, POOL)
    const before = world.history.length
    for (const mtu of [1400, 1401, 1402, 1403]) {
      await changeElsewhere(world, 2, {
        machine: { network: { interfaces: [{ interface: 'eth0', mtu }] } },
      })
      await world.until('it to be put right', () => !textOf(world).includes('mtu'))
      await untilAsWanted(world, POOL)
    }
    await world.pass(10)

    expect(textOf(world)).not.toContain('mtu')
    // Each time it is tried, and kept.
    expect(deedsSince(world, before)).toHaveLength(8)
    expect((await conditionOf(world, POOL, 'Ready'))?.status).toBe('True')
    expect(await brokenInvariants(world)).toEqual([])
  })
})
