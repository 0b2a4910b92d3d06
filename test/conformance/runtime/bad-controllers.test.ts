import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { OperatorError } from '#base/operator-error.ts'
import { defineController, ownedBy } from '#runtime/controller.ts'
import type { Definition } from '#runtime/definition.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { until } from '#test/until.ts'
import { type RunningControllers, startControllers } from './running-controllers.ts'
import { conditionOf, Stage } from './stage.ts'
import { startEmbedded } from './start-apis.ts'
import { Part, Widget } from './widget.ts'

// What a controller that is badly written cannot do: hang, run hot, hide its failures, or harm others.

interface Step {
  do: 'work'
}
type Bad = Partial<Definition<typeof Widget, object, Step>>

const NAMESPACE = 'default'
const nothingToDo = () => ({ steps: [], status: {}, conditions: {} })
const work = () => ({ ...nothingToDo(), steps: [{ do: 'work' as const }] })
const never = () => new Promise<never>(() => {})
const refuse = () => {
  throw new OperatorError('ValidationError', { message: 'this makes no sense' })
}

let stage: Stage
beforeAll(async () => {
  const api = await startEmbedded()
  stage = new Stage(api, await clientOf(api))
})
// What is left of one test would keep the controller of the next one busy.
afterEach(async () => {
  for (const kind of [Widget, Part]) {
    const { items } = await stage.client.list(kind)
    for (const { metadata } of items) await stage.client.remove(kind, metadata)
  }
})
afterAll(async () => {
  stage.client.close()
  await stage.api[Symbol.asyncDispose]()
})

/** Runs a controller that differs from a good one in this. */
const run = (bad: Bad): Promise<RunningControllers> =>
  startControllers({
    client: stage.client,
    controllers: [
      defineController<typeof Widget, object, Step>({
        kind: Widget,
        reads: [Part],
        writes: [Part],
        observe: () => ({}),
        plan: nothingToDo,
        act: { work: async () => {} },
        ...bad,
      }),
    ],
  })

const ready = async (name: string) => conditionOf(await stage.get(name), 'Ready')

const untilReady = (name: string, reason: string) =>
  until(
    `${name} to be ${reason}`,
    () => ready(name),
    (found) => found?.reason === reason,
  )

const make = async () => (await stage.make({ parts: 0 })).metadata.name

const untilWarned = ({ lines }: RunningControllers, line: string, times = 1) =>
  until(
    line,
    async () => lines.filter((one) => one === line).length,
    (seen) => seen >= times,
  )

describe('a part that hangs, whatever its signal says', () => {
  test('when it looks, is given up and shown, and keeps nobody from stopping', async () => {
    const running = await run({ observe: never, deadlines: { observeMs: 50 } })
    const name = await make()

    const found = await untilReady(name, 'UnknownError')
    await running[Symbol.asyncDispose]()

    expect(found?.message).toBe('no answer within 0.05 s')
  })

  test('when it acts, is given up and shown, and cannot write any more', async () => {
    let goOn = () => {}
    const late = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const outcomes: unknown[] = []
    await using _running = await run({
      plan: work,
      deadlines: { actMs: 50 },
      act: {
        work: async (_step, { resource: { metadata }, write }) => {
          await late
          const part = { metadata: { name: metadata.name }, spec: { number: 0 } }
          await write.create(Part, part).catch((error) => outcomes.push(error.message))
        },
      },
    })
    const name = await make()

    const found = await untilReady(name, 'UnknownError')
    goOn()
    await until(
      'it to go on',
      async () => outcomes,
      (seen) => seen.length > 0,
    )

    expect([found?.message, outcomes[0]]).toEqual([
      'no answer within 0.05 s',
      'no answer within 0.05 s',
    ])
    expect(await stage.client.find(Part, { namespace: NAMESPACE, name })).toBeUndefined()
  })
})

describe('a plan that gets nowhere', () => {
  test('is slowed down, even if its steps change what wakes it', async () => {
    let times = 0
    await using running = await run({
      plan: work,
      act: {
        work: (_step, { resource: widget, write }) =>
          write.apply(Part, {
            metadata: {
              name: widget.metadata.name,
              annotations: { times: `${++times}` },
              ownerReferences: [ownedBy(Widget, widget)],
            },
            spec: { number: 0 },
          }),
      },
    })
    await make()

    await untilWarned(running, 'warn the same steps again', 2)

    expect(times).toBe(5)
    expect(running.lines.filter((line) => line.startsWith('error'))).toEqual([])
  })

  test('is not looked at without a pause because it is due already', async () => {
    const looks: number[] = []
    await using _running = await run({
      observe: ({ metadata }) => {
        if (metadata.name === name) looks.push(performance.now())
        return {}
      },
      plan: (_widget, _world, now) => ({ ...nothingToDo(), wakeAt: now }),
    })
    const name = await make()

    const [, second = 0, third = 0] = await until(
      'three looks',
      async () => looks,
      (seen) => seen.length >= 3,
    )

    expect(third - second).toBeGreaterThan(900)
  })

  test('is told of if it wakes at no time', async () => {
    await using running = await run({
      plan: () => ({ ...nothingToDo(), wakeAt: new Date(Number.NaN) }),
    })
    await make()

    await untilWarned(running, 'error pass failed: the plan wakes at no time')

    expect(await running.metrics.text()).toContain('error_type="UnknownError"')
  })
})

describe('what fails is shown', () => {
  test('even if it does not say why', async () => {
    await using _running = await run({ observe: () => Promise.reject() })
    const name = await make()

    const found = await untilReady(name, 'UnknownError')

    expect(found).toMatchObject({ status: 'False', message: 'it failed without saying why' })
  })

  test('if nobody can tell the cluster of a resource', async () => {
    await using _running = await run({
      clusterOf: () => {
        throw new Error('no cluster')
      },
    })

    expect(await untilReady(await make(), 'AsWanted')).toMatchObject({ status: 'True' })
  })

  test('if there are no words for a step, which is then not done', async () => {
    const done: string[] = []
    await using _running = await run({
      plan: work,
      act: { work: async () => void done.push('work') },
      tell: {
        work: () => {
          throw new Error('no words')
        },
      },
    })

    const found = await untilReady(await make(), 'UnknownError')

    expect([found?.message, done]).toEqual(['no words', []])
  })

  test('if the server does not take the status', async () => {
    const name = stage.newName()
    const off = stage.api.faults.answer({
      match: (method, path) => method === 'PATCH' && path.includes(`/${name}/status`),
      ...{ status: 422, reason: 'Invalid', times: 1 },
    })
    await using _running = await run({})
    await stage.make({ parts: 0 }, { name })

    const found = await untilReady(name, 'UnknownError')
    off()

    expect(found?.message).toContain('a test wants this request to fail')
    await untilReady(name, 'AsWanted')
  })
})

describe('what cannot work before an edit', () => {
  test('is shown in the end, if that did not work at first', async () => {
    const name = stage.newName()
    const off = stage.api.faults.answer({
      match: (method, path) => method === 'PATCH' && path.includes(`/${name}/status`),
      ...{ status: 500, times: 1 },
    })
    await using running = await run({ plan: refuse })
    await stage.make({ parts: 0 }, { name })

    await untilReady(name, 'ValidationError')
    off()

    expect(running.lines.filter((line) => line.startsWith('warn status not written'))).toHaveLength(
      1,
    )
  })

  test('is shown again when the status is wiped', async () => {
    await using _running = await run({ plan: refuse })
    const name = await make()
    await untilReady(name, 'ValidationError')

    await stage.client.patch(
      Widget,
      { namespace: NAMESPACE, name, subresource: 'status' },
      { type: 'merge', body: { status: null } },
    )

    expect(await untilReady(name, 'ValidationError')).toBeDefined()
  })
})

test('a step that is cut short because we are to stop is not told as a failure', async () => {
  const begun: string[] = []
  const running = await run({
    plan: work,
    act: {
      work: (_step, { resource: { metadata }, write }) =>
        new Promise((_resolve, reject) => {
          begun.push(metadata.name)
          write.signal.addEventListener('abort', () => reject(write.signal.reason))
        }),
    },
  })
  const name = await make()
  await until(
    'the step',
    async () => begun,
    (seen) => seen.includes(name),
  )

  await running[Symbol.asyncDispose]()

  expect(await stage.events(name)).toEqual([])
  expect(await ready(name)).toBeUndefined()
})

describe('in mode dryrun', () => {
  const events = (name: string, reason: string) =>
    until(
      `an event ${reason}`,
      async () => (await stage.events(name)).filter((event) => event.startsWith(reason)),
      (found) => found.length > 0,
    )

  test('what is to be noticed is told', async () => {
    const notices = [{ type: 'Warning' as const, reason: 'OldVersion', message: 'this is old' }]
    await using _running = await run({ plan: () => ({ ...nothingToDo(), notices }) })

    const { metadata } = await stage.make({ parts: 0 }, { mode: 'dryrun' })

    expect(await events(metadata.name, 'OldVersion')).toEqual(['OldVersion this is old'])
  })

  test('why nothing would be done is told, if that is not as it should be', async () => {
    const Ready = { ok: false, reason: 'NoGlue', message: 'there is no glue' }
    await using _running = await run({ plan: () => ({ ...nothingToDo(), conditions: { Ready } }) })

    const { metadata } = await stage.make({ parts: 0 }, { mode: 'dryrun' })

    expect(await events(metadata.name, 'DryRun')).toEqual([
      'DryRun would do nothing now: there is no glue (NoGlue)',
    ])
  })

  test('what fails is told, and written nowhere else', async () => {
    await using _running = await run({ plan: refuse })

    const { metadata } = await stage.make({ parts: 0 }, { mode: 'dryrun' })

    expect(await events(metadata.name, 'DryRunFailed')).toEqual([
      'DryRunFailed this makes no sense',
    ])
    expect((await stage.get(metadata.name)).metadata.resourceVersion).toBe(metadata.resourceVersion)
  })
})

test('what is to be known of a resource that goes is told when it does', async () => {
  const notices = [{ type: 'Warning' as const, reason: 'LeftBehind', message: 'its parts stay' }]
  await using _running = await run({ teardown: () => ({ finished: true, notices }) })
  const { metadata } = await stage.make({ parts: 0 })
  await stage.until(metadata.name, 'to be held', (one) => Boolean(one.metadata.finalizers?.length))

  await stage.remove(metadata.name)

  await until(
    'the event',
    () => stage.events(metadata.name),
    (found) => found.join() === 'LeftBehind its parts stay',
  )
})

test('a resource that goes while it is passed over is nobody’s failure', async () => {
  await using running = await run({
    plan: work,
    act: { work: (_step, { resource }) => stage.remove(resource.metadata.name) },
  })

  await make()
  await untilWarned(running, 'debug pass done')

  expect(running.lines.filter((line) => line.startsWith('error'))).toEqual([])
})
