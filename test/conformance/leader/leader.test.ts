import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Lease } from '#api/foreign.ts'
import type { KubeClient } from '#kube/client.ts'
import { anApi } from '#test/an-api.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { type MisbehavingApi, startMisbehaving } from '#test/misbehaving/front.ts'
import { leaderContract } from './leader-contract.ts'
import { Standing } from './standing.ts'

leaderContract({ name: 'embedded API', start: () => anApi() })

const ref = { namespace: 'default', name: 'operator' }

describe('an election under faults', { timeout: 120_000 }, () => {
  let api: MisbehavingApi
  let client: KubeClient
  beforeEach(async () => {
    api = await startMisbehaving(anApi)
    client = await clientOf(api)
    // Given back, so that nobody has to wait.
    const spec = { holderIdentity: '', leaseDurationSeconds: 1 }
    await client.create(Lease, { metadata: ref, spec })
  })
  afterEach(async () => {
    client.close()
    await api[Symbol.asyncDispose]()
  })

  const isWrite = (method: string) => method === 'PUT'

  test('a leader goes on although the answers to some writes are lost', async () => {
    await using leader = new Standing(client, { ...ref, identity: 'a' })
    await leader.reaches('leading')

    api.faults.hangUpAfterWrite(2)
    await leader.reaches('failed')
    await leader.reaches('failed')
    const lost = await client.get(Lease, ref)
    await leader.renews(client, lost)

    expect(leader.states.map(({ state }) => state)).toEqual(['leading', 'failed', 'failed'])
  })

  test('a leader whose writes hang stops in time, and leads again when they do not', async () => {
    await using leader = new Standing(client, { ...ref, identity: 'a' })
    await leader.reaches('leading')

    const off = api.faults.delay(isWrite, Number.POSITIVE_INFINITY)
    await leader.reaches('lost')
    expect(leader.holds).toBe(false)
    off()

    await leader.reaches('leading')
  })

  test('a leader stops when the API is gone, and leads again when it is back', async () => {
    await using leader = new Standing(client, { ...ref, identity: 'a' })
    await leader.reaches('leading')

    await api.faults.refuseConnections(true)
    await leader.reaches('lost')
    await api.faults.refuseConnections(false)

    await leader.reaches('leading')
  })

  test('whoever may not use the Lease is told what is needed, and goes on as soon as it may', async () => {
    const off = api.faults.answer({ status: 403 })
    await using candidate = new Standing(client, { ...ref, identity: 'a' })

    const failure = await candidate.reaches('failed')
    off()
    await candidate.reaches('leading')

    expect(failure).toMatchObject({
      error: {
        message: expect.stringMatching(
          /^could not get leases default\/operator: .*; to be elected we need the verbs get, create and update on leases of coordination\.k8s\.io in namespace default$/,
        ),
      },
    })
  })

  test.each(['{}', 'null', '"lease"', '{"metadata":{}}'])(
    'an answer of %s is no Lease, and makes nobody lead',
    async (text) => {
      const off = api.faults.say((_, path) => path.includes('leases'), text)
      await using candidate = new Standing(client, { ...ref, identity: 'a' })

      const failure = await candidate.reaches('failed')
      expect(candidate.holds).toBe(false)
      off()
      await candidate.reaches('leading')

      expect(failure).toMatchObject({ error: { message: expect.stringContaining('is no Lease') } })
    },
  )
})
