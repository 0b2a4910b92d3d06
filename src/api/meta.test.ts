import { expectTypeOf, test } from 'vitest'
import { defineKind, type Resource } from './meta.ts'
import { flag, freeForm, integer, integerOrText, object, oneOf, optional, text } from './schema.ts'

const Hamster = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Hamster',
  plural: 'hamsters',
  stem: 'hamster',
  shortNames: ['hm'],
  description: 'A small animal.',
  columns: [],
  specRequired: true,
  spec: object('What is wanted.', {
    name: text('What it answers to.'),
    colour: oneOf('Its fur.', ['brown', 'white'], { default: 'brown' }),
    wheels: optional(integer('How many wheels it has.')),
    food: optional(freeForm('What it eats.')),
    speed: integerOrText('How fast it runs.', { default: 1 }),
  }),
  status: object('What is there.', { asleep: flag('Whether it sleeps.') }),
  conditions: { Ready: 'It is awake.' },
})
const Optional = defineKind({ ...Hamster, specRequired: false })
type Hamster = Resource<typeof Hamster>

test('the type of a resource follows from the declaration of its kind', () => {
  expectTypeOf<Hamster['spec']>().toEqualTypeOf<{
    name: string
    colour: 'brown' | 'white'
    wheels?: number
    food?: Record<string, unknown>
    speed: number | string
  }>()
  expectTypeOf<Hamster['metadata']['name']>().toEqualTypeOf<string>()
})

test('status may be missing or incomplete', () => {
  expectTypeOf<Hamster['status']>().toEqualTypeOf<{ asleep?: boolean } | undefined>()
})

test('the spec of a kind that may go without one has to be asked for', () => {
  expectTypeOf<Resource<typeof Optional>['spec']>().toEqualTypeOf<Hamster['spec'] | undefined>()
})

test('what is not in the declaration does not compile', () => {
  const spec: Hamster['spec'] = { name: 'Bo', colour: 'brown', speed: 1 }

  // @ts-expect-error there is no such colour
  spec.colour = 'green'
  // @ts-expect-error there is no such field
  spec.tail = 'short'
  // @ts-expect-error a field cannot be declared without a description
  expectTypeOf(text).toBeCallableWith()
})
