import { afterAll, beforeAll, expect, test } from 'vitest'
import { OperatorError } from '#base/operator-error.ts'
import { type Controller, defineController } from '#runtime/controller.ts'
import type { Definition } from '#runtime/definition.ts'
import { no, yes } from '#runtime/plan.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { until } from '#test/until.ts'
import { startControllers } from './running-controllers.ts'
import { conditionOf, Stage } from './stage.ts'
import { startEmbedded } from './start-apis.ts'
import { Widget } from './widget.ts'

// What a controller can say of failures, besides that Ready tells of them.

interface Step {
  do: 'work' | 'extra'
}
type Told = Partial<Definition<typeof Widget, object, Step>>

let stage: Stage
beforeAll(async () => {
  const api = await startEmbedded()
  stage = new Stage(api, await clientOf(api))
})
afterAll(async () => {
  stage.client.close()
  await stage.api[Symbol.asyncDispose]()
})

const idle = { steps: [], status: {}, conditions: {} }

const controller = (told: Told): Controller =>
  defineController<typeof Widget, object, Step>({
    kind: Widget,
    observe: () => ({}),
    plan: () => idle,
    act: { work: async () => {}, extra: async () => {} },
    ...told,
  })

async function whileRunning(told: Told, look: (name: string) => Promise<void>): Promise<string[]> {
  const running = await startControllers({ client: stage.client, controllers: [controller(told)] })
  try {
    const { metadata } = await stage.make({ parts: 0 })
    await look(metadata.name)
    await stage.client.remove(Widget, metadata)
    return running.lines
  } finally {
    await running[Symbol.asyncDispose]()
  }
}

const untilSays = (name: string, type: string, reason: string) =>
  until(
    `${type} to be ${reason}`,
    async () => conditionOf(await stage.get(name), type),
    (found) => found?.reason === reason,
  )

test('a step that is aside fails without ending the pass, and says what it says', async () => {
  let worked = 0
  let tried = 0
  const lines = await whileRunning(
    {
      plan: () => ({
        ...idle,
        steps: worked === 0 ? [{ do: 'extra' as const }, { do: 'work' as const }] : [],
        conditions: { Ready: yes('Fine', 'all is well') },
      }),
      act: {
        work: async () => {
          worked += 1
        },
        extra: async () => {
          tried += 1
          throw new OperatorError('FileSystemError', { message: 'the disk is full' })
        },
      },
      asides: ['extra'],
      whenFailed: ({ code, message }) => ({ conditions: { Drawn: no(code, message) } }),
    },
    async (name) => {
      await until(
        'the work',
        async () => worked,
        (times) => times === 1,
      )
      await untilSays(name, 'Ready', 'Fine').catch(() => undefined)
    },
  )

  expect({ worked, tried }).toEqual({ worked: 1, tried: 1 })
  expect(lines.filter((line) => line.startsWith('error step failed'))).toHaveLength(1)
})

test('what a failed step says of the status goes before what the plan says', async () => {
  await whileRunning(
    {
      plan: () => ({
        ...idle,
        ...{ steps: [{ do: 'work' as const }], status: { parts: ['all'] } },
        conditions: { Drawn: yes('Drawn', 'it is') },
      }),
      act: {
        work: async () => {
          throw new OperatorError('MachineCreationError', { message: 'no room' })
        },
        extra: async () => {},
      },
      whenFailed: ({ message }) => ({
        ...{ status: { parts: [] }, conditions: { Drawn: no('CreationFailed', message) } },
      }),
    },
    async (name) => {
      await untilSays(name, 'Drawn', 'CreationFailed')
      const { status } = await stage.get(name)

      expect(status?.parts).toEqual([])
      expect(conditionOf(await stage.get(name), 'Ready')?.reason).toBe('MachineCreationError')
    },
  )
})

test('what a plan finds wrong and can pass by itself is tried again, in its own words', async () => {
  let plans = 0
  const lines = await whileRunning(
    {
      plan: () => {
        plans += 1
        return {
          ...{ ...idle, conditions: { Ready: no('Taken', 'it is another’s') } },
          failure: { code: 'OwnerReferenceError', message: 'it is another’s' },
        }
      },
    },
    async (name) => {
      await untilSays(name, 'Ready', 'Taken')
      await until(
        'another try',
        async () => plans,
        (times) => times > 1,
      )
    },
  )

  expect(lines.filter((line) => line.startsWith('error pass failed')).length).toBeGreaterThan(0)
})

test('what only an edit can mend is counted once, and not tried again', async () => {
  let plans = 0
  const lines = await whileRunning(
    {
      plan: (_widget, _world, now) => {
        plans += 1
        return {
          ...{ ...idle, conditions: { Ready: no('Wrong', 'it makes no sense') } },
          failure: { code: 'ValidationError', message: 'it makes no sense' },
          wakeAt: new Date(now.getTime() + 1_000),
        }
      },
    },
    async (name) => {
      await untilSays(name, 'Ready', 'Wrong')
      await until(
        'another look',
        async () => plans,
        (times) => times > 2,
      )
    },
  )

  expect(lines.filter((line) => line.startsWith('error pass failed'))).toHaveLength(1)
})
