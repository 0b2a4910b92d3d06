import { describe, expect, test } from 'vitest'
import { TURN, TURN_DONE, TURNS } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { givingTo, seeTurns, turnSteps } from './turn-steps.ts'

const machine = (at: number, annotations: Record<string, string> = {}, more = {}) =>
  aMachine({ metadata: { name: `one-${at}`, uid: `uid-${at}`, annotations, ...more } })
const turn = (id: number, at: number) => ({ id, machine: `one-${at}`, uid: `uid-${at}` })
const seen = (...held: ReturnType<typeof turn>[]) => ({
  ...{ turns: { last: 9, held }, gone: new Set<string>() },
})

describe('of turns', () => {
  test('nothing is written while those who have one are at it', () => {
    expect(turnSteps(seen(turn(9, 1)), [machine(1, { [TURN]: '9' })])).toEqual([])
    expect(turnSteps(seen(), [machine(1)])).toEqual([])
    expect(turnSteps({ ...seen(), turns: undefined }, [machine(1)])).toEqual([])
  })

  test('whoever has one is told', () => {
    expect(
      turnSteps(seen(turn(8, 1), turn(9, 2)), [machine(1, { [TURN]: '8' }), machine(2)]),
    ).toEqual([{ do: 'tellTurn', machine: 'one-2', uid: 'uid-2', id: 9 }])
  })

  test.each([
    ['who has done with it', machine(1, { [TURN]: '9', [TURN_DONE]: '9' }), new Set<string>()],
    ['who goes', machine(1, {}, { deletionTimestamp: '2030-01-01T00:00:00Z' }), new Set<string>()],
    ['who is gone', machine(2), new Set(['uid-1'])],
  ])('that of one %s is ended', (_what, other, gone) => {
    expect(turnSteps({ ...seen(turn(9, 1)), gone }, [other])).toEqual([
      { do: 'endTurns', machines: ['one-1'], turns: { last: 9, held: [] } },
    ])
  })

  test('that of one who is not seen is not ended', () => {
    expect(turnSteps(seen(turn(9, 1)), [machine(2)])).toEqual([])
  })
})

test('each gets a number of its own, and keeps what others have', () => {
  expect(givingTo([machine(2), machine(3)], { last: 9, held: [turn(9, 1)] })).toEqual({
    do: 'giveTurns',
    machines: ['one-2', 'one-3'],
    turns: { last: 11, held: [turn(9, 1), turn(10, 2), turn(11, 3)] },
  })
})

test('one that no cache shows is gone only if the API says so', async () => {
  const parent = aControlPlane({
    metadata: { annotations: { [TURNS]: '9 8/one-1/uid-1,9/one-2/uid-2' } },
  })
  const live = new Map([['one-1', { ...machine(1), kind: Machine.kind }]])
  const read = {
    fetchAny: async ({ name }: { name: string }) => {
      const object = live.get(name)
      return object ? { is: 'found' as const, object } : { is: 'absent' as const }
    },
  }

  expect((await seeTurns(parent, [], read)).gone).toEqual(new Set(['uid-2']))
})
