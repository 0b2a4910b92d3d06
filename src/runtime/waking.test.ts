import { afterAll, beforeAll, expect, test } from 'vitest'
import { RECONCILE_MODE } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import {
  type RunningControllers,
  startControllers,
} from '#test/conformance/runtime/running-controllers.ts'
import { Stage } from '#test/conformance/runtime/stage.ts'
import { startEmbedded } from '#test/conformance/runtime/start-apis.ts'
import { Part, Widget } from '#test/conformance/runtime/widget.ts'
import { until } from '#test/until.ts'
import { defineController, ownedBy } from './controller.ts'
import type { Definition } from './definition.ts'

interface Step {
  do: 'work'
}
type Rest = Partial<Definition<typeof Widget, object, Step>>

const namespace = 'default'

let stage: Stage
beforeAll(async () => {
  const api = await startEmbedded()
  stage = new Stage(api, await clientOf(api))
})
afterAll(async () => {
  stage.client.close()
  await stage.api[Symbol.asyncDispose]()
})

/** Runs a controller that has nothing to do but to look, and tells whom it looked at. */
async function run(rest: Rest): Promise<RunningControllers & { looks: string[] }> {
  const looks: string[] = []
  const controller = defineController<typeof Widget, object, Step>({
    kind: Widget,
    reads: [Part],
    observe: ({ metadata }) => {
      looks.push(metadata.name)
      return {}
    },
    plan: () => ({ steps: [], status: {}, conditions: {} }),
    act: { work: async () => {} },
    ...rest,
  })
  const running = await startControllers({ client: stage.client, controllers: [controller] })
  return Object.assign(running, { looks })
}

const looksAt = (looks: string[], name: string) => looks.filter((one) => one === name).length

const untilLookedAt = (looks: string[], name: string, times: number) =>
  until(
    `${times} looks at ${name}`,
    async () => looksAt(looks, name),
    (seen) => seen >= times,
  )

/** What changes later is looked at later: by then there was time for what changed before, which waits a moment for more. */
async function aWhile(looks: string[]): Promise<void> {
  const { metadata } = await stage.make({ parts: 0 })
  await untilLookedAt(looks, metadata.name, 1)
  await makePart(stage.newName(), { ownerReferences: [ownedBy(Widget, { metadata })] })
  await untilLookedAt(looks, metadata.name, 2)
}

const makePart = (name: string, metadata: Partial<KubeObject['metadata']> = {}) =>
  stage.client.create(Part, { metadata: { ...metadata, namespace, name }, spec: { number: 0 } })

const inMode = (mode: string) => ({ annotations: { [RECONCILE_MODE]: mode } })

/** Waits until the controller can know of a part. */
const untilCached = ({ watches }: RunningControllers, name: string) =>
  until(`part ${name}`, async () => watches.get(Part, `${namespace}/${name}`), Boolean)

const setPartMode = (name: string, mode: string | null) =>
  stage.client.patch(
    Part,
    { namespace, name },
    { type: 'merge', body: { metadata: { annotations: { [RECONCILE_MODE]: mode } } } },
  )

const work = () => ({ steps: [{ do: 'work' as const }], status: {}, conditions: {} })

/** The part that a widget names; and one that names it, which the widget knows nothing of. */
const byBlueprint: Rest = {
  reads: [{ kind: Part, namedBy: ({ spec }) => (spec.blueprint ? [spec.blueprint] : []) }],
  modeFrom: ({ spec }, read) => [spec.blueprint ? read.get(Part, spec.blueprint) : undefined],
}
const byItsName: Rest = {
  modeFrom: ({ metadata }, read) =>
    read.list(Part).filter((part) => part.metadata.name === `of-${metadata.name}`),
}

test.each([
  ['that it names', byBlueprint, (name: string) => `blueprint-${name}`],
  ['that it does not name', byItsName, (name: string) => `of-${name}`],
])(
  'the mode of an object %s stops a resource, and lets it go on when it is taken back',
  async (_, rest, partOf) => {
    await using running = await run(rest)
    const name = stage.newName()
    await makePart(partOf(name), inMode('disable'))
    await untilCached(running, partOf(name))
    await stage.make({ parts: 0, blueprint: partOf(name) }, { name })
    await aWhile(running.looks)
    expect(looksAt(running.looks, name)).toBe(0)

    await setPartMode(partOf(name), null)
    await untilLookedAt(running.looks, name, 1)
    await setPartMode(partOf(name), 'disable')
    await until(
      'the part to be disabled',
      async () => running.watches.get(Part, `${namespace}/${partOf(name)}`)?.metadata.annotations,
      (annotations) => annotations?.[RECONCILE_MODE] === 'disable',
    )
    await aWhile(running.looks)
    const before = looksAt(running.looks, name)
    await stage.edit(name, { spec: { parts: 1 } })
    await aWhile(running.looks)

    expect(looksAt(running.looks, name)).toBe(before)
  },
)

test('a resource goes on when the object that stopped it goes', async () => {
  await using running = await run(byItsName)
  const name = stage.newName()
  await makePart(`of-${name}`, inMode('disable'))
  await untilCached(running, `of-${name}`)
  await stage.make({ parts: 0 }, { name })
  await aWhile(running.looks)
  expect(looksAt(running.looks, name)).toBe(0)

  await stage.client.remove(Part, { namespace, name: `of-${name}` })

  await untilLookedAt(running.looks, name, 1)
})

test('an object wakes those that it matters to by its declaration, when more than its status is another', async () => {
  await using running = await run({
    reads: [
      {
        kind: Part,
        wakes: ({ metadata }, read) =>
          read
            .list(Widget)
            .filter((widget) => metadata.name === `for-${widget.metadata.name}`)
            .map((widget) => widget.metadata.name),
      },
    ],
  })
  const { metadata } = await stage.make({ parts: 0 })
  const { name } = metadata
  const untilWoken = async (change: () => Promise<unknown>) => {
    await aWhile(running.looks)
    const before = looksAt(running.looks, name)
    await change()
    await untilLookedAt(running.looks, name, before + 1)
  }
  await untilWoken(() => makePart(`for-${name}`))
  await untilWoken(() => setPartMode(`for-${name}`, 'reconcile'))
  await aWhile(running.looks)
  const before = looksAt(running.looks, name)
  await stage.client.patch(
    Part,
    { namespace, name: `for-${name}`, subresource: 'status' },
    { type: 'merge', body: { status: { conditions: [] } } },
  )
  await until(
    'the status',
    async () => running.watches.get(Part, `${namespace}/for-${name}`),
    (part) => part?.status?.conditions !== undefined,
  )
  await aWhile(running.looks)

  expect(looksAt(running.looks, name)).toBe(before)
})

test('what nobody looks at in the status of an object wakes neither those that name it nor those that own it', async () => {
  await using running = await run({
    reads: [
      {
        kind: Part,
        namedBy: ({ spec }) => (spec.blueprint ? [spec.blueprint] : []),
        statusFields: [],
      },
    ],
  })
  const name = stage.newName()
  const [part, owner] = [`blueprint-${name}`, `owner-${name}`]
  const { metadata } = await stage.make({ parts: 0 }, { name: owner })
  await untilLookedAt(running.looks, owner, 1)
  await makePart(part, { ownerReferences: [ownedBy(Widget, { metadata })] })
  await untilLookedAt(running.looks, owner, 2)
  await stage.make({ parts: 0, blueprint: part }, { name })
  await untilLookedAt(running.looks, name, 1)
  await aWhile(running.looks)
  const looks = () => [name, owner].map((one) => looksAt(running.looks, one))
  const before = looks()
  await stage.client.patch(
    Part,
    { namespace, name: part, subresource: 'status' },
    { type: 'merge', body: { status: { conditions: [] } } },
  )
  await until(
    'the status',
    async () => running.watches.get(Part, `${namespace}/${part}`),
    (found) => found?.status?.conditions !== undefined,
  )
  await aWhile(running.looks)
  const afterStatus = looks()
  await setPartMode(part, 'reconcile')
  for (const [at, one] of [name, owner].entries()) {
    await untilLookedAt(running.looks, one, (before[at] ?? 0) + 1)
  }

  expect(afterStatus).toEqual(before)
})

test('deletion work stops with it, too', async () => {
  let isDown = false
  await using running = await run({
    ...byItsName,
    teardown: () => {
      isDown = true
      return 'finished'
    },
  })
  const { metadata } = await stage.make({ parts: 0 })
  const { name } = metadata
  await stage.until(name, 'to be held', (widget) => Boolean(widget.metadata.finalizers?.length))
  await makePart(`of-${name}`, inMode('disable'))
  await untilCached(running, `of-${name}`)
  await stage.remove(name)
  await aWhile(running.looks)
  expect(isDown).toBe(false)

  await setPartMode(`of-${name}`, 'reconcile')

  await stage.untilGone(name)
  expect(isDown).toBe(true)
})

test('a dry run of an object makes one of the resource: events are all that is written', async () => {
  const worked: string[] = []
  await using running = await run({
    ...byItsName,
    plan: work,
    act: { work: async (_step, { resource }) => worked.push(resource.metadata.name) },
  })
  const name = stage.newName()
  await makePart(`of-${name}`, inMode('dryrun'))
  await untilCached(running, `of-${name}`)
  await stage.make({ parts: 0 }, { name })

  const events = await until(
    'the event',
    () => stage.events(name),
    (seen) => seen.length > 0,
  )

  expect(events).toEqual(['DryRun would work'])
  expect(worked).not.toContain(name)
  expect((await stage.get(name)).status).toBeUndefined()
})

test('what happens elsewhere wakes the resource that it is about, until the controller stops', async () => {
  let wake: ((key: string) => void) | undefined
  let signal: AbortSignal | undefined
  const running = await run({
    wokenBy: (waker, until) => {
      wake = waker
      signal = until
    },
  })
  const { metadata } = await stage.make({ parts: 0 })
  await untilLookedAt(running.looks, metadata.name, 1)
  await aWhile(running.looks)
  const before = looksAt(running.looks, metadata.name)

  wake?.(`${namespace}/nobody`)
  wake?.(`${namespace}/${metadata.name}`)
  await untilLookedAt(running.looks, metadata.name, before + 1)
  expect(running.looks).not.toContain('nobody')
  expect(signal?.aborted).toBe(false)
  await running[Symbol.asyncDispose]()
  const all = running.looks.length
  wake?.(`${namespace}/${metadata.name}`)

  expect([signal?.aborted, running.looks.length]).toEqual([true, all])
})

test('a controller that cannot be woken from elsewhere says so, and runs all the same', async () => {
  await using running = await run({
    wokenBy: () => {
      throw new Error('nobody is there')
    },
  })
  const { metadata } = await stage.make({ parts: 0 })

  await untilLookedAt(running.looks, metadata.name, 1)

  expect(running.lines).toContain('error not woken from elsewhere: nobody is there')
})
