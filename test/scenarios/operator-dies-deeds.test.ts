import { expect, test } from 'vitest'
import type { Call } from './boundary.ts'
import { deedsOtherwise, excusedIn } from './operator-dies-deeds.ts'

const ADDRESS = '127.80.21.2'
const INSTALLED = `${ADDRESS} was installed`
const numbered = { number: 1, occurrence: 1, at: new Date(0), outcome: 'done' } as const

const toldToInstall = (outcome: Call['outcome'] = 'done') =>
  ({
    ...{ ...numbered, to: 'machine', method: 'upgrade.lifecycle', address: ADDRESS, outcome },
    ...{
      isDryRun: false,
      uuid: 'a',
      stage: 'running',
      version: 'v1.13.0',
      bootId: 'b',
      claims: [],
    },
  }) satisfies Call

const written = (kind: string, status: number | undefined = 200) =>
  ({
    ...{ ...numbered, to: 'kubernetes', method: 'PATCH', kind, name: `pool-${ADDRESS}` },
    ...(status && { status }),
  }) satisfies Call

const NOTED = written('talosmachines')
const REFUSED = written('talosmachines', 409)
const STATUS = written('talosmachines/status')

test.each<[string, Call[], number[]]>([
  ['the answer was lost', [NOTED, toldToInstall('reply lost'), NOTED], []],
  ['the operator died while it was at it', [NOTED, toldToInstall()], [2]],
  ['the operator died before it was written down', [NOTED, toldToInstall(), STATUS, NOTED], [3]],
  ['what was written down was refused, and the operator died', [toldToInstall(), REFUSED], [2]],
])('a machine may install once more if %s', (_, history, deaths) => {
  expect(excusedIn({ history, deaths })).toEqual([INSTALLED])
})

test.each<[string, Call[], number[]]>([
  ['nobody dies', [toldToInstall(), NOTED], []],
  ['the operator died before it was told', [NOTED, toldToInstall(), NOTED], [1]],
  ['the call was never made', [toldToInstall('never made')], [1]],
  ['it was written down before the operator died', [toldToInstall(), NOTED, STATUS], [3]],
])('it may not if %s', (_, history, deaths) => {
  expect(excusedIn({ history, deaths })).toEqual([])
})

test('what is excused may be done once more, and not twice', () => {
  const aLife = (times: number, excused: string[]) => ({
    ...{ states: [], points: [], missed: [], excused: [excused] },
    deeds: [{ [INSTALLED]: times }],
  })
  const otherwise = (times: number, excused: string[]) =>
    deedsOtherwise(aLife(1, []), aLife(times, excused))

  expect(otherwise(2, [INSTALLED])).toEqual([])
  expect(otherwise(3, [INSTALLED])).toEqual([`${INSTALLED} 3 times instead of 1`])
  expect(otherwise(2, [])).toEqual([`${INSTALLED} 2 times instead of 1`])
})
