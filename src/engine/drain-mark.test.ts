import { expect, test } from 'vitest'
import { DRAIN } from '#api/labels.ts'
import { drainAnnotation, drainMarkIn } from './drain-mark.ts'

const MARK = { by: 'uid-1', since: '2030-01-01T00:00:00Z', cordoned: true }

test.each([MARK, { ...MARK, stopped: '2030-01-01T00:10:00Z' }])(
  'a mark is read as it was written',
  (mark) => {
    const annotations = Object.fromEntries(
      Object.entries(drainAnnotation(mark)).map(([key, value]) => [key, value ?? '']),
    )

    expect(drainMarkIn({ name: 'n1', annotations })).toEqual(mark)
  },
)

test('without a mark the annotation goes', () => {
  expect(drainAnnotation(undefined)).toEqual({ [DRAIN]: null })
})

test.each([
  ['is none', undefined],
  ['is no JSON', 'true'.slice(1)],
  ['is another thing', '"uid-1"'],
  ['has no owner', JSON.stringify({ ...MARK, by: '' })],
  ['lacks something', JSON.stringify({ by: 'uid-1' })],
  ['has a time that is none', JSON.stringify({ ...MARK, since: 'yesterday' })],
])('what %s is no mark', (_what, text) => {
  const annotations = text === undefined ? {} : { [DRAIN]: text }

  expect(drainMarkIn({ name: 'n1', annotations })).toBeUndefined()
})
