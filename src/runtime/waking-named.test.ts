import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { startControllers } from '#test/conformance/runtime/running-controllers.ts'
import { Stage } from '#test/conformance/runtime/stage.ts'
import { startEmbedded } from '#test/conformance/runtime/start-apis.ts'
import { Part, Widget } from '#test/conformance/runtime/widget.ts'
import { until } from '#test/until.ts'
import { defineController } from './controller.ts'
import type { Definition } from './definition.ts'

type Rest = Partial<Definition<typeof Widget, object, { do: 'nothing' }>>

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

/** Runs a controller that does nothing but look, and tells whom it looked at. */
async function run(rest: Rest) {
  const looks: string[] = []
  const controller = defineController<typeof Widget, object, { do: 'nothing' }>({
    kind: Widget,
    observe: ({ metadata }) => {
      looks.push(metadata.name)
      return {}
    },
    plan: () => ({ steps: [], status: {}, conditions: {} }),
    act: { nothing: async () => {} },
    ...rest,
  })
  const running = await startControllers({ client: stage.client, controllers: [controller] })
  return Object.assign(running, { looks })
}

const untilLookedAt = (looks: string[], name: string) =>
  until(
    `a look at ${name}`,
    async () => looks,
    () => looks.includes(name),
  )

const anyPart: Rest = {
  readsAny: ({ spec }) =>
    spec.blueprint
      ? [{ apiVersion: 'tests.talos.alperen.cloud/v1', kind: 'Part', name: spec.blueprint }]
      : [],
}
const aConfigMap: Rest = {
  reads: [
    {
      ...{ kind: ConfigMap, from: 'api' as const },
      namedBy: ({ spec }) => (spec.blueprint ? [spec.blueprint] : []),
    },
  ],
}
const makePart = (name: string) =>
  stage.client.create(Part, { metadata: { namespace, name }, spec: { number: 0 } })
const makeConfigMap = (name: string) =>
  stage.client.create(ConfigMap, { metadata: { namespace, name } })

test.each([
  ['of a kind that only users name', anyPart, makePart],
  ['that is asked of the server', aConfigMap, makeConfigMap],
])('an object %s wakes those that name it, whenever they began to', async (_, rest, make) => {
  const [early, later, other] = [stage.newName(), stage.newName(), stage.newName()]
  await stage.make({ parts: 0, blueprint: `one-${early}` }, { name: early })
  await using running = await run(rest)
  await stage.make({ parts: 0, blueprint: `two-${early}` }, { name: later })
  await stage.make({ parts: 0 }, { name: other })
  for (const name of [early, later, other]) await untilLookedAt(running.looks, name)
  await stage.edit(other, { spec: { parts: 1, blueprint: `one-${early}` } })
  await until(
    'the watches',
    async () => running.watches.named.size,
    (size) => size > 0,
  )

  running.looks.length = 0
  await make(`one-${early}`)
  await untilLookedAt(running.looks, early)
  await untilLookedAt(running.looks, other)
  await make(`two-${early}`)
  await untilLookedAt(running.looks, later)
})

test('a resource that is gone, or names nothing any more, has nothing watched', async () => {
  await using running = await run(anyPart)
  const size = (wanted: number) =>
    until(
      `${wanted} watches`,
      async () => running.watches.named.size,
      (seen) => seen === wanted,
    )
  const { metadata } = await stage.make({ parts: 0, blueprint: 'one' })
  await size(1)
  await stage.edit(metadata.name, { spec: { blueprint: null } })
  // Those that the tests before this one left name one, too.
  const left = (await stage.client.list(Widget)).items.filter(({ spec }) => spec.blueprint)
  for (const one of left) await stage.remove(one.metadata.name)

  await size(0)
})

test('with the controller, all that it follows ends', async () => {
  const running = await run(anyPart)
  await stage.make({ parts: 0, blueprint: 'one' })
  await until(
    'a watch',
    async () => running.watches.named.size,
    (size) => size === 1,
  )

  await running[Symbol.asyncDispose]()

  expect(running.watches.named.size).toBe(0)
})
