import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FairOrder, moreUrgent, type Priority, priorities, type Waiter } from './queue-order.ts'

/** An order of keys `group/name`, by priority alone unless told otherwise. */
function anOrder({ maxPerGroup = Infinity, oldestEvery = Infinity } = {}) {
  const order = new FairOrder<string>({ maxPerGroup, oldestEvery })
  const groupOf = (key: string) => key.split('/')[0] ?? ''
  const add = (key: string, priority: Priority = 'change', sinceMs = 0) =>
    order.add(groupOf(key), { value: key, priority, sinceMs })
  /** Takes one that ends at once. */
  const next = () => {
    const waiter = order.take()
    if (waiter) order.done(waiter)
    return waiter?.ask.value
  }
  const all = () => {
    const keys: string[] = []
    for (let key = next(); key !== undefined; key = next()) keys.push(key)
    return keys
  }
  return { order, add, next, all }
}

const aPriority = fc.constantFrom(...priorities)

describe('the order', () => {
  test('edits come before changes, changes before resyncs', () => {
    const { add, all } = anOrder()
    add('a/resync', 'resync')
    add('a/change', 'change')
    add('a/edit', 'edit')

    expect(all()).toEqual(['a/edit', 'a/change', 'a/resync'])
  })

  test('groups take turns, and within a group the first comes first', () => {
    const { add, all } = anOrder()
    for (const key of ['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'c/1']) add(key)

    expect(all()).toEqual(['a/1', 'b/1', 'c/1', 'a/2', 'b/2', 'a/3'])
  })

  test('a group that comes late waits for one round, not for the others’ backlog', () => {
    const { add, next } = anOrder()
    for (let i = 0; i < 100; i++) add(`a/${i}`)
    for (let i = 0; i < 100; i++) add(`b/${i}`)
    next()

    add('late/1')

    expect([next(), next(), next()]).toEqual(['b/0', 'a/1', 'late/1'])
  })

  test('one that is raised goes behind those who have that priority, and keeps its age', () => {
    const { order, add, all } = anOrder()
    const raised = add('a/raised', 'resync', 5)
    add('a/edit', 'edit', 6)

    order.raise(raised, 'edit')
    order.raise(raised, 'change')

    expect(order.oldestSinceMs).toBe(5)
    expect(all()).toEqual(['a/edit', 'a/raised'])
  })

  test('one that is removed is not taken, and an empty order remembers no group', () => {
    const { order, add, all } = anOrder()
    const waiters = ['a/1', 'a/2', 'b/1'].map((key) => add(key))

    for (const waiter of waiters.slice(1)) order.remove(waiter)

    expect(order).toMatchObject({ size: 1, groups: 1 })
    expect(all()).toEqual(['a/1'])
    expect(order).toMatchObject({ size: 0, groups: 0 })
    expect(order.oldestSinceMs).toBeUndefined()
  })

  test('a group at its limit is passed over until one of its own is done', () => {
    const { order, add } = anOrder({ maxPerGroup: 2 })
    for (const key of ['a/1', 'a/2', 'a/3', 'b/1']) add(key)

    const taken = [order.take(), order.take(), order.take()]

    expect(taken.map((waiter) => waiter?.ask.value)).toEqual(['a/1', 'b/1', 'a/2'])
    expect(order.take()).toBeUndefined()
    if (taken[0]) order.done(taken[0])
    expect(order.take()?.ask.value).toBe('a/3')
  })

  test('a hundred thousand waiting are no burden, even behind a limit or in one group', () => {
    const { order, add, next } = anOrder({ maxPerGroup: 1, oldestEvery: 8 })
    const slow = Array.from({ length: 50_000 }, (_, index) => add(`slow/${index}`))
    order.take()
    for (let i = 0; i < 50_000; i++) add(`${i % 1_000}/${i}`)

    const taken = Array.from({ length: 50_000 }, next)

    expect(taken.filter((key) => key === undefined || key.startsWith('slow/'))).toEqual([])
    expect(next()).toBeUndefined()
    expect(order.size).toBe(49_999)
    for (const waiter of slow.slice(1).reverse()) order.remove(waiter)
    expect(order).toMatchObject({ size: 0, groups: 1 })
  })
})

test('the more urgent of two is the one that comes first in the list', () => {
  fc.assert(
    fc.property(aPriority, aPriority, (a, b) => {
      const first = priorities.find((priority) => priority === a || priority === b)
      expect(moreUrgent(a, b)).toBe(first)
      expect(moreUrgent(a, undefined)).toBe(a)
    }),
  )
})

describe('whoever comes and goes', () => {
  interface Ask {
    group: string
    priority: Priority
  }
  type Came = Ask & { key: string; came: number }
  interface Take {
    taken: Came | undefined
    /** Who else waited. */
    left: Came[]
  }
  const anAsk = fc.record({ group: fc.constantFrom('a', 'b', 'c', 'd'), priority: aPriority })
  const events = fc.array(fc.option(anAsk, { nil: undefined, freq: 2 }), { maxLength: 200 })

  /** Adds what is asked for, takes where there is nothing; then takes until none is left. */
  function takesOf(asks: (Ask | undefined)[]): Take[] {
    const { add, next } = anOrder()
    let waiting: Came[] = []
    const take = () => {
      const key = next()
      const taken = waiting.find((one) => one.key === key)
      expect(taken?.key).toBe(key)
      waiting = waiting.filter((one) => one !== taken)
      return [{ taken, left: waiting }]
    }
    const ask = (one: Ask, came: number) => {
      const key = `${one.group}/${came}`
      add(key, one.priority)
      waiting = [...waiting, { key, came, ...one }]
      return []
    }
    const takes = asks.flatMap((one, index) => (one ? ask(one, index) : take()))
    return [...takes, ...waiting.flatMap(take)]
  }

  test('each one is taken, and nobody is taken where a more urgent one waits', () => {
    fc.assert(
      fc.property(events, (asks) => {
        const takes = takesOf(asks)

        for (const { taken, left } of takes) {
          const urgent = left.map(({ priority }) => priority).reduce(moreUrgent, 'resync')
          if (taken) expect(moreUrgent(taken.priority, urgent)).toBe(taken.priority)
          else expect(left).toEqual([])
        }
        expect(takes.at(-1)?.left ?? []).toEqual([])
      }),
    )
  })

  test('within a group and a priority, the first to come is the first to go', () => {
    fc.assert(
      fc.property(events, (asks) => {
        const takes = takesOf(asks).flatMap(({ taken }) => taken ?? [])

        for (const [index, one] of takes.entries()) {
          const later = takes
            .slice(index + 1)
            .filter(
              ({ group, priority, came }) =>
                group === one.group && priority === one.priority && came < one.came,
            )
          expect(later).toEqual([])
        }
      }),
    )
  })

  test('no group is taken from twice while another waits with the same priority', () => {
    fc.assert(
      fc.property(events, (asks) => {
        const takes = takesOf(asks.map((one) => one && { ...one, priority: 'change' }))

        for (const [index, { taken, left }] of takes.entries()) {
          const rest = takes.slice(index + 1).map((take) => take.taken?.group)
          const again = taken ? rest.indexOf(taken.group) : -1
          const between = rest.slice(0, Math.max(0, again))
          const others = left.map(({ group }) => group).filter((group) => group !== taken?.group)
          if (again >= 0) expect(between).toEqual(expect.arrayContaining(others))
        }
      }),
    )
  })
})

describe('nobody waits for ever', () => {
  const EVERY = 4

  test('one take in so many goes to the oldest of the next group, whatever its priority', () => {
    const { add, all } = anOrder({ oldestEvery: 3 })
    for (const key of ['a/1', 'b/1']) add(key, 'resync')
    for (const key of ['c/1', 'c/2', 'c/3', 'c/4']) add(key, 'edit')

    expect(all()).toEqual(['c/1', 'c/2', 'a/1', 'c/3', 'c/4', 'b/1'])
  })

  test('a stream of edits in one group leaves every other group a turn in each round', () => {
    fc.assert(
      fc.property(fc.array(aPriority, { minLength: 1, maxLength: 30 }), (others) => {
        const { add, next } = anOrder({ oldestEvery: EVERY })
        for (const [index, priority] of others.entries()) add(`quiet-${index}/1`, priority)
        const groups = others.length + 1

        const taken = new Set<string | undefined>()
        for (let i = 0; i < EVERY * groups; i++) {
          add(`noisy/${i}`, 'edit')
          taken.add(next())
        }

        const left = others.filter((_, index) => !taken.has(`quiet-${index}/1`))
        expect(left).toEqual([])
      }),
    )
  })

  test('not even a resync in a group that is at its limit with edits, next to others like it', () => {
    const someLengths = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(someLengths, fc.integer({ min: 1, max: 4 }), (lengths, concurrency) => {
        const taken = takenFromCrowd(lengths, concurrency)

        expect(taken).toEqual(expect.arrayContaining(['a/resync', 'b/resync']))
      }),
    )
  })

  /** Three groups get an edit at each step. A pass lasts for some steps: its length. */
  function takenFromCrowd(lengths: number[], concurrency: number): string[] {
    const { order, add } = anOrder({ oldestEvery: EVERY, maxPerGroup: 1 })
    const taken: string[] = []
    let running: { waiter: Waiter<string>; until: number }[] = []
    const fill = (step: number) => {
      const waiter = running.length < concurrency ? order.take() : undefined
      if (waiter === undefined) return
      running.push({ waiter, until: step + (lengths[taken.length % lengths.length] ?? 1) })
      taken.push(waiter.ask.value)
      fill(step)
    }
    for (const group of ['a', 'b']) add(`${group}/resync`, 'resync')
    for (let step = 0; step < EVERY * EVERY * 12; step++) {
      for (const group of ['a', 'b', 'c']) add(`${group}/${step}`, 'edit')
      for (const { waiter } of running.filter(({ until }) => until <= step)) order.done(waiter)
      running = running.filter(({ until }) => until > step)
      fill(step)
    }
    return taken
  }
})
