import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SortedEntries } from './sorted-entries.ts'

const keys = ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [`g/one/${name}`, `g/two/${name}`])
const entryOf = (key: string, revision: number) => ({ key, revision, value: Buffer.alloc(0) })

test('whatever comes and goes, what is there is listed in order and once', () => {
  const change = fc.record({ key: fc.constantFrom(...keys), stays: fc.boolean() })
  const changes = fc.array(change, { minLength: 50, maxLength: 100 })
  fc.assert(
    fc.property(changes, (some) => {
      const entries = new SortedEntries([])
      const model = new Map<string, number>()
      for (const [revision, { key, stays }] of some.entries()) {
        if (stays) {
          entries.put(entryOf(key, revision))
          model.set(key, revision)
        } else {
          entries.remove(key)
          model.delete(key)
        }
        for (const prefix of ['', 'g/one/', 'g/two/b']) {
          const listed = entries.list(prefix).map((entry) => [entry.key, entry.revision])
          expect(listed).toEqual([...model].filter(([one]) => one.startsWith(prefix)).toSorted())
        }
      }
    }),
  )
})
