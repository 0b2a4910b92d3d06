import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Lease } from '#api/foreign.ts'
import type { KubeClient } from '#kube/client.ts'
import { apis, type RunningApi } from '#test/conformance/apis.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { until } from '#test/until.ts'
import { leaderContract } from './leader-contract.ts'
import { nowMs, RealProcess } from './real-process.ts'

// Long enough for a busy machine to keep: an API that stands still for seconds takes no Lease away.
const TIMING = { leaseMs: 9_000, renewWithinMs: 6_000, retryMs: 1_000 }
const namespace = 'default'

describe.each(apis)('leaders on $name', ({ name: ofApi, start }) => {
  let api: RunningApi
  let client: KubeClient
  let folder: string
  const running: RealProcess[] = []
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'talos-operator-leader-'))
    api = await start()
    client = await clientOf(api)
  })
  afterAll(async () => {
    client.close()
    await api[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  afterEach(async () => {
    for (const one of running.splice(0)) await one[Symbol.asyncDispose]()
  })

  // The same one: to start it takes longer than the tests.
  leaderContract({
    name: ofApi,
    start: async () => ({ ...api, [Symbol.asyncDispose]: async () => {} }),
  })

  /** One that leads, and one that stands by. */
  async function leaderAndOther(name: string): Promise<[RealProcess, RealProcess]> {
    // Given back, so that nobody has to wait.
    const spec = { holderIdentity: '', leaseDurationSeconds: 1 }
    await client.create(Lease, { metadata: { namespace, name }, spec })
    const args = [api.kubeconfig, name, JSON.stringify(TIMING)]
    const both = [1, 2].map((at) => new RealProcess(`${name}-${at}`, { folder, args }))
    running.push(...both)
    for (const one of both) await one.when('started')
    const look = async () =>
      Promise.all(both.map(async (one) => (await one.lines('acting')).length))
    const acts = await until('one that acts', look, (counts) => counts.some((count) => count > 0))
    const [leader, other] = acts[0] ? both : both.toReversed()
    if (!leader || !other) throw new Error('there are two')
    await other.when('standby')
    return [leader, other]
  }

  /** Everything the first did, it did before the second did anything. */
  async function expectInOrder(first: RealProcess, second: RealProcess): Promise<void> {
    const last = (await first.lines('acting')).at(-1)
    const [next] = await second.lines('acting')
    expect(last?.atMs).toBeLessThan(next?.atMs ?? 0)
  }

  test('of two processes the second leads when the first was killed, and not before its Lease has run out', async () => {
    const [leader, other] = await leaderAndOther('killed')

    const killedMs = leader.signal('SIGKILL')
    const waitedMs = (await other.when('acting')) - killedMs

    // The Lease was renewed at most a retry ago.
    expect(waitedMs).toBeGreaterThan(TIMING.leaseMs - 2 * TIMING.retryMs)
    expect(waitedMs).toBeLessThan(2 * TIMING.leaseMs)
    await expectInOrder(leader, other)
  })

  test('of two processes the second leads soon when the first was asked to end', async () => {
    const [leader, other] = await leaderAndOther('ended')

    const endedMs = leader.signal('SIGTERM')
    await leader.when('ended')
    const waitedMs = (await other.when('acting')) - endedMs

    expect(waitedMs).toBeLessThan(TIMING.leaseMs - 2 * TIMING.retryMs)
    await expectInOrder(leader, other)
    expect((await leader.lines()).map(({ state }) => state)).toContain('released')
  })

  test('of two processes the first does nothing any more when it was stopped for longer than its Lease', async () => {
    const [leader, other] = await leaderAndOther('stopped')

    leader.signal('SIGSTOP')
    await other.when('acting')
    const continuedMs = leader.signal('SIGCONT')
    await leader.when('standby', continuedMs)

    await expectInOrder(leader, other)
    expect((await leader.lines('lost')).length).toBe(1)
    expect((await other.lines('lost')).length).toBe(0)
  })

  test('of two processes the first goes on leading when its Lease was deleted', async () => {
    const [leader, other] = await leaderAndOther('removed')

    await client.remove(Lease, { namespace, name: 'removed' })
    await leader.when('acting', nowMs() + TIMING.leaseMs + TIMING.retryMs)

    expect((await leader.lines('lost')).length).toBe(0)
    expect((await other.lines('acting')).length).toBe(0)
    const { spec } = await client.get(Lease, { namespace, name: 'removed' })
    expect(spec?.holderIdentity).toBe(leader.identity)
  })
})
