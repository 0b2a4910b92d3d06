import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fifo, type Place } from './queue-fifo.ts'

test('the first is the one that came first of those who have not left, from wherever they left', () => {
  const leavers = fc.array(fc.option(fc.nat(), { freq: 2 }), { maxLength: 200 })
  fc.assert(
    fc.property(leavers, (leaving) => {
      const line = new Fifo<number>()
      const places: Place<number>[] = []

      for (const [index, leaver] of leaving.entries()) {
        places.push(line.push(index))
        if (leaver !== null) {
          for (const place of places.splice(leaver % places.length, 1)) line.remove(place)
        }
        expect(line.first).toBe(places[0]?.value)
        expect(line.length).toBe(places.length)
      }
    }),
  )
})
