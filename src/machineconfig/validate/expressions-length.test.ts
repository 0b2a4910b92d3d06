import { expect, test } from 'vitest'
import type { Shape } from '#machineconfig/shapes/shape.ts'
import { documentKinds } from '#machineconfig/shapes/shapes.ts'
import { verdictOn } from './documents/verdicts.cases.ts'

const volume = (name: number, match: string) =>
  [
    'UserVolumeConfig',
    { name: `v${name}`, provisioning: { minSize: '1GiB', diskSelector: { match } } },
  ] as const

test('expressions of one configuration are judged up to a length all together', () => {
  const few = Array.from({ length: 64 }, (_, at) => volume(at, `true${' '.repeat(1_020)}`))

  expect(verdictOn(few).errors).toEqual([])
  expect(verdictOn([...few, volume(64, 'true')]).errors).toEqual([
    'expressions: 65540 characters all together, and no more than 65536 are judged',
  ])
})

test('what is too long is not judged at all', () => {
  const wrong = `${'no_such_thing || '.repeat(400)} true`

  const { errors } = verdictOn(Array.from({ length: 500 }, (_, at) => volume(at, wrong)))

  expect(errors).toEqual([expect.stringContaining('no more than 65536 are judged')])
})

/** What a shape is made of, itself included. */
function* partsOf(shape: Shape, depth = 0): Generator<Shape> {
  yield shape
  if (depth > 12) return
  if (shape.is === 'pointer') yield* partsOf(shape.to, depth + 1)
  if (shape.is === 'list' || shape.is === 'map') yield* partsOf(shape.of, depth + 1)
  if (shape.is !== 'struct') return
  for (const field of shape.fields.values()) yield* partsOf(field.shape, depth + 1)
}

const isExpression = (shape: Shape): boolean =>
  shape.is === 'leaf' && shape.type.reads === 'expression'

test('no kind has expressions in maps, where nobody counts them', () => {
  const odd = documentKinds().filter(({ shape }) =>
    [...partsOf(shape)].some((part) => part.is === 'map' && [...partsOf(part)].some(isExpression)),
  )

  expect(odd).toEqual([])
})
