import { describe, expect, test } from 'vitest'
import type { ObjectMeta } from '#api/meta.ts'
import { Memory } from './memory.ts'

const KEY = 'default/m1'
const MINUTE = 60_000

const ready = (reason: string) => ({
  conditions: [
    {
      type: 'Ready',
      status: 'False',
      reason,
      message: 'the spec makes no sense',
      lastTransitionTime: '2030-01-01T00:00:00Z',
    },
  ],
})

const aMachine = (
  changes: Partial<ObjectMeta> = {},
  status: unknown = ready('ValidationError'),
) => ({
  metadata: { name: 'm1', namespace: 'default', uid: 'first', generation: 1, ...changes },
  status,
})

test('what is remembered of a key is there until it is forgotten', () => {
  const memory = new Memory()
  memory.of(KEY).reported = 'abc'

  expect([memory.of(KEY).reported, memory.of('default/m2').reported]).toEqual(['abc', undefined])
  memory.forget(KEY)
  expect(memory.of(KEY).reported).toBeUndefined()
})

describe('a stalled resource', () => {
  const stalled = () => {
    const memory = new Memory()
    memory.stall(KEY, aMachine({}, undefined), 'ValidationError')
    return memory
  }

  test('stays so while nobody edits it, whatever else happens to it', () => {
    const later = aMachine({ resourceVersion: '99', finalizers: ['a.b/c'] })

    expect(stalled().isStalled(KEY, later)).toBe(true)
    expect(stalled().isStalled('default/m2', later)).toBe(false)
  })

  test.each([
    ['its spec changes', aMachine({ generation: 2 })],
    ['it is annotated', aMachine({ annotations: { retry: 'now' } })],
    ['it is labelled', aMachine({ labels: { cluster: 'prod' } })],
    ['it is to be deleted', aMachine({ deletionTimestamp: '2030-01-01T00:00:00Z' })],
    ['it is another object', aMachine({ uid: 'second' })],
  ])('is tried again when %s', (_what, edited) => {
    expect(stalled().isStalled(KEY, edited)).toBe(false)
  })

  test.each([
    ['was never written', undefined],
    ['is wiped', {}],
    ['gives another reason', ready('Booting')],
    ['is garbage', 'ValidationError'],
  ])('is tried again when its status %s', (_what, status) => {
    expect(stalled().isStalled(KEY, { ...aMachine(), status })).toBe(false)
  })

  test('is none when nothing is remembered', () => {
    expect(new Memory().isStalled(KEY, aMachine())).toBe(false)
  })
})

describe('the same steps', () => {
  const steps = [{ do: 'make', name: 'a' }]

  test('are counted, in whatever order their fields are', () => {
    const memory = new Memory()

    const counts = [
      memory.repeats(KEY, steps, 0),
      memory.repeats(KEY, [{ name: 'a', do: 'make' }], MINUTE),
      memory.repeats(KEY, steps, 2 * MINUTE),
    ]

    expect(counts).toEqual([1, 2, 3])
  })

  test('are counted anew after others, and for each resource', () => {
    const memory = new Memory()
    memory.repeats(KEY, steps, 0)

    expect(memory.repeats('default/m2', steps, 0)).toBe(1)
    expect(memory.repeats(KEY, [...steps, ...steps], 0)).toBe(1)
    expect(memory.repeats(KEY, steps, 0)).toBe(1)
  })

  test('are in a row only if they come soon after each other', () => {
    const memory = new Memory()
    memory.repeats(KEY, steps, 0)

    const counts = [
      memory.repeats(KEY, steps, 10 * MINUTE),
      memory.repeats(KEY, steps, 20 * MINUTE),
      memory.repeats(KEY, steps, 30 * MINUTE + 1),
    ]

    expect(counts).toEqual([2, 3, 1])
  })
})
