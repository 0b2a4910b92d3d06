import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Heap, type Timed } from './queue-heap.ts'

test('they come in the order of their times, whoever was removed before', () => {
  const anAction = fc.record({
    at: fc.integer({ min: 0, max: 100 }),
    remove: fc.option(fc.nat(), { freq: 2 }),
  })
  fc.assert(
    fc.property(fc.array(anAction, { minLength: 30, maxLength: 60 }), (actions) => {
      const heap = new Heap<string>()
      const entries: Timed<string>[] = []
      for (const { at, remove } of actions) {
        entries.push(heap.add(`at ${at}`, at))
        const gone = remove === null ? [] : entries.splice(remove % entries.length, 1)
        for (const entry of gone) heap.remove(entry)
      }
      expect(heap.size).toBe(entries.length)

      const taken = entries.map(() => {
        const { first } = heap
        if (first) heap.remove(first)
        return first?.value
      })

      const expected = entries.toSorted((a, b) => a.at - b.at).map(({ value }) => value)
      expect(taken).toEqual(expected)
      expect(heap.first).toBeUndefined()
    }),
    { numRuns: 500 },
  )
})
