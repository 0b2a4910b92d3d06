import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { deedsSince } from './a-control-plane.ts'
import { aDrainedPool, type DrainedPool } from './a-drained-pool.ts'
import { brokenInvariants } from './invariants.ts'
import { untilSays } from './verdicts.ts'

const LONG = 240_000
const WAYS = ['killed before', 'killed after', 'reply lost'] as const

// One life of one cluster: the last of three workers goes in each test, and comes back after it.

let pool: DrainedPool
beforeAll(async () => {
  pool = await aDrainedPool('127.80.65')
}, LONG)
afterAll(() => pool[Symbol.asyncDispose]())
afterEach(async () => {
  await pool.workloads.budget('web', undefined)
  await pool.workloads.remove('web')
  await pool.apply([2, 3, 4])
  await pool.untilReady([2, 3, 4])
}, LONG)

async function crowded(replicas: number, minAvailable: number): Promise<void> {
  await pool.crowd('web', replicas)
  await pool.workloads.budget('web', minAvailable)
}

/** It goes, once and drained, whatever came between. */
async function goes(before: number): Promise<void> {
  const { world } = pool
  await pool.untilReady([2, 3])
  expect(deedsSince(world, before)).toEqual([`reset ${world.address(4)} done`])
  expect(world.boundary.pending).toEqual([])
  expect(await brokenInvariants(world)).toEqual([])
}

describe('a worker is drained and reset once, though the operator', () => {
  test.each(WAYS)('is %s: a cordon', { timeout: LONG }, async (how) => {
    const { world } = pool
    await crowded(3, 2)
    const before = world.history.length

    world.boundary.interrupt({ how, at: `PATCH nodes/${pool.nodeOf(4)}` })
    await pool.apply([2, 3])

    await goes(before)
  })

  test.each(WAYS)('is %s: an eviction', { timeout: LONG }, async (how) => {
    const { world, workloads } = pool
    await crowded(3, 2)
    const before = world.history.length
    const [pod = ''] = await workloads.namesOf('web')

    world.boundary.interrupt({ how, at: `POST pods/eviction/${pod}` })
    await pool.apply([2, 3])

    await goes(before)
  })

  test('is killed again and again, and forgets nothing of a drain that is in vain', {
    timeout: LONG,
  }, async () => {
    const { world, workloads } = pool
    await crowded(1, 1)
    const before = world.history.length
    await pool.apply([2, 3], { timeoutSeconds: 300 })
    const startMs = world.clock.monotonicMs()
    for (let minute = 0; minute < 4; minute++) {
      await world.pass(1)
      world.killNow()
    }

    await untilSays(world, pool.objectOf(4), { type: 'Deleting', reason: 'DrainBlocked' })
    const tookMs = world.clock.monotonicMs() - startMs
    expect(tookMs).toBeLessThan(7 * 60_000)
    world.killNow()
    await world.pass(5)
    expect(await workloads.isCordoned(pool.nodeOf(4))).toMatchObject({ isCordoned: false })
    expect(deedsSince(world, before)).toEqual([])

    await workloads.scale('web', 2)
    await goes(before)
  })
})

test('a worker stays while the API of its cluster is away, and goes when it is back', {
  timeout: LONG,
}, async () => {
  const { world } = pool
  await crowded(2, 1)
  const before = world.history.length
  const back = world.fault('unreachable', 1)
  await world.pass(5)

  await pool.apply([2, 3])
  const why = await untilSays(world, pool.objectOf(4), { type: 'Deleting', reason: 'Draining' })
  await world.pass(15)
  expect(why).toContain('the Kubernetes API of one does not answer')
  expect(why).toContain('force-deletion')
  expect(deedsSince(world, before)).toEqual([])

  back()
  await goes(before)
})

test('a worker whose kubelet is dead is not waited for', { timeout: LONG }, async () => {
  const { world } = pool
  await crowded(1, 1)
  const before = world.history.length
  world.fleet.clusters[0]?.halves[0]?.kubernetes.kubeletDown(pool.nodeOf(4))
  await world.pass(2)

  await pool.apply([2, 3])
  await goes(before)
})
