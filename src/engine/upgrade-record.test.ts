import { expect, test } from 'vitest'
import { UPGRADE, UPGRADE_FAILED } from '#api/labels.ts'
import { aMachine } from '#test/builders.ts'
import { failureOf, failureText, upgradeRecord, upgradeText } from './upgrade-record.ts'

const noting = (annotations: Record<string, string>) => aMachine({ metadata: { annotations } })
const record = {
  ...{ phase: 'installing' as const, image: 'installer:v1.13.1', from: 'v1.13.0', boot: 'b1' },
  ...{ times: 2, at: new Date('2030-01-01T00:00:00Z') },
}

test('what a machine was told is read back', () => {
  expect(upgradeRecord(noting({ [UPGRADE]: upgradeText(record) }))).toEqual(record)
  expect(upgradeRecord(noting({}))).toBeUndefined()
})

test.each([
  'installing',
  'sleeping i v1.13.0 b1 2 2030-01-01T00:00:00Z',
  'installing i v1.13.0 b1 x 2030-01-01T00:00:00Z',
  'installing i v1.13.0 b1 2 never',
])('what is no record is none: %s', (text) => {
  expect(upgradeRecord(noting({ [UPGRADE]: text }))).toBeUndefined()
})

test('a failure counts for its image', () => {
  const machine = noting({ [UPGRADE_FAILED]: failureText('installer:v1', 'it\n went back') })

  expect(failureOf(machine, 'installer:v1')).toBe('it went back')
  expect(failureOf(machine, 'installer:v2')).toBeUndefined()
  expect(failureOf(noting({}), 'installer:v1')).toBeUndefined()
})
