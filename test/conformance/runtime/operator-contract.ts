import { describe, expect, test } from 'vitest'
import { Lease } from '#api/foreign.ts'
import type { Faults } from '#test/misbehaving/faults.ts'
import { until } from '#test/until.ts'
import { startOperatorOf } from './running-operator.ts'
import { type StartApi, stageOfBlock } from './stage.ts'
import { widgetController } from './widget.ts'

/** What the operator as a whole promises, whatever the API. */
export const operatorContract = (name: string, startApi: StartApi) =>
  describe(`the operator, against ${name}`, () => {
    const stage = stageOfBlock(startApi)
    const start = (options: Omit<Parameters<typeof startOperatorOf>[0], 'kubeconfig'> = {}) =>
      startOperatorOf({ kubeconfig: stage().api.kubeconfig, ...options })

    test('becomes ready, says what it does, and gives its Lease back when it is stopped', async () => {
      const operator = await start()

      await operator.untilReady()
      const [starting] = await operator.untilSaid('starting')
      await operator.untilSaid('leading')
      const { status: answered, body: metrics } = await operator.get('/metrics')
      const health = await operator.get('/healthz')
      await operator.stop()
      const lease = await stage().client.get(Lease, {
        name: 'talos-operator',
        namespace: 'default',
      })

      expect(starting).toMatchObject({ level: 'info', version: '1.2.3', concurrency: 10 })
      expect(health).toEqual({ status: 200, body: 'ok' })
      expect(answered).toBe(200)
      expect(metrics).toContain('talos_operator_leader 1')
      expect(metrics).toMatch(/talos_operator_api_requests_total{verb="update",code="200"} \d/)
      expect(lease.spec?.holderIdentity ?? '').toBe('')
      expect(operator.lines.map(({ message }) => message).slice(-3)).toEqual([
        'stopping',
        'lease given back',
        'stopped',
      ])
    })

    test('is not ready while the API does not answer, says why, and recovers', async () => {
      await stage().api.faults.refuseConnections(true)
      await using operator = await start()

      await operator.untilSaid('waiting for the API')
      const { status, body } = await operator.get('/readyz')
      const { status: health } = await operator.get('/healthz')
      await stage().api.faults.refuseConnections(false)
      await operator.untilReady()

      expect(status).toBe(500)
      expect(body).toMatch(/crds: could not .*gave no answer/)
      // A restart would not bring the API back.
      expect(health).toBe(200)
    })

    test('is not ready while the CRDs are missing, and says how to install them', async () => {
      const off = stage().api.faults.answer({
        match: (_method, path) => path.startsWith('/apis/talos.alperen.cloud/v1alpha1'),
        status: 404,
      })
      await using operator = await start()

      await operator.untilSaid('waiting for the API')
      const { body } = await operator.get('/readyz')
      off()
      await operator.untilReady()

      expect(body).toContain('the API does not serve talosclusters.talos.alperen.cloud')
      expect(body).toContain('talos-operator manifests | kubectl apply')
    })

    test('an address that is taken stops it with a sentence', async () => {
      const port = new URL(stage().api.url).port

      const operator = start({ flags: { metricsBindAddress: `localhost:${port}` } })

      await expect(operator).rejects.toThrow(
        /cannot serve metrics on .* another program listens there/,
      )
    })

    test('what objects say of themselves is counted by who works and who stands by alike', async () => {
      await using first = await start({ controllers: [widgetController()] })
      await first.untilSaid('leading')
      await using second = await start({ controllers: [widgetController()] })
      await second.untilSaid('standing by')

      const { metadata } = await stage().make({ parts: 1 })
      await stage().untilBuilt(metadata.name, 1)

      const counted = /^talos_operator_conditions\{kind="Widget",type="Ready",status="True".*\} \d/m
      const named = `object_name="${metadata.name}"`
      const look = async () =>
        (await Promise.all([first, second].map((one) => one.get('/metrics')))).map(
          ({ body }) => counted.test(body) && !body.includes(named),
        )
      const seen = await until('both to count it', look, (said) => said.every(Boolean))
      expect(seen).toEqual([true, true])
    })

    test('of two operators one works, and the other takes over when it stops', async () => {
      const first = await start({ controllers: [widgetController()] })
      await first.untilSaid('leading')
      await using second = await start({ controllers: [widgetController()] })
      await second.untilReady()
      await second.untilSaid('standing by')

      const one = await stage().make({ parts: 1 })
      await stage().untilBuilt(one.metadata.name, 1)
      const stepsOfSecond = second.lines.filter(({ message }) => message === 'step done')
      await first.stop()
      await second.untilSaid('leading')
      const two = await stage().make({ parts: 1 })
      await stage().untilBuilt(two.metadata.name, 1)

      expect(stepsOfSecond).toEqual([])
      expect(first.lines.filter(({ message }) => message === 'step done')).toHaveLength(1)
      expect(second.lines.filter(({ message }) => message === 'step done')).toHaveLength(1)
    })

    test('whoever runs it within something else is told what it is at', async () => {
      const refused = { match: (_: string, path: string) => path.includes('/parts'), status: 403 }
      const off = stage().api.faults.answer({ ...refused, times: 1 })
      const operator = await start({ controllers: [widgetController()] })
      await until(
        'it to work',
        async () => operator.states,
        (states) => states.some(({ state }) => state === 'working'),
      )
      off()
      await operator.stop()

      const kinds = operator.states.flatMap((one) => (one.state === 'blind' ? [one.kind.kind] : []))
      const rest = operator.states.map(({ state }) => state).filter((state) => state !== 'blind')
      expect(kinds).toEqual(['Part'])
      expect(rest.slice(-3)).toEqual(['leading', 'working', 'released'])
    })

    test('with a scope it works for nothing else', async () => {
      const [inside, outside] = [await stage().make({ parts: 1 }), await stage().make({ parts: 1 })]
      const scope = (_kind: unknown, key: string) => key === `default/${inside.metadata.name}`
      await using operator = await start({ controllers: [widgetController()], scope })
      await stage().untilBuilt(inside.metadata.name, 1)
      await operator.stop()

      expect(await stage().parts(outside.metadata.name)).toEqual([])
      // The operators of other tests have no scope.
      await stage().remove(outside.metadata.name)
    })

    test('every line of a pass says which resource it is about', async () => {
      await using operator = await start({ controllers: [widgetController()] })
      const { metadata } = await stage().make({ parts: 1 })
      await stage().untilBuilt(metadata.name, 1)

      const [done] = await operator.untilSaid('step done')

      expect(done).toMatchObject({
        level: 'info',
        controller: 'Widget',
        cluster: metadata.name,
        namespace: 'default',
        name: metadata.name,
        generation: 1,
        step: 'makePart',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        reconcileID: expect.stringMatching(/^Widget-\d+$/),
      })
    })

    test('a leader that cannot renew its Lease stops acting, and leads again when it can', async () => {
      await using operator = await start({ controllers: [widgetController()] })
      await operator.untilSaid('leading')
      const off = stage().api.faults.answer({
        match: (_method, path) => path.includes('/leases/'),
        status: 500,
      })
      await operator.untilSaid('leadership lost')

      const { metadata } = await stage().make({ parts: 1 })
      const { body } = await operator.get('/metrics')
      const partsMeanwhile = await stage().parts(metadata.name)
      off()
      await stage().untilBuilt(metadata.name, 1)

      expect(body).toContain('talos_operator_leader 0')
      expect(partsMeanwhile).toEqual([])
    })

    test.each(faults)(
      '$what is seen in the log and in the metrics',
      async ({ on, line, metric }) => {
        await using operator = await start({ controllers: [widgetController()] })
        await operator.untilReady()
        await operator.untilSaid('leading')
        await until(
          'the watches to be open',
          async () => stage().api.watchers,
          (open) => open === 2,
        )

        const off = await on(stage().api.faults)
        const name = stage().newName()
        await stage()
          .make({ parts: 1 }, { name })
          .catch(() => {})
        const isTold = (one: object) =>
          Object.entries(line).every(
            ([key, value]) => new Map(Object.entries(one)).get(key) === value,
          )
        const told = await until(
          `the log to say ${JSON.stringify(line)}`,
          async () => operator.lines.some(isTold),
          (found) => found,
        )
        off?.()
        const look = async () => (await operator.get('/metrics')).body.match(metric)?.[0]
        const measured = await until(`${metric}`, look, (found) => found !== undefined)

        expect(told).toBe(true)
        expect(measured).toBeDefined()
      },
    )
  })

interface VisibleFault {
  what: string
  on(faults: Faults): (() => void) | undefined | Promise<undefined>
  line: { message: string; level: string }
  metric: RegExp
}

const WIDGETS = 'widgets.tests.talos.alperen.cloud'
const failedWatch = { message: 'watch failed', level: 'warn', kind: WIDGETS }
const restarts = (reason: string) =>
  new RegExp(`talos_operator_watch_restarts_total{kind="${WIDGETS}",reason="${reason}"} [1-9]`)
const answers = (code: number) =>
  new RegExp(`talos_operator_api_requests_total{verb="[a-z]+",code="${code}"} [1-9]`)

const onWatches = (text: string) => async (faults: Faults) => {
  await faults.sendOnWatches(text)
  return undefined
}
const onWrites = (status: number) => (faults: Faults) =>
  faults.answer({
    match: (method, path) => method === 'PATCH' && path.includes('/widgets/'),
    ...{ status, times: 20, retryAfter: 0 },
  })

const faults: VisibleFault[] = [
  {
    what: 'a watch that is dropped',
    on: (api) => {
      api.dropWatches()
      return undefined
    },
    line: failedWatch,
    metric: restarts('failed'),
  },
  {
    what: 'garbage on a watch',
    on: onWatches('<html>\n'),
    line: failedWatch,
    metric: restarts('tooOld'),
  },
  {
    what: 'an ERROR on a watch',
    on: onWatches('{"type":"ERROR","object":{"code":500,"reason":"InternalError"}}\n'),
    line: failedWatch,
    metric: restarts('failed'),
  },
  ...[403, 429, 500].map((status) => ({
    what: `a write that is refused with ${status}`,
    on: onWrites(status),
    line: { message: 'pass failed', level: 'error', controller: 'Widget' },
    metric: answers(status),
  })),
  {
    what: 'a Conflict',
    on: onWrites(409),
    line: { message: 'changed meanwhile', level: 'debug', controller: 'Widget' },
    metric: answers(409),
  },
]
