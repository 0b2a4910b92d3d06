import { expect, test } from 'vitest'
import type { Interruption } from './boundary.ts'
import type { Lived } from './operator-dies.cases.ts'
import { deedsOtherwise } from './operator-dies-deeds.ts'

const ADDRESS = '127.80.21.2'
const TOLD = `upgrade.lifecycle ${ADDRESS} #1`
const STATUS = `PATCH talosmachines/status/pool-${ADDRESS} #4`
const NOTED = `PATCH talosmachines/pool-${ADDRESS} #2`
const BOOTED = `reboot ${ADDRESS} #1`

const aLife = (installations: number, interruption?: Interruption): Lived => ({
  ...{ states: [], missed: [] },
  points: [[`PATCH talosmachines/pool-${ADDRESS} #1`, TOLD, STATUS, NOTED, BOOTED]],
  deeds: [{ [`${ADDRESS} was installed`]: installations }],
  fate: [interruption],
})

const verdict = (installations: number, how: Interruption['how'], at: string) =>
  deedsOtherwise(aLife(1), aLife(installations, { how, at }))

test.each([
  ['killed after', TOLD],
  ['reply lost', TOLD],
  ['killed before', STATUS],
  ['killed after', STATUS],
  ['killed before', NOTED],
] as const)(
  'a machine may install once more, and not twice, if the operator is %s at "%s"',
  (how, at) => {
    expect(verdict(2, how, at)).toEqual([])
    expect(verdict(3, how, at)).toEqual([`${ADDRESS} was installed 3 times instead of 1`])
  },
)

test.each([
  ['killed before', TOLD],
  ['reply lost', STATUS],
  ['reply lost', NOTED],
  ['killed after', NOTED],
  ['killed after', BOOTED],
] as const)('it installs once if the operator is %s at "%s"', (how, at) => {
  expect(verdict(1, how, at)).toEqual([])
  expect(verdict(2, how, at)).toEqual([`${ADDRESS} was installed 2 times instead of 1`])
})
