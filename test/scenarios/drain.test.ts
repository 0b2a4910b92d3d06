import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { FORCE_DELETION } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { PRETENCE } from '#simulator/kubernetes/pods/kubelet-routine.ts'
import { deedsSince } from './a-control-plane.ts'
import { aDrainedPool, type DrainedPool } from './a-drained-pool.ts'
import { brokenInvariants } from './invariants.ts'
import { untilTold } from './told.ts'
import { untilSays } from './verdicts.ts'

const LONG = 240_000

// One life of one cluster: the last of three workers goes in each test, and comes back after it.

let pool: DrainedPool
beforeAll(async () => {
  pool = await aDrainedPool('127.80.64')
}, LONG)
afterAll(() => pool[Symbol.asyncDispose]())

const lastNode = () => pool.nodeOf(4)
const resets = (since: number) => deedsSince(pool.world, since)

/** How long the node was cordoned before its machine was reset, or the first pod deleted. */
function msFromCordonTo(what: 'reset' | 'pods', since: number): number {
  const [cordoned, after] = ['nodes', what].map((wanted) =>
    pool.world.history
      .slice(since)
      .find((call) => (call.to === 'kubernetes' ? call.kind : call.method) === wanted),
  )
  return (after?.at.getTime() ?? 0) - (cordoned?.at.getTime() ?? Infinity)
}

const RESET = () => [`reset ${pool.world.address(4)} done`]

describe('a worker that goes, and comes back', () => {
  afterEach(async () => {
    await pool.apply([2, 3, 4])
    await pool.untilReady([2, 3, 4])
  }, LONG)

  test('pods leave a worker as their budget allows it, before it is reset', {
    timeout: LONG,
  }, async () => {
    const { world, workloads } = pool
    const node = lastNode()
    await pool.crowd('web', 3)
    await workloads.budget('web', 2)
    await workloads.run('job', node)
    await world.until(
      'it to be done',
      async () => (await workloads.phasesOf('job'))[0] === 'Succeeded',
    )
    const before = world.history.length
    let fewest = 3

    await pool.apply([2, 3])
    await world.until('it to be reset', async () => {
      fewest = Math.min(fewest, (await workloads.nodesOf('web')).length)
      return resets(before).length > 0
    })

    expect(await workloads.nodesOf('web')).not.toContain(node)
    expect(fewest).toBeGreaterThanOrEqual(2)
    // Neither what has ended, nor what belongs to the node: a DaemonSet's pods.
    expect(pool.callsSince(before, 'POST pods/eviction/').map((one) => one.slice(19, 22))).toEqual(
      expect.arrayContaining(['web']),
    )
    expect(pool.callsSince(before, 'POST pods/eviction/').join()).not.toMatch(/job|proxy|flannel/)
    await pool.untilReady([2, 3])
    expect(await brokenInvariants(world)).toEqual([])
    await workloads.budget('web', undefined)
    await workloads.remove('web')
  })

  test('a budget that never allows it keeps the machine, until it does', {
    timeout: LONG,
  }, async () => {
    const { world, workloads } = pool
    await pool.crowd('db', 1)
    await workloads.budget('db', 1)
    const before = world.history.length

    await pool.apply([2, 3])
    const draining = await untilSays(world, pool.objectOf(4), {
      type: 'Deleting',
      reason: 'Draining',
    })
    const why = await untilSays(world, pool.objectOf(4), {
      type: 'Deleting',
      reason: 'DrainBlocked',
    })
    await world.pass(30)

    expect(draining).toContain(`node ${lastNode()}`)
    expect(why).toContain(`node ${lastNode()}`)
    expect(why).toMatch(/PodDisruptionBudget default\/db does not let pod default\/db-\S+ go/)
    expect(why).toContain('rolloutStrategy.drain.afterTimeout of TalosWorker pool')
    await untilTold(world, pool.objectOf(4), 'DrainBlocked')
    await untilSays(world, [Worker, 'pool'], { type: 'Ready', reason: 'DrainBlocked' })
    expect(resets(before)).toEqual([])
    expect(await workloads.nodesOf('db')).toEqual([lastNode()])
    expect(await workloads.isCordoned(lastNode())).toMatchObject({ isCordoned: false })
    expect(await brokenInvariants(world)).toEqual([])

    await workloads.scale('db', 2)
    await pool.untilReady([2, 3])
    expect(resets(before)).toEqual(RESET())
    expect(await brokenInvariants(world)).toEqual([])
    await workloads.budget('db', undefined)
    await workloads.remove('db')
  })

  test('pods are deleted when the time is up, if that is the policy', {
    timeout: LONG,
  }, async () => {
    const { world, workloads } = pool
    await pool.crowd('db', 1)
    await workloads.budget('db', 1)
    const before = world.history.length

    await pool.apply([2, 3], { timeoutSeconds: 120, afterTimeout: 'Delete' })
    await pool.untilReady([2, 3])

    const waited = msFromCordonTo('pods', before)
    expect(waited).toBeGreaterThanOrEqual(120_000)
    expect(waited).toBeLessThan(180_000)
    expect(resets(before)).toEqual(RESET())
    await pool.untilUp('db', 1)
    expect(await brokenInvariants(world)).toEqual([])
    await workloads.budget('db', undefined)
    await workloads.remove('db')
  })

  test('the machine goes with its pods when the time is up, if that is the policy', {
    timeout: LONG,
  }, async () => {
    const { world, workloads } = pool
    await pool.crowd('db', 1)
    await workloads.budget('db', 1)
    await pool.crowd('web', 1)
    const before = world.history.length

    await pool.apply([2, 3], { timeoutSeconds: 120, afterTimeout: 'Skip' })
    await pool.untilReady([2, 3])

    // Who may go is asked to, and for who may not it is waited as long as the policy says.
    expect(pool.callsSince(before, 'POST pods/eviction/web')).toHaveLength(1)
    const waited = msFromCordonTo('reset', before)
    expect(waited).toBeGreaterThanOrEqual(120_000)
    expect(waited).toBeLessThan(180_000)
    expect(pool.callsSince(before, 'DELETE pods/')).toEqual([])
    expect(resets(before)).toEqual(RESET())
    expect(await brokenInvariants(world)).toEqual([])
    await workloads.budget('db', undefined)
    for (const name of ['db', 'web']) await workloads.remove(name)
  })

  test('a cordon of somebody else stays when a drain is given up', { timeout: LONG }, async () => {
    const { world, workloads } = pool
    await pool.crowd('db', 1)
    await workloads.budget('db', 1)
    await workloads.cordon(lastNode(), true)

    await pool.apply([2, 3], { timeoutSeconds: 60 })
    await untilSays(world, pool.objectOf(4), { type: 'Deleting', reason: 'DrainBlocked' })
    await world.pass(5)
    expect(await workloads.isCordoned(lastNode())).toMatchObject({ isCordoned: true })

    await workloads.budget('db', undefined)
    await pool.untilReady([2, 3])
    expect(await brokenInvariants(world)).toEqual([])
    await workloads.remove('db')
  })

  test('a pod that comes back in spite of the cordon, or ends slowly, keeps nobody for ever', {
    timeout: LONG,
  }, async () => {
    const { world, workloads } = pool
    await pool.crowd('deaf', 1, { annotations: { [PRETENCE.ignoresTermination]: 'true' } })
    await workloads.deploy('stubborn', 1, {
      tolerations: [{ operator: 'Exists' }],
      nodeSelector: { 'kubernetes.io/hostname': lastNode() },
    })
    await pool.untilUp('stubborn', 1)
    const before = world.history.length

    await pool.apply([2, 3])
    await pool.untilReady([2, 3])

    expect(pool.callsSince(before, 'POST pods/eviction/stubborn')).toHaveLength(1)
    expect(pool.callsSince(before, 'POST pods/eviction/deaf')).toHaveLength(1)
    expect(resets(before)).toEqual(RESET())
    for (const name of ['deaf', 'stubborn']) await workloads.remove(name)
  })
})

test('a machine that is let go in the middle of it takes pods again', {
  timeout: LONG,
}, async () => {
  const { world, workloads } = pool
  await pool.crowd('db', 1)
  await workloads.budget('db', 1)
  const before = world.history.length
  const [, name] = pool.objectOf(4)
  await pool.apply([2, 3])
  await untilSays(world, pool.objectOf(4), { type: 'Deleting', reason: 'Draining' })
  await world.until('the cordon', async () => (await workloads.isCordoned(lastNode())).isCordoned)

  await world.objects.annotate(Machine, name, { [FORCE_DELETION]: 'true' })
  await world.until('the object to be gone', async () => !(await world.objects.find(Machine, name)))
  await world.pass(2)

  expect(await workloads.isCordoned(lastNode())).toEqual({ isCordoned: false, isMarked: false })
  expect(resets(before)).toEqual([])
  expect(await brokenInvariants(world)).toEqual([])
})
