import { describe, expect, test } from 'vitest'
import { FORCE_DELETION, MACHINE_UUID } from '#api/labels.ts'
import { aReader } from '#test/a-reader.ts'
import { aMachine } from '#test/builders.ts'
import { aMember, aWaiting, NOW, OTHER_UUID, UUID } from '#test/machine-world.ts'
import { confirmedRivalsOf, holderOf, rivalsOf } from './rivals.ts'

const LEAVING = { deletionTimestamp: NOW.toISOString() }
const named = (name: string, at: string, claimed?: string) =>
  aMachine({
    metadata: {
      name,
      creationTimestamp: at,
      ...(claimed && { annotations: { [MACHINE_UUID]: claimed } }),
    },
  })
const first = named('b-first', '2026-01-01T00:00:00Z')
const second = named('a-second', '2026-01-02T00:00:00Z')
const byAddress = { name: 'default/b-first', what: 'address', isLettingGo: false }

test('of two objects with one address, the one that was made first comes first', () => {
  const all = [first, second]

  expect(rivalsOf(second, aWaiting(), all)).toEqual([byAddress])
  expect(rivalsOf(first, aWaiting(), all)).toEqual([])
})

test('of two that were made at the same moment exactly one comes first', () => {
  const twin = named('a-twin', '2026-01-01T00:00:00Z')
  const all = [first, twin]

  expect(rivalsOf(first, aWaiting(), all)).toMatchObject([{ name: 'default/a-twin' }])
  expect(rivalsOf(twin, aWaiting(), all)).toEqual([])
})

test('the same address counts however it is written', () => {
  const long = { ...first, spec: { ...spec(first), endpoint: '2001:db8:0:0::1' } }
  const short = { ...second, spec: { ...spec(second), endpoint: '2001:db8::1' } }

  expect(rivalsOf(short, aWaiting(), [long, short])).toEqual([byAddress])
})

test('objects of other namespaces count', () => {
  const there = aMachine({ metadata: { namespace: 'lab', creationTimestamp: '2025-01-01' } })

  expect(rivalsOf(second, aWaiting(), [there, second])).toMatchObject([
    { name: 'lab/prod-192.0.2.1' },
  ])
})

test('whoever claimed the machine comes first, wherever it was and however late it was made', () => {
  const claimer = { ...named('z-late', '2027-01-01', UUID) }
  const elsewhere = { ...claimer, spec: { ...spec(claimer), endpoint: '192.0.2.99' } }

  expect(rivalsOf(first, aWaiting(), [first, elsewhere])).toMatchObject([{ what: 'uuid' }])
  expect(rivalsOf(first, aMember(), [first, elsewhere])).toMatchObject([{ what: 'uuid' }])
})

test('of a rival that looks for the machine elsewhere it is told where, and whether that may be the same one', () => {
  const known = named('known', '2026-01-01', UUID)
  const moved = { ...known, spec: { ...spec(known), endpoint: '192.0.2.9' } }
  const worker = { ...spec(moved), workerRef: { name: 'pool' } }
  const running = {
    stage: 'running',
    uuid: UUID,
    conditions: [
      {
        ...{ type: 'Reachable', status: 'True' as const, reason: 'Answers', message: '' },
        lastTransitionTime: '2030-01-01T00:00:00Z',
      },
    ],
  }
  const elsewhere = (...given: Parameters<typeof rivalsOf>) => rivalsOf(...given)[0]?.elsewhere
  const there = { address: '192.0.2.9', isOfSamePool: true, areTwo: false }

  expect(elsewhere(second, aWaiting(), [known])).toBeUndefined()
  expect(elsewhere(second, aMember(), [moved])).toEqual(there)
  expect(elsewhere(second, aMember(), [{ ...moved, spec: worker }])).toEqual({
    ...{ ...there, isOfSamePool: false },
  })
  expect(elsewhere(second, aMember(), [{ ...moved, status: running }])).toEqual(there)
  expect(elsewhere(second, aWaiting(), [{ ...moved, status: running }])).toEqual({
    ...{ ...there, areTwo: true },
  })
})

test('whoever has a machine at an address is found, wherever it is', () => {
  const [mine, bare] = [named('mine', '2026-01-01', UUID), named('bare', '2026-01-01')]
  const other = aMachine({
    metadata: { name: 'other', namespace: 'lab', annotations: { [MACHINE_UUID]: OTHER_UUID } },
  })
  const elsewhere = { ...other, spec: { ...spec(other), endpoint: '192.0.2.9' } }

  expect(holderOf(bare, [bare, mine, other])).toBe('default/mine')
  expect(holderOf(mine, [bare, mine, other])).toBe('lab/other')
  expect(holderOf(mine, [bare, mine, elsewhere])).toBeUndefined()
})

test('two that claimed the same machine both give way', () => {
  const [one, other] = [named('one', '2026-01-01', UUID), named('other', '2026-01-02', UUID)]

  expect(rivalsOf(one, aWaiting(), [one, other])).toHaveLength(1)
  expect(rivalsOf(other, aWaiting(), [one, other])).toHaveLength(1)
})

test('who claimed the machine does not give way to an address', () => {
  const mine = named('a-second', '2026-01-02T00:00:00Z', UUID)

  expect(rivalsOf(mine, aWaiting(), [first, mine])).toEqual([])
})

test('an object that has another machine by now is no rival', () => {
  const settled = named('b-first', '2026-01-01T00:00:00Z', OTHER_UUID)

  expect(rivalsOf(second, aWaiting(), [settled, second])).toEqual([])
})

test('nobody competes for another machine than the one that was claimed, nor for one that is silent', () => {
  const mine = named('mine', '2026-01-02T00:00:00Z', OTHER_UUID)
  const all = [first, mine, named('z', '2026-01-03', UUID)]

  expect(rivalsOf(mine, aWaiting(), all)).toEqual([])
  expect(rivalsOf(second, { is: 'silent', message: '' }, all)).toEqual([])
})

test('an address alone does not matter once a machine has its configuration', () => {
  expect(rivalsOf(second, aMember(), [first, second])).toEqual([])
})

test('a rival lets go if it is deleted and would have the machine wiped', () => {
  const lettingGo = (more: Parameters<typeof aMachine>[0]) =>
    rivalsOf(second, aMember(), [second, aMachine(more)])[0]?.isLettingGo
  const annotations = { [MACHINE_UUID]: UUID }

  expect(lettingGo({ metadata: { annotations } })).toBe(false)
  expect(lettingGo({ metadata: { annotations, ...LEAVING } })).toBe(true)
  expect(
    lettingGo({ metadata: { annotations, ...LEAVING }, spec: { deletionPolicy: 'preserve' } }),
  ).toBe(false)
  expect(
    lettingGo({
      metadata: { annotations: { ...annotations, [FORCE_DELETION]: 'true' }, ...LEAVING },
    }),
  ).toBe(false)
})

describe('of a machine that goes', () => {
  const leaving = aMachine({
    metadata: { name: 'leaving', annotations: { [MACHINE_UUID]: UUID }, ...LEAVING },
  })
  const claimer = named('claimer', '2026-01-02', UUID)

  /** Its rivals, by a cache that shows this one, where the API has these; and what that was asked. */
  async function confirmed(cached: typeof leaving, ...live: (typeof leaving)[]) {
    const { read, asked } = aReader({ live })
    const all = [leaving, cached]
    return { rivals: await confirmedRivalsOf(leaving, aMember(), { all, read }), asked }
  }

  test('a rival is one that has it still', async () => {
    expect(await confirmed(claimer, claimer)).toEqual({
      rivals: [{ name: 'default/claimer', what: 'uuid', isLettingGo: false }],
      asked: ['TalosMachine claimer'],
    })
  })

  test('an object that is gone is no rival, though the cache shows it', async () => {
    expect((await confirmed(claimer)).rivals).toEqual([])
  })

  test('an object that has another machine by now is no rival, though the cache does not show that', async () => {
    const moved = named('claimer', '2026-01-02', OTHER_UUID)

    expect((await confirmed(claimer, moved)).rivals).toEqual([])
  })

  test('a rival that is let go meanwhile is known to let go', async () => {
    const { metadata } = claimer
    const going = aMachine({ metadata: { ...metadata, ...LEAVING } })

    expect((await confirmed(claimer, going)).rivals).toMatchObject([{ isLettingGo: true }])
  })

  test('nobody is asked about those that cannot keep it from being wiped', async () => {
    const going = aMachine({ metadata: { ...claimer.metadata, ...LEAVING } })

    expect(await confirmed(going)).toMatchObject({ rivals: [{ isLettingGo: true }], asked: [] })
    expect(await confirmed(first)).toEqual({ rivals: [], asked: [] })
  })

  test('a rival of another namespace is believed to be there, where nobody may ask', async () => {
    const elsewhere = aMachine({ metadata: { ...claimer.metadata, namespace: 'lab' } })

    expect(await confirmed(elsewhere)).toMatchObject({
      rivals: [{ name: 'lab/claimer', isLettingGo: false }],
      asked: [],
    })
  })

  test('while the API does not say, nothing is decided', async () => {
    const read = { fetchAny: () => Promise.reject(new Error('the API is away')) }
    const all = [leaving, claimer]

    await expect(confirmedRivalsOf(leaving, aMember(), { all, read })).rejects.toThrow('away')
  })
})

function spec(machine: ReturnType<typeof aMachine>) {
  if (!machine.spec) throw new Error('it has none')
  return machine.spec
}
