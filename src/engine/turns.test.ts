import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ControlPlane } from '#api/control-plane.ts'
import { TURN, TURN_DONE, TURNS } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import { aControlPlane, aMachine } from '#test/builders.ts'
import { heldTurn, ownTurn, turnsOf, turnsText } from './turns.ts'

const parentWith = (text: string) => aControlPlane({ metadata: { annotations: { [TURNS]: text } } })

test('what is written down is read back', () => {
  const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9.]{0,20}[a-z0-9])?$/)
  const turn = fc.record({ id: fc.nat(), machine: name, uid: fc.uuid() })
  fc.assert(
    fc.property(fc.nat(), fc.array(turn, { maxLength: 4 }), (last, held) => {
      expect(turnsOf(parentWith(turnsText({ last, held })))).toEqual({ last, held })
    }),
  )
})

test('nobody has a turn where none was ever given', () => {
  expect(turnsOf(aControlPlane())).toEqual({ last: 0, held: [] })
})

test.each(['', 'x', '7 one', '7 8/one', '7 8/one/uid,', '-1', '7 8/one/uid/more'])(
  'what nobody of us wrote is not understood: %s',
  (text) => {
    expect(turnsOf(parentWith(text))).toBeUndefined()
  },
)

test('a turn is over for a machine that said so of this very one', () => {
  const machine = (annotations: Record<string, string>) => aMachine({ metadata: { annotations } })

  expect(ownTurn(machine({}))).toBeUndefined()
  expect(ownTurn(machine({ [TURN]: '7' }))).toBe(7)
  expect(ownTurn(machine({ [TURN]: '7', [TURN_DONE]: '6' }))).toBe(7)
  expect(ownTurn(machine({ [TURN]: '7', [TURN_DONE]: '7' }))).toBeUndefined()
})

describe('a turn is held', () => {
  const has = { [TURN]: '7' }
  const machine = aMachine({ metadata: { name: 'one-1', uid: 'uid-1', annotations: has } })
  const parent = {
    ...aControlPlane({ metadata: { uid: 'uid-cp', annotations: { [TURNS]: '7 7/one-1/uid-1' } } }),
    kind: ControlPlane.kind,
  }
  const asked = (
    live: { machine?: KubeObject | undefined; parent?: KubeObject | undefined },
    seen = machine,
  ) =>
    heldTurn(
      seen,
      { kind: ControlPlane, metadata: parent.metadata },
      {
        fetchAny: async ({ kind }) => {
          const found = kind === ControlPlane.kind ? live.parent : live.machine
          return found ? { is: 'found', object: { ...found, kind } } : { is: 'absent' }
        },
      },
    )

  test('by whom the API itself says so of', async () => {
    expect(await asked({ machine, parent })).toBe(7)
  })

  test.each([
    ['it was ended', { machine, parent: parentWith('7') }],
    ['it is another one’s', { machine, parent: parentWith('8 8/one-2/uid-2') }],
    ['its object is another one of the same name', { machine: aMachine(), parent }],
    ['it has done with it, which the cache does not show', { machine: done(), parent }],
    ['what gives turns is gone', { machine, parent: undefined }],
    ['it is gone itself', { machine: undefined, parent }],
  ])('by nobody when %s', async (_what, live) => {
    expect(await asked(live)).toBeUndefined()
  })

  test('by nobody who goes', async () => {
    const deletionTimestamp = '2030-01-01T00:00:00Z'
    const leaving = { ...machine, metadata: { ...machine.metadata, deletionTimestamp } }

    expect(await asked({ machine, parent }, leaving)).toBeUndefined()
  })

  function done() {
    const annotations = { ...has, [TURN_DONE]: '7' }
    return aMachine({ metadata: { name: 'one-1', uid: 'uid-1', annotations } })
  }
})
