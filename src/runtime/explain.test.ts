import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { RECONCILE_MODE } from '#api/labels.ts'
import { finalizerOf } from '#api/meta.ts'
import { systemClock } from '#base/clock.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { Stage } from '#test/conformance/runtime/stage.ts'
import { startEmbedded } from '#test/conformance/runtime/start-apis.ts'
import { Part, Widget, widgetController } from '#test/conformance/runtime/widget.ts'
import { until } from '#test/until.ts'
import { type Controller, defineController } from './controller.ts'
import { wantedBy } from './controller-run.ts'
import type { Definition } from './definition.ts'
import { Watches } from './watches.ts'

interface Step {
  do: 'work'
  on: string
}

let stage: Stage
beforeAll(async () => {
  const api = await startEmbedded()
  stage = new Stage(api, await clientOf(api))
})
afterAll(async () => {
  stage.client.close()
  await stage.api[Symbol.asyncDispose]()
})

/** Explains a widget as the command line does: with caches of its own, and no lead. */
async function explained(controller: Controller, name: string, signal?: AbortSignal) {
  const { client } = stage
  const clock = systemClock
  const watches = new Watches({ client, clock, namespaces: ['default'] }, wantedBy(controller))
  const stop = new AbortController()
  const running = watches.run(stop.signal)
  onTestFinished(async () => {
    stop.abort()
    await running
  })
  await watches.whenSynced(AbortSignal.timeout(20_000))
  stage.api.log.length = 0
  const key = `default/${name}`
  const tools = { client, clock, watches }
  return controller.explain({ tools, key, signal: signal ?? new AbortController().signal })
}

const aController = (rest: Partial<Definition<typeof Widget, object, Step>>) =>
  defineController<typeof Widget, object, Step>({
    kind: Widget,
    reads: [Part],
    observe: () => ({}),
    plan: () => ({ steps: [], status: {}, conditions: {} }),
    act: { work: async () => {} },
    ...rest,
  })

const writes = () => stage.api.log.filter(({ method }) => method !== 'GET')

test('says what a pass would do and say, in the words of its steps, and writes nothing', async () => {
  const { metadata } = await stage.make({ parts: 2 })

  const told = await explained(widgetController(), metadata.name)

  expect(told).toEqual({
    mode: 'reconcile',
    isLeaving: false,
    finished: false,
    steps: [
      { step: 'makePart', message: 'make part 0' },
      { step: 'makePart', message: 'make part 1' },
    ],
    conditions: {
      Ready: { ok: false, reason: 'Building', message: '2 missing, 0 too many' },
      Drawn: { ok: true, reason: 'Drawn', message: 'there is a blueprint' },
    },
    notices: [],
  })
  expect(writes()).toEqual([])
  const widget = await stage.get(metadata.name)
  expect([widget.metadata.finalizers, widget.status]).toEqual([undefined, undefined])
})

test('Ready says what the condition says that speaks against it, as in the status', async () => {
  const { metadata } = await stage.make({ parts: 1, blueprint: 'nowhere' })

  const told = await explained(widgetController(), metadata.name)

  expect(told?.conditions.Ready).toMatchObject({ ok: false, reason: 'NoBlueprint' })
})

test('a resource that is disabled is not looked at, not even for this', async () => {
  const { metadata } = await stage.make({ parts: 2 }, { mode: 'disable' })
  let looks = 0

  const told = await explained(
    widgetController({
      looked: () => {
        looks++
      },
    }),
    metadata.name,
  )

  expect(told).toMatchObject({ mode: 'disable', finished: false, steps: [], conditions: {} })
  expect(looks).toBe(0)
})

test('the mode of another that holds for it is the mode', async () => {
  const { metadata } = await stage.make({ parts: 0 })
  const annotations = { [RECONCILE_MODE]: 'dryrun' }
  const other = { kind: 'Whole', metadata: { name: 'other', annotations } }

  const told = await explained(aController({ modeFrom: () => [undefined, other] }), metadata.name)

  expect(told).toMatchObject({ mode: 'dryrun', modeFrom: 'Whole other' })
})

test('a resource that is being deleted is explained by its teardown', async () => {
  const { metadata } = await stage.make({ parts: 0 })
  const { name } = metadata
  await stage.edit(name, { metadata: { finalizers: [finalizerOf(Widget), 'tests.example/other'] } })
  const finalizers = (held: string[]) => stage.edit(name, { metadata: { finalizers: held } })
  await stage.remove(name)

  const finished = await explained(widgetController(), name)
  const waiting = await explained(
    aController({
      teardown: () => ({ steps: [{ do: 'work', on: 'it' }], status: {}, conditions: {} }),
    }),
    name,
  )
  await finalizers(['tests.example/other'])
  const notOurs = await explained(widgetController(), name)
  await finalizers([])

  expect(finished).toMatchObject({ isLeaving: true, finished: true, steps: [] })
  expect(waiting).toMatchObject({
    isLeaving: true,
    finished: false,
    steps: [{ step: 'work', message: 'work: on it' }],
  })
  expect(notOurs).toMatchObject({ isLeaving: true, finished: true, steps: [] })
})

test('notices and the time to look again are told; keys and tokens are not', async () => {
  const { metadata } = await stage.make({ parts: 0 }, { mode: 'halt' })
  const wakeAt = new Date('2030-01-01T00:00:00Z')
  const message = 'Bearer abcdefghijkl'
  const controller = aController({
    plan: () => ({
      steps: [{ do: 'work', on: message }],
      status: {},
      conditions: { Drawn: { ok: 'unknown', reason: 'Who', message } },
      notices: [{ type: 'Normal', reason: 'Told', message }],
      wakeAt,
    }),
  })

  const told = await explained(controller, metadata.name)

  expect(told?.wakeAt).toEqual(wakeAt)
  expect(told?.notices.map(({ reason }) => reason)).toEqual(['UnknownReconcileMode', 'Told'])
  expect(JSON.stringify(told)).toContain('***')
  expect(JSON.stringify(told)).not.toContain('abcdefghijkl')
})

test('what cannot be looked at is said to whoever asks', async () => {
  const { metadata } = await stage.make({ parts: 0 })
  const fails = aController({
    observe: async () => {
      throw new Error('no view')
    },
  })
  const hangs = aController({ observe: () => new Promise(() => {}), deadlines: { observeMs: 50 } })

  await expect(explained(fails, metadata.name)).rejects.toThrow('no view')
  await expect(explained(hangs, metadata.name)).rejects.toThrow('no answer within 0.05 s')
})

test('of what is not there nothing is said', async () => {
  expect(await explained(widgetController(), 'nobody')).toBeUndefined()
})

test('a controller whose process explained itself is left as it was', async () => {
  await using _running = await stage.run()
  const { metadata } = await stage.make({ parts: 1 })
  await stage.untilBuilt(metadata.name, 1)

  const told = await until(
    'nothing left to do',
    () => explained(widgetController(), metadata.name),
    (seen) => seen?.steps.length === 0,
  )

  expect(told?.conditions.Ready).toMatchObject({ ok: true, reason: 'Built' })
})
