import fc from 'fast-check'
import { expect, test } from 'vitest'
import { membersOf } from './json-members.ts'
import { atOnce } from './steps.ts'

test('all members are there but for one, whatever follows the object', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
  fc.assert(
    fc.property(objects, fc.jsonValue(), (object, left) => {
      const { left: _, ...rest } = object
      const text = JSON.stringify({ left, ...rest })

      expect(atOnce(membersOf(`${text},"more":{"a":1}}`, { but: 'left' }))).toEqual(
        JSON.parse(JSON.stringify(rest)),
      )
    }),
  )
})
