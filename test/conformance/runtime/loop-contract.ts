import { describe, expect, test } from 'vitest'
import { finalizerOf } from '#api/meta.ts'
import { OperatorError } from '#base/operator-error.ts'
import { madeBy } from '#runtime/controller.ts'
import { until } from '#test/until.ts'
import { startControllers } from './running-controllers.ts'
import { conditionOf, type StartApi, stageOfBlock } from './stage.ts'
import { Part, Widget, widgetController } from './widget.ts'

const FINALIZER = finalizerOf(Widget)

/** What the loop promises of every controller, whatever the API. */
export const loopContract = (name: string, start: StartApi) =>
  describe(`the loop, against ${name}`, () => {
    const stage = stageOfBlock(start)

    test('makes what is missing, says so, and then leaves everything alone', async () => {
      await using _running = await stage().run()
      const { metadata } = await stage().make({ parts: 2 })

      const widget = await stage().untilBuilt(metadata.name, 2)
      const version = widget.metadata.resourceVersion
      const writes = stage().writes.length
      // Another widget that is built later proves that there was time for more passes over this one.
      const other = await stage().make({ parts: 1 })
      await stage().untilBuilt(other.metadata.name, 1)

      expect(await stage().partNames(metadata.name)).toEqual([
        `${metadata.name}-0`,
        `${metadata.name}-1`,
      ])
      expect(widget.metadata.finalizers).toEqual([FINALIZER])
      expect(widget.status?.observedGeneration).toBe(widget.metadata.generation)
      expect(conditionOf(widget, 'Ready')).toMatchObject({
        status: 'True',
        reason: 'Built',
        message: 'all parts are there',
        observedGeneration: 1,
      })
      expect((await stage().get(metadata.name)).metadata.resourceVersion).toBe(version)
      const later = stage().writes.slice(writes)
      expect(later.filter((write) => write.includes(metadata.name))).toEqual([])
      await until(
        'the events',
        () => stage().events(metadata.name),
        (events) => events.join() === 'PartMade part 0 made,PartMade part 1 made',
      )
    })

    test('the finalizer is there before the first part is', async () => {
      const finalizers: unknown[] = []
      await using _running = await stage().run({
        before: async () => {
          finalizers.push((await stage().get(name)).metadata.finalizers)
        },
      })
      const name = stage().newName()
      await stage().make({ parts: 1 }, { name })

      await stage().untilBuilt(name, 1)

      expect(finalizers).toEqual([[FINALIZER]])
    })

    test('an edit is followed, and what is too much goes', async () => {
      await using _running = await stage().run()
      const { metadata } = await stage().make({ parts: 3 })
      await stage().untilBuilt(metadata.name, 3)

      await stage().edit(metadata.name, { spec: { parts: 1 } })
      const widget = await stage().untilBuilt(metadata.name, 1)

      expect(await stage().partNames(metadata.name)).toEqual([`${metadata.name}-0`])
      expect(widget.status?.observedGeneration).toBe(2)
    })

    test('what was edited while nobody ran has its pass first', async () => {
      const made = Array.from({ length: 12 }, () => stage().make({ parts: 0 }))
      const names = (await Promise.all(made)).map(({ metadata }) => metadata.name).sort()
      {
        await using _running = await stage().run()
        for (const one of names) await stage().untilBuilt(one, 0)
      }
      const edited = names.at(-1) ?? ''
      await stage().edit(edited, { spec: { parts: 1 } })

      const looked: string[] = []
      await using _again = await stage().run({
        looked: ({ metadata }) => void looked.push(metadata.name),
      })
      await stage().untilBuilt(edited, 1)

      expect(looked.find((one) => names.includes(one))).toBe(edited)
    })

    test('a part that somebody deletes is made again', async () => {
      await using _running = await stage().run()
      const { metadata } = await stage().make({ parts: 1 })
      await stage().untilBuilt(metadata.name, 1)
      const [part] = await stage().parts(metadata.name)

      await stage().client.remove(Part, { name: `${metadata.name}-0`, namespace: 'default' })
      const [another] = await until(
        'another part',
        () => stage().parts(metadata.name),
        ([now]) => now !== undefined && now.metadata.uid !== part?.metadata.uid,
      )

      expect(another?.metadata.name).toBe(part?.metadata.name)
    })

    test('what a resource names wakes it', async () => {
      await using _running = await stage().run()
      const blueprint = stage().newName()
      const { metadata } = await stage().make({ parts: 1, blueprint })
      const waiting = await stage().until(metadata.name, 'to wait', (widget) =>
        Boolean(conditionOf(widget, 'Ready')),
      )

      await stage().client.create(Part, {
        metadata: { name: blueprint, namespace: 'default' },
        spec: { number: 0 },
      })
      await stage().untilBuilt(metadata.name, 1)

      // Ready is what the condition that speaks against it says.
      expect(conditionOf(waiting, 'Ready')).toMatchObject({
        status: 'False',
        reason: 'NoBlueprint',
        message: `there is no part ${blueprint}`,
      })
    })

    test('what a resource is labelled to have made wakes it, however long its name is', async () => {
      await using _running = await stage().run()
      const { metadata } = await stage().make({ parts: 0 }, { name: `long-${'x'.repeat(80)}` })
      await stage().untilBuilt(metadata.name, 0)

      const stray = { name: stage().newName(), namespace: 'default' }
      const labels = madeBy(Widget, { metadata })
      await stage().client.create(Part, { metadata: { ...stray, labels }, spec: { number: 9 } })
      const gone = await until(
        'the stray part to be gone',
        () => stage().client.find(Part, stray),
        (part) => part === undefined,
      )

      expect(gone).toBeUndefined()
    })

    test('deletion takes the parts down first, and waits for those that are slow to go', async () => {
      await using _running = await stage().run()
      const { metadata } = await stage().make({ parts: 2 })
      await stage().untilBuilt(metadata.name, 2)
      const slow = { name: `${metadata.name}-1`, namespace: 'default' }
      const hold = (finalizers: string[]) =>
        stage().client.patch(Part, slow, { type: 'merge', body: { metadata: { finalizers } } })
      await hold(['tests.example/slow'])

      await stage().remove(metadata.name)
      const leaving = await stage().until(metadata.name, 'to wait for its part', (widget) =>
        Boolean(conditionOf(widget, 'Ready')?.message.endsWith(`waiting for ${slow.name}`)),
      )
      await hold([])
      await stage().untilGone(metadata.name)

      expect(leaving.metadata.finalizers).toEqual([FINALIZER])
      expect(conditionOf(leaving, 'Ready')).toMatchObject({ status: 'False', reason: 'Deleting' })
      expect(await stage().parts(metadata.name)).toEqual([])
    })

    test('dryrun tells what would be done, and writes nothing but that', async () => {
      await using _running = await stage().run()

      const { metadata } = await stage().make({ parts: 1 }, { mode: 'DryRun' })
      const events = await until(
        'the event',
        () => stage().events(metadata.name),
        (seen) => seen.length > 0,
      )
      const widget = await stage().get(metadata.name)

      expect(events).toEqual(['DryRun would make part 0'])
      expect(widget.metadata.resourceVersion).toBe(metadata.resourceVersion)
      expect(await stage().parts(metadata.name)).toEqual([])

      await stage().setMode(metadata.name, 'reconcile')
      await stage().untilBuilt(metadata.name, 1)
    })

    test('dryrun does not take down what is deleted', async () => {
      await using _running = await stage().run()
      const { metadata } = await stage().make({ parts: 1 })
      await stage().untilBuilt(metadata.name, 1)
      await stage().setMode(metadata.name, 'dryrun')

      await stage().remove(metadata.name)
      await until(
        'the event',
        () => stage().events(metadata.name),
        (events) => events.some((event) => event.startsWith('DryRun would drop part')),
      )

      expect(await stage().partNames(metadata.name)).toEqual([`${metadata.name}-0`])
      await stage().setMode(metadata.name, null)
      await stage().untilGone(metadata.name)
    })

    test('disable stops everything, deletion too, until it is taken back', async () => {
      const looked: string[] = []
      await using _running = await stage().run({
        looked: (widget) => void looked.push(widget.metadata.name),
      })
      const { metadata } = await stage().make({ parts: 1 }, { mode: 'disable' })
      const built = await stage().make({ parts: 1 })
      await stage().untilBuilt(built.metadata.name, 1)
      await stage().setMode(built.metadata.name, 'disable')
      await stage().remove(built.metadata.name)

      // A widget that is made after both and built proves that there was time for them.
      const other = await stage().make({ parts: 1 })
      await stage().untilBuilt(other.metadata.name, 1)

      expect(looked).not.toContain(metadata.name)
      expect((await stage().get(metadata.name)).metadata.resourceVersion).toBe(
        metadata.resourceVersion,
      )
      expect(await stage().partNames(built.metadata.name)).toHaveLength(1)

      await stage().setMode(metadata.name, null)
      await stage().setMode(built.metadata.name, null)
      await stage().untilBuilt(metadata.name, 1)
      await stage().untilGone(built.metadata.name)
    })

    test('a mode that nobody knows is told of, and goes on as the published operator does', async () => {
      await using _running = await stage().run()

      const { metadata } = await stage().make({ parts: 1 }, { mode: 'disabled' })
      await stage().untilBuilt(metadata.name, 1)

      const told = await until(
        'the warning',
        () => stage().events(metadata.name),
        (events) => events.some((event) => event.startsWith('UnknownReconcileMode')),
      )
      expect(told.join()).toContain('"disabled" is none of')
    })

    test('what fails is shown, told once, tried again, and shown to be well again', async () => {
      let failures = 2
      await using running = await stage().run({
        before: () => {
          if (failures-- > 0) throw new Error('the glue is dry')
        },
      })

      const { metadata } = await stage().make({ parts: 1 })
      const ill = await stage().until(
        metadata.name,
        'to be ill',
        (widget) => conditionOf(widget, 'Ready')?.reason === 'UnknownError',
      )
      await stage().untilBuilt(metadata.name, 1)

      expect(conditionOf(ill, 'Ready')).toMatchObject({
        status: 'False',
        message: 'the glue is dry',
      })
      expect(conditionOf(ill, 'Drawn')).toMatchObject({ status: 'True' })
      const events = await until(
        'both events',
        () => stage().events(metadata.name),
        (seen) => seen.length === 2,
      )
      expect(events).toEqual([
        'FailedMakePart could not make part 0: the glue is dry',
        'PartMade part 0 made',
      ])
      expect(await running.metrics.text()).toContain(
        'talos_operator_reconciliation_errors_total{controller="Widget",error_type="UnknownError"} 2',
      )
      expect(running.lines.filter((line) => line.startsWith('error'))).toEqual([
        'error pass failed: the glue is dry',
        'error pass failed: the glue is dry',
      ])
    })

    test('what cannot work is not tried again before an edit', async () => {
      const tried: string[] = []
      await using _running = await stage().run({ before: () => void tried.push('made') })
      const { metadata } = await stage().make({ parts: 1, broken: true })
      await stage().until(
        metadata.name,
        'to be refused',
        (widget) => conditionOf(widget, 'Ready')?.reason === 'ValidationError',
      )
      const triesBefore = tried.length

      // Something changes in its world, and that is no reason to try again.
      const part = { name: `${metadata.name}-7`, namespace: 'default' }
      const { uid = '' } = metadata
      const owner = { apiVersion: 'tests.talos.alperen.cloud/v1', kind: 'Widget', uid }
      const ownerReferences = [{ ...owner, name: metadata.name }]
      await stage().client.create(Part, {
        metadata: { ...part, ownerReferences },
        spec: { number: 0 },
      })
      const other = await stage().make({ parts: 1 })
      await stage().untilBuilt(other.metadata.name, 1)
      const triesAfter = tried.length - 1

      expect([triesBefore, triesAfter]).toEqual([1, 1])
      await stage().client.remove(Part, part)
      await stage().edit(metadata.name, { spec: { broken: false } })
      await stage().untilBuilt(metadata.name, 1)
    })

    test('a status that somebody wipes is written again', async () => {
      await using _running = await stage().run()
      const { metadata } = await stage().make({ parts: 1 })
      await stage().untilBuilt(metadata.name, 1)

      await stage().client.patch(
        Widget,
        { name: metadata.name, namespace: 'default', subresource: 'status' },
        { type: 'merge', body: { status: null } },
      )

      await stage().untilBuilt(metadata.name, 1)
    })

    test('a process that does not lead changes nothing', async () => {
      const assertLeading = () => {
        throw new OperatorError('LeadershipLost', { message: 'somebody else leads' })
      }
      await using running = await stage().run({}, assertLeading)

      const { metadata } = await stage().make({ parts: 1 })
      await until(
        'a pass to fail',
        async () => running.lines,
        (lines) => lines.some((line) => line.includes('somebody else leads')),
      )

      const { resourceVersion } = (await stage().get(metadata.name)).metadata
      expect(resourceVersion).toBe(metadata.resourceVersion)
      expect(await stage().parts(metadata.name)).toEqual([])
    })

    test('what is not in scope is left alone whatever happens to it, until it is', async () => {
      const looked: string[] = []
      const [before, during] = [await stage().make({ parts: 1 }), await stage().make({ parts: 0 })]
      await using _running = await startControllers({
        client: stage().client,
        controllers: [widgetController({ looked: ({ metadata }) => looked.push(metadata.name) })],
        scope: (_kind, key, watches) =>
          watches.get(Widget, key)?.metadata.labels?.builder === 'here',
      })
      await stage().edit(during.metadata.name, { spec: { parts: 1 } })
      const here = await stage().make({ parts: 0 })
      const { name } = here.metadata
      await stage().edit(name, { metadata: { labels: { builder: 'here' } } })
      await stage().untilBuilt(name, 0)
      await stage().edit(name, { metadata: { labels: { builder: null } }, spec: { parts: 1 } })
      // Whatever was to be done for the others would have been done by the time that this one is.
      const last = await stage().make({ parts: 1 })
      await stage().edit(last.metadata.name, { metadata: { labels: { builder: 'here' } } })
      await stage().untilBuilt(last.metadata.name, 1)

      expect(new Set(looked)).toEqual(new Set([name, last.metadata.name]))
      for (const one of [before, during]) {
        expect(await stage().get(one.metadata.name)).not.toHaveProperty('status')
        expect((await stage().get(one.metadata.name)).metadata.finalizers).toBeUndefined()
      }
      expect(await stage().partNames(name)).toEqual([])
    })
  })
