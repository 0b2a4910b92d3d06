import { expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { CONTROL_PLANE, deedsSince } from './a-control-plane.ts'
import { untilAsWanted, withPatch } from './changed-configs.ts'
import { brokenInvariants } from './invariants.ts'
import { QUICK } from './manifests.ts'
import { controlPlaneIn, workerIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import { aWorld } from './world.ts'

const LONG = 240_000
const POOL = [Worker, 'pool'] as const

test.each([
  { what: 'is told', subnet: '127.80.132', versions: QUICK, passes: 0 },
  { what: 'is off', subnet: '127.80.133', versions: QUICK, passes: 4 },
])(
  'an edit that is taken back while a machine $what to reboot for it is taken back there, too',
  {
    timeout: LONG,
  },
  async ({ subnet, versions, passes }) => {
    await using world = await aWorld({ subnet, machines: 2, versions })
    await world.objects.apply(controlPlaneIn(world, 'one', [1]))
    const pool = workerIn(world, { name: 'pool', joins: 'one', machines: [2] })
    await world.objects.apply(pool)
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    const before = world.history.length
    const env = { GRPC_GO_LOG_SEVERITY_LEVEL: 'info' }
    await world.objects.apply(withPatch(pool, { machine: { env } }))
    await world.until('it to be told', () => deedsSince(world, before).length === 1)
    const back = passes > 0 ? world.fault('unreachable', 2) : () => undefined
    await world.pass(passes)
    await world.objects.apply(pool)
    await world.pass(1)
    back()
    await untilAsWanted(world, CONTROL_PLANE, POOL)
    await world.pass(10)

    const machine = world.fleet.machine(world.address(2))
    expect(machine?.config && writeConfig(machine.config)).not.toContain('GRPC_GO_LOG')
    const object = [Machine, `pool-${world.address(2)}`] as const
    expect(await conditionOf(world, object, 'Drifted')).toBeUndefined()
    expect((await conditionOf(world, POOL, 'Ready'))?.status).toBe('True')
    expect(await brokenInvariants(world)).toEqual([])
  },
)
