import { expect, test } from 'vitest'
import { UPGRADE, UPGRADE_FAILED } from '#api/labels.ts'
import { aMachine } from '#test/builders.ts'
import { failureOf, failureText, isOfTurn, upgradeRecord, upgradeText } from './upgrade-record.ts'

const noting = (annotations: Record<string, string>) => aMachine({ metadata: { annotations } })
const record = {
  ...{ phase: 'installing' as const, image: 'installer:v1.13.1', from: 'v1.13.0', boot: 'b1' },
  ...{ times: 2, at: new Date('2030-01-01T00:00:00Z') },
}

test.each(['installing', 'installed', 'restarting'] as const)(
  'what a machine was told is read back when it is %s',
  (phase) => {
    const told = { ...record, phase, turn: 7 }

    expect(upgradeRecord(noting({ [UPGRADE]: upgradeText(told) }))).toEqual(told)
  },
)

test('nothing is read where nothing was written', () => {
  expect(upgradeRecord(noting({}))).toBeUndefined()
})

test('what an older operator wrote is read, and a machine that it told to boot was told once', () => {
  const written = 'installer:v1.13.1 v1.13.0 b1 2 2030-01-01T00:00:00.000Z'
  const read = (phase: string) => upgradeRecord(noting({ [UPGRADE]: `${phase} ${written}` }))

  expect(upgradeText(record)).toBe(`installing ${written}`)
  expect(read('installing')).toEqual(record)
  expect(read('restarting')).toEqual({ ...record, phase: 'restarting', times: 1 })
})

test('what a machine was told is of the turn that it was told in', () => {
  expect(isOfTurn({ ...record, turn: 7 }, 7)).toBe(true)
  expect(isOfTurn({ ...record, turn: 7 }, 8)).toBe(false)
  expect(isOfTurn({ ...record, turn: 7 }, undefined)).toBe(false)
  // An older operator did not write it down, and its machine still has the turn.
  expect(isOfTurn(record, 8)).toBe(true)
  expect(isOfTurn(record, undefined)).toBe(false)
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
