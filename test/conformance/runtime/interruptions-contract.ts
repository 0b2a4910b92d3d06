import { describe, expect, test } from 'vitest'
import { until } from '#test/until.ts'
import { conditionOf, type StartApi, stageOfBlock } from './stage.ts'
import { type Around, Widget } from './widget.ts'

class Crash extends Error {}

/** A process that dies at the nth moment around a step: nothing that it would do after that happens. */
function diesAt(moment: 'before' | 'after', nth: number): { around: Around; died: Promise<void> } {
  let count = 0
  let tell = () => {}
  const died = new Promise<void>((resolve) => {
    tell = resolve
  })
  const isDead = () => count >= nth
  const die = () => {
    if (isDead() || ++count >= nth) {
      tell()
      throw new Crash('this process is dead')
    }
  }
  const stayDead = () => {
    if (isDead()) throw new Crash('this process is dead')
  }
  const around = moment === 'before' ? { before: die } : { before: stayDead, after: die }
  return { around, died }
}

/** What the loop promises when it is interrupted, lied to or left without an answer. */
export const interruptionsContract = (name: string, start: StartApi) =>
  describe(`the loop interrupted, against ${name}`, () => {
    const stage = stageOfBlock(start)

    const moments = (['before', 'after'] as const).flatMap((moment) =>
      [1, 2, 3].map((nth) => ({ moment, nth })),
    )

    test.each(moments)('dies $moment step $nth, and the next process finishes', async (at) => {
      const { around, died } = diesAt(at.moment, at.nth)
      const first = await stage().run(around)
      const { metadata } = await stage().make({ parts: 3 })
      await died
      await first[Symbol.asyncDispose]()
      const left = await stage().parts(metadata.name)

      await using _second = await stage().run()
      await stage().untilBuilt(metadata.name, 3)

      expect(left).toHaveLength(at.moment === 'before' ? at.nth - 1 : at.nth)
      const uids = (await stage().parts(metadata.name)).map((part) => part.metadata.uid)
      expect(uids).toEqual(expect.arrayContaining(left.map((part) => part.metadata.uid)))
      expect(await stage().partNames(metadata.name)).toHaveLength(3)
    })

    test.each(moments)(
      'dies $moment teardown step $nth, and the next process finishes',
      async (at) => {
        const builder = await stage().run()
        const { metadata } = await stage().make({ parts: 3 })
        await stage().untilBuilt(metadata.name, 3)
        await builder[Symbol.asyncDispose]()
        const { around, died } = diesAt(at.moment, at.nth)
        const first = await stage().run(around)
        await stage().remove(metadata.name)
        await died
        await first[Symbol.asyncDispose]()

        expect((await stage().get(metadata.name)).metadata.deletionTimestamp).toBeDefined()
        await using _second = await stage().run()
        await stage().untilGone(metadata.name)

        expect(await stage().parts(metadata.name)).toEqual([])
      },
    )

    test('answers that are lost after the write do no harm, whichever write it is', async () => {
      await using _running = await stage().run()

      stage().api.faults.hangUpAfterWrite(4)
      const name = stage().newName()
      await stage()
        .make({ parts: 2 }, { name })
        .catch(() => {})
      await stage().untilBuilt(name, 2)

      expect(await stage().partNames(name)).toEqual([`${name}-0`, `${name}-1`])
    })

    test('a write that is refused for a while is made in the end', async () => {
      await using _running = await stage().run()
      const name = stage().newName()
      const off = stage().api.faults.answer({
        match: (method, path) => method !== 'GET' && path.includes(`/widgets/${name}`),
        status: 500,
        times: 3,
      })

      await stage().make({ parts: 1 }, { name })
      await stage().untilBuilt(name, 1)
      off()

      expect(await stage().partNames(name)).toEqual([`${name}-0`])
    })

    test('no step is taken from a view that is older than the last one', async () => {
      const acted: string[] = []
      await using running = await stage().run({
        after: (step) => {
          acted.push(step.do === 'makePart' ? `${step.number}` : step.name)
        },
      })
      const { metadata } = await stage().make({ parts: 1 })
      await stage().untilBuilt(metadata.name, 1)

      // The watches hang: what is written now is not seen, until the loop finds that out.
      stage().api.faults.freezeWatches()
      await stage().client.patch(
        Widget,
        { name: metadata.name, namespace: 'default' },
        { type: 'merge', body: { spec: { parts: 2 } } },
      )
      stage().api.faults.dropWatches()
      await stage().untilBuilt(metadata.name, 2)

      expect(acted).toEqual(['0', '1'])
      expect(running.lines.filter((line) => line.startsWith('error'))).toEqual([])
    })

    test('a status is never written to another object of the same name', async () => {
      const name = stage().newName()
      let isReplaced = false
      await using _running = await stage().run({
        after: async () => {
          if (isReplaced) return
          isReplaced = true
          // Deleted for good and made anew, while a pass over the old one is under way.
          await stage().edit(name, { metadata: { finalizers: [] } })
          await stage().remove(name)
          await stage().untilGone(name)
          await stage().make({ parts: 0 }, { name, mode: 'disable' })
        },
      })

      const old = await stage().make({ parts: 1 }, { name })
      const fresh = await until(
        'another object',
        () => stage().client.find(Widget, { name, namespace: 'default' }),
        (widget) => widget !== undefined && widget.metadata.uid !== old.metadata.uid,
      )
      const other = await stage().make({ parts: 1 })
      await stage().untilBuilt(other.metadata.name, 1)

      const now = await stage().get(name)
      expect(now.metadata.resourceVersion).toBe(fresh?.metadata.resourceVersion)
      expect(conditionOf(now, 'Ready')).toBeUndefined()
    })
  })
