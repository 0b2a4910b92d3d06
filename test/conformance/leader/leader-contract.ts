import { describe, expect, test } from 'vitest'
import { Lease } from '#api/foreign.ts'
import type { Api } from '#test/conformance/apis.ts'
import { clientOfBlock } from '#test/conformance/kube/client-of.ts'
import { until } from '#test/until.ts'
import { SHORT, Standing } from './standing.ts'

const namespace = 'default'

/** What an election promises, whichever API the Lease is on. */
export const leaderContract = ({ name, start }: Api) =>
  describe(`an election on ${name}`, { timeout: 120_000 }, () => {
    const client = clientOfBlock(start)

    /** A Lease that nobody has to wait for. */
    const givenBack = async (name: string) => {
      const spec = { holderIdentity: '', leaseDurationSeconds: 1 }
      await client().create(Lease, { metadata: { namespace, name }, spec })
      return { namespace, name }
    }

    test('has one leader, and another one as soon as that has given the Lease back', async () => {
      const ref = { namespace, name: 'given-back' }
      await using first = new Standing(client(), { ...ref, identity: 'a' })
      await first.reaches('leading')
      await using second = new Standing(client(), { ...ref, identity: 'b' })
      await second.reaches('standby')
      const { spec } = await client().get(Lease, ref)

      await first.end()
      await second.reaches('leading')

      expect(first.states.map(({ state }) => state)).toEqual(['standby', 'leading', 'released'])
      expect(second.states[0]).toEqual({ state: 'standby', leader: 'a' })
      expect(spec).toEqual({
        holderIdentity: 'a',
        leaseDurationSeconds: SHORT.leaseMs / 1_000,
        acquireTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}000Z$/),
        renewTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}000Z$/),
        leaseTransitions: 0,
      })
      expect((await client().get(Lease, ref)).spec).toMatchObject({
        holderIdentity: 'b',
        leaseTransitions: 1,
      })
    })

    test('is over for a leader whose Lease somebody gave to another one by hand', async () => {
      const ref = await givenBack('edited')
      await using leader = new Standing(client(), { ...ref, identity: 'a' })
      await leader.reaches('leading')

      const body = { spec: { holderIdentity: 'somebody', leaseDurationSeconds: 2 } }
      await client().patch(Lease, ref, { type: 'merge', body })
      await leader.reaches('lost')

      expect(leader.holds).toBe(false)
      expect(await leader.reaches('standby')).toEqual({ state: 'standby', leader: 'somebody' })
    })

    test('goes on for a leader whose Lease somebody deleted', async () => {
      const ref = await givenBack('deleted')
      await using leader = new Standing(client(), { ...ref, identity: 'a' })
      await leader.reaches('leading')
      const before = await client().get(Lease, ref)
      await using other = new Standing(client(), { ...ref, identity: 'b' })
      await other.reaches('standby')

      await client().remove(Lease, ref)
      const look = () =>
        client()
          .get(Lease, ref)
          .catch(() => undefined)
      const after = await until('a new Lease', look, (one) => one?.spec?.holderIdentity === 'a')

      expect(after?.metadata.uid).not.toBe(before.metadata.uid)
      expect(after?.spec).toMatchObject({ acquireTime: before.spec?.acquireTime })
      expect(leader.states.map(({ state }) => state)).toEqual(['leading'])
      expect(other.holds).toBe(false)
    })
  })
