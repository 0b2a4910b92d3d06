// Two kinds that exist for tests alone, and a controller of the smallest sort that has everything: it
// makes what is missing, takes away what is too much, and takes everything down in the end.

import { defineKind, type Resource } from '#api/meta.ts'
import { flag, integer, list, object, optional, text } from '#api/schema.ts'
import { conditions, observedGeneration } from '#api/shapes.ts'
import { OperatorError } from '#base/operator-error.ts'
import { type Controller, defineController, madeBy, ownedBy } from '#runtime/controller.ts'
import { no, type Plan, yes } from '#runtime/plan.ts'

const GROUP = 'tests.talos.alperen.cloud'

export const Widget = defineKind({
  ...{ group: GROUP, version: 'v1', kind: 'Widget', plural: 'widgets', stem: 'widget' },
  ...{ shortNames: [], description: 'So many parts.', columns: [], specRequired: true },
  spec: object('What is wanted.', {
    parts: integer('How many parts there are to be.', { minimum: 0 }),
    blueprint: optional(text('A part, not of this widget, without which nothing is made.')),
    broken: optional(flag('Whether making a part fails, for good.')),
  }),
  status: object('What is there.', {
    observedGeneration,
    parts: optional(list('The parts that are there.', text('The name of a part.'))),
    conditions,
  }),
  conditions: { Ready: 'There are as many parts as wanted.', Drawn: 'There is a blueprint.' },
})
export type Widget = Resource<typeof Widget>

export const Part = defineKind({
  ...{ group: GROUP, version: 'v1', kind: 'Part', plural: 'parts', stem: 'part' },
  ...{ shortNames: [], description: 'A part.', columns: [], specRequired: true },
  spec: object('What is wanted.', { number: integer('Which one it is.') }),
  status: object('What is there.', { conditions }),
  conditions: { Ready: 'It is there.' },
})
export type Part = Resource<typeof Part>

interface World {
  parts: Part[]
  /** Labelled as made by the widget, which does not own them. */
  strays: Part[]
  hasBlueprint: boolean
}

type Step = { do: 'makePart'; number: number } | { do: 'dropPart'; name: string }

/** What a test wants to happen around the steps. */
export interface Around {
  before?: (step: Step) => void | Promise<void>
  after?: (step: Step) => void | Promise<void>
  /** Told of every look. */
  looked?: (widget: Widget, world: World) => void
}

export const widgetController = ({ before, after, looked }: Around = {}): Controller => {
  const around = async (step: Step, work: () => Promise<unknown>) => {
    await before?.(step)
    await work()
    await after?.(step)
  }
  return defineController<typeof Widget, World, Step>({
    kind: Widget,
    reads: [{ kind: Part, namedBy: ({ spec }) => (spec.blueprint ? [spec.blueprint] : []) }],
    writes: [Part],

    observe: (widget, read) => {
      const world = {
        parts: read.list(Part, { ownerUid: widget.metadata.uid ?? '' }),
        strays: read.list(Part, { labels: madeBy(Widget, widget) }),
        hasBlueprint: !widget.spec.blueprint || !!read.get(Part, widget.spec.blueprint),
      }
      looked?.(widget, world)
      return world
    },

    plan,
    teardown,

    act: {
      makePart: (step, { resource: widget, write }) =>
        around(step, async () => {
          if (widget.spec.broken) {
            throw new OperatorError('ValidationError', { message: 'no part can be made of this' })
          }
          await write.create(Part, {
            metadata: {
              name: `${widget.metadata.name}-${step.number}`,
              ownerReferences: [ownedBy(Widget, widget)],
            },
            spec: { number: step.number },
          })
        }),
      dropPart: (step, { write }) => around(step, () => write.remove(Part, step.name)),
    },
    tell: {
      makePart: ({ number }) => ({
        ...{ reason: 'PartMade', failure: 'FailedMakePart' },
        ...{ deed: `make part ${number}`, done: `part ${number} made` },
      }),
    },
  })
}

function plan(
  { metadata, spec }: Widget,
  { parts, strays, hasBlueprint }: World,
): Plan<Step, typeof Widget> {
  const status = { parts: parts.map((part) => part.metadata.name) }
  const Drawn = hasBlueprint
    ? yes('Drawn', 'there is a blueprint')
    : no('NoBlueprint', `there is no part ${spec.blueprint}`)
  if (!hasBlueprint) return { steps: [], status, conditions: { Drawn } }

  const numbers = [...Array(spec.parts).keys()]
  const missing = numbers.filter((number) => !status.parts.includes(`${metadata.name}-${number}`))
  const surplus = parts.filter((part) => part.spec.number >= spec.parts)
  const steps: Step[] = [
    ...missing.map((number) => ({ do: 'makePart' as const, number })),
    ...[...surplus, ...strays]
      .filter(isStaying)
      .map((part) => ({ do: 'dropPart' as const, name: nameOf(part) })),
  ]
  const Ready =
    missing.length + surplus.length > 0
      ? no('Building', `${missing.length} missing, ${surplus.length} too many`)
      : yes('Built', 'all parts are there')
  return { steps, status, conditions: { Drawn, Ready } }
}

function teardown(_widget: Widget, { parts }: World): Plan<Step, typeof Widget> | 'finished' {
  if (parts.length === 0) return 'finished'
  const names = parts.map(nameOf)
  return {
    steps: parts.filter(isStaying).map((part) => ({ do: 'dropPart', name: nameOf(part) })),
    status: { parts: names },
    conditions: { Ready: no('Deleting', `waiting for ${names.join(', ')}`) },
  }
}

const isStaying = ({ metadata }: Part): boolean => metadata.deletionTimestamp === undefined

const nameOf = ({ metadata }: Part): string => metadata.name
