import { expect, test } from 'vitest'
import { no } from '#runtime/plan.ts'
import { notSupportedYet, unsupportedNotices } from './not-supported-yet.ts'

test('what is not built yet is an event too, in the same words, and nothing else is', () => {
  const verdict = notSupportedYet('spec.mode cloud')

  expect(verdict).toMatchObject({ ok: false, reason: 'NotSupportedYet' })
  expect(unsupportedNotices(verdict)).toEqual([
    {
      ...{ type: 'Warning', reason: 'NotSupportedYet' },
      message: 'spec.mode cloud is not supported yet: nothing is done',
    },
  ])
  expect(unsupportedNotices(no('Other', 'thing'))).toEqual([])
  expect(unsupportedNotices(undefined)).toEqual([])
})
