import { describe, expect, test } from 'vitest'
import { Lease } from '#api/foreign.ts'
import { type Clock, systemClock } from '#base/clock.ts'
import { until } from '#test/until.ts'
import { startOperatorOf } from './running-operator.ts'
import { type StartApi, stageOfBlock } from './stage.ts'
import { widgetController } from './widget.ts'

const MINUTE_MS = 60_000
const WIDGETS = 'widgets.tests.talos.alperen.cloud'

// Whoever leads does not notice for a while that the time has leapt, and so ends nothing because of it.
const SELDOM = {
  leaderElectionName: 'seldom-renewed',
  ...{ leaderElectionLeaseDuration: '60s', leaderElectionRenewDeadline: '40s' },
  leaderElectionRetryPeriod: '20s',
}

/** The time of this computer, which leaps ahead when it is told to. Timers do not: nothing ends because of it. */
class LeapingClock implements Clock {
  #aheadMs = 0

  readonly now = systemClock.now
  readonly after = systemClock.after

  monotonicMs(): number {
    return systemClock.monotonicMs() + this.#aheadMs
  }

  leap(ms: number): void {
    this.#aheadMs += ms
  }
}

/** What the probes of an operator say of it, whatever the API. */
export const probesContract = (name: string, startApi: StartApi) =>
  describe(`the probes of an operator, against ${name}`, () => {
    const stage = stageOfBlock(startApi)
    const start = (options: Omit<Parameters<typeof startOperatorOf>[0], 'kubeconfig'> = {}) =>
      startOperatorOf({ kubeconfig: stage().api.kubeconfig, ...options })

    test('R43: /healthz is about the event loop and passes, and fails when the loop was blocked', async () => {
      const clock = new LeapingClock()
      await using operator = await start({ clock })

      expect(await operator.get('/healthz?verbose')).toEqual({
        ...{ status: 200, body: 'event loop: ok\npasses: ok\n' },
      })
      clock.leap(20_000)
      const { status, body } = await operator.get('/healthz')
      expect(status).toBe(500)
      expect(body).toMatch(/^event loop: the event loop was blocked for 2\d s, more than 10 s\n$/)
    })

    test('R43: a pass that never ends makes it fail, and a look at it is enough to know which', async () => {
      const clock = new LeapingClock()
      let end = () => {}
      const ended = new Promise<void>((resolve) => {
        end = resolve
      })
      let begin = () => {}
      const begun = new Promise<void>((resolve) => {
        begin = resolve
      })
      const before = () => {
        begin()
        return ended
      }
      // Given back, so that nobody has to wait for it.
      await stage().client.create(Lease, {
        metadata: { name: SELDOM.leaderElectionName, namespace: 'default' },
        spec: { holderIdentity: '', leaseDurationSeconds: 1 },
      })
      await using operator = await start({
        ...{ clock, controllers: [widgetController({ before })], flags: SELDOM },
      })
      const { metadata } = await stage().make({ parts: 1 })
      await begun
      const early = await operator.get('/healthz')
      clock.leap(11 * MINUTE_MS)
      const late = await operator.get('/healthz')
      end()

      expect(early).toEqual({ status: 200, body: 'ok' })
      expect(late.status).toBe(500)
      expect(late.body).toMatch(
        new RegExp(
          `^passes: the pass over Widget default/${metadata.name} has taken 6\\d\\d s`,
          'm',
        ),
      )
    })

    test('R44: /readyz is about CRDs, caches and watches', async () => {
      await using operator = await start({ controllers: [widgetController()] })
      await operator.untilReady()

      expect(await operator.get('/readyz?verbose')).toEqual({
        ...{ status: 200, body: 'crds: ok\ncaches: ok\nwatches: ok\n' },
      })
    })

    test('R44: what cannot be listed makes it unready, and is named', async () => {
      const off = stage().api.faults.answer({
        match: (_method, path) => path.includes('/widgets'),
        status: 403,
      })
      await using operator = await start({ controllers: [widgetController()] })
      await operator.untilSaid('watch failed')
      const { status, body } = await operator.get('/readyz')
      off()
      await operator.untilReady()

      expect(status).toBe(500)
      expect(body).toMatch(new RegExp(`^caches: not listed yet: .*${WIDGETS}.*\n$`))
    })

    test('R44: a watch that is broken for more than two minutes makes it unready, until it works again', async () => {
      const clock = new LeapingClock()
      await using operator = await start({
        ...{ clock, controllers: [widgetController()] },
      })
      await operator.untilReady()
      const off = stage().api.faults.answer({
        match: (_method, path) => path.includes('/widgets?'),
        status: 500,
      })
      stage().api.faults.dropWatches()
      await operator.untilSaid('watch failed')
      clock.leap(MINUTE_MS)
      const early = await operator.get('/readyz')
      clock.leap(2 * MINUTE_MS)
      const late = await operator.get('/readyz')
      off()
      await until(
        'it to be ready again',
        () => operator.get('/readyz'),
        ({ status }) => status === 200,
      )

      expect(early).toEqual({ status: 200, body: 'ok' })
      expect(late.status).toBe(500)
      expect(late.body).toMatch(
        new RegExp(`^watches: no changes are seen of .*${WIDGETS} for 1\\d\\d s`),
      )
    })
  })
