import { beforeEach, describe, expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import type { KubeClient } from '#kube/client.ts'
import { FakeClock } from '#test/fake-clock.ts'
import type { Match } from '#test/misbehaving/faults.ts'
import { until } from '#test/until.ts'
import { isWrite, type Stage } from './stage.ts'

const always: Match = () => true

/** What one call does when something goes wrong. */
export const callFaultsContract = (stage: () => Stage) =>
  describe('a call', () => {
    let client: KubeClient
    beforeEach(async () => {
      client = await stage().client()
    })

    const put = (name: string) =>
      client.apply(
        ConfigMap,
        { metadata: { namespace: stage().namespace, name, labels: { watched: 'yes' } } },
        { fieldManager: 'test' },
      )
    const refTo = (name: string) => ({ namespace: stage().namespace, name })
    const requests = (meant: Match) =>
      stage().front.log.filter(({ method, path }) => meant(method, path)).length

    test.each([
      [401, 2],
      [403, 1],
      [409, 1],
      [410, 1],
      [500, 1],
      [502, 1],
      [503, 1],
      [504, 1],
    ])('that writes and is refused with %i is made %i times, and fails', async (status, tries) => {
      stage().faults.answer({ match: isWrite, status })

      await expect(put('refused')).rejects.toMatchObject({ status })

      expect(requests(isWrite)).toBe(tries)
      expect(stage().answers).toEqual(Array(tries).fill(`apply ${status}`))
      expect(await stage().stored()).toEqual([])
    })

    test.each([429, 500, 503])(
      'that is refused with %i and asked to come back does so, but not for ever',
      async (status) => {
        const off = stage().faults.answer({ match: isWrite, status, retryAfter: 0 })
        await expect(put('refused')).rejects.toMatchObject({ status })
        expect(requests(isWrite)).toBe(5)
        off()
        stage().faults.answer({ match: isWrite, status, retryAfter: 0, times: 4 })

        await put('late')

        expect(await stage().stored()).toEqual([expect.stringMatching(/^late /)])
      },
    )

    test('that is asked to come back in a while does not do so before', async () => {
      const clock = new FakeClock()
      const patient = await stage().client({ clock })
      await stage().put('a')
      stage().faults.answer({ status: 429, retryAfter: 7, times: 1 })

      const getting = patient.get(ConfigMap, refTo('a'))
      const timers = async () => clock.waiting
      // One for its deadline, and one for its pause.
      await until('the pause', timers, (count) => count === 2)
      await clock.advance(6_999)
      expect(requests(always)).toBe(1)
      await clock.advance(1)

      expect((await getting).metadata.name).toBe('a')
    })

    test('that has no time for the pause fails with the server’s own words', async () => {
      stage().faults.answer({ status: 429, retryAfter: 60 })

      const getting = client.get(ConfigMap, refTo('a'), { deadlineMs: 200 })

      await expect(getting).rejects.toMatchObject({ status: 429, retryAfterMs: 60_000 })
    })

    test('that gets no answer in time fails with a sentence', async () => {
      stage().faults.delay(always, Number.POSITIVE_INFINITY)

      const getting = client.get(ConfigMap, refTo('a'), { deadlineMs: 200 })

      const sentence = /^could not get configmaps \S+\/a: .* no answer within 0.2 s$/
      await expect(getting).rejects.toMatchObject({
        reason: 'Timeout',
        message: expect.stringMatching(sentence),
      })
    })

    test('whose answer stops half-way ends at its deadline', async () => {
      await stage().put('a')
      stage().faults.spoilBodies(always, 'stalls')

      const getting = client.get(ConfigMap, refTo('a'), { deadlineMs: 300 })

      await expect(getting).rejects.toMatchObject({ status: 0, reason: 'Timeout' })
      expect(stage().answers).toEqual(['get 200'])
    })

    test('whose answer breaks off half-way fails as unreachable', async () => {
      await stage().put('a')
      stage().faults.spoilBodies(always, 'breaks')

      const getting = client.get(ConfigMap, refTo('a'))

      await expect(getting).rejects.toMatchObject({ status: 0, reason: 'Unreachable' })
    })

    test('whose answer comes in bits succeeds', async () => {
      await stage().put('a', 'x'.repeat(1_000))
      stage().faults.spoilBodies(always, 'trickles')

      const { data } = await client.get(ConfigMap, refTo('a'))

      expect(data).toEqual({ value: 'x'.repeat(1_000) })
    })

    test('whose answer is lost fails as unreachable, is not repeated, and was done', async () => {
      stage().faults.hangUpAfterWrite(1)

      await expect(put('lost')).rejects.toMatchObject({ status: 0, reason: 'Unreachable' })

      expect(requests(isWrite)).toBe(1)
      expect(await stage().stored()).toEqual([expect.stringMatching(/^lost /)])
    })

    test('to nobody fails as unreachable', async () => {
      await stage().faults.refuseConnections(true)

      await expect(put('a')).rejects.toMatchObject({ status: 0, reason: 'Unreachable' })
      expect(stage().answers).toEqual(['apply 0'])
    })

    test('that waits can be aborted', async () => {
      stage().faults.delay(always, Number.POSITIVE_INFINITY)
      const stop = new AbortController()
      const waiting = client.get(ConfigMap, refTo('a'), { signal: stop.signal })

      stop.abort(new Error('enough'))

      await expect(waiting).rejects.toThrow('enough')
    })

    test.each([
      '{}',
      'null',
      '{"kind":"Status"}',
      '{"metadata":{"resourceVersion":"1"},"items":7}',
    ])(
      'for a list that is answered with %s is an error, and not the end of all objects',
      async (text) => {
        stage().faults.say(always, text)

        await expect(client.list(ConfigMap)).rejects.toMatchObject({ reason: 'Garbled' })
      },
    )
  })
