import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atOnce, type Steps } from '#apiserver/steps.ts'
import * as inSteps from './field-set.ts'
import { emptySet, hasPath, setOf } from './field-set.ts'
import * as fieldsV1 from './fields-v1.ts'
import { PathElementError, showElement } from './path-element.ts'

/** A function with pauses, without. */
const whole =
  <Arguments extends unknown[], Result>(steps: (...all: Arguments) => Steps<Result>) =>
  (...all: Arguments): Result =>
    atOnce(steps(...all))

const [union, intersection] = [whole(inSteps.union), whole(inSteps.intersection)]
const [difference, deepDifference] = [whole(inSteps.difference), whole(inSteps.deepDifference)]
const [isSubset, isSameSet] = [whole(inSteps.isSubset), whole(inSteps.isSameSet)]
const [readFieldsV1, writeFieldsV1] = [whole(fieldsV1.readFieldsV1), whole(fieldsV1.writeFieldsV1)]

const paths = fc.array(
  fc.array(fc.constantFrom('f:a', 'f:b', 'k:{"name":"x"}', 'v:1', 'i:0'), {
    minLength: 1,
    maxLength: 4,
  }),
)
const sets = paths.map((some) => setOf(...some))
const texts = (set: ReturnType<typeof setOf>): string[] =>
  atOnce(fieldsV1.pathsOf(set))
    .map((path) => path.join(' '))
    .toSorted()

describe('a set of fields', () => {
  it('is written and read back as it was', () => {
    fc.assert(fc.property(sets, (set) => isSameSet(readFieldsV1(writeFieldsV1(set)), set)))
  })

  it('does what sets do, path by path', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const inB = new Set(texts(b))
        expect(texts(union(a, b))).toEqual([...new Set([...texts(a), ...inB])].toSorted())
        expect(texts(intersection(a, b))).toEqual(texts(a).filter((path) => inB.has(path)))
        expect(texts(difference(a, b))).toEqual(texts(a).filter((path) => !inB.has(path)))
        expect(isSubset(a, union(a, b))).toBe(true)
        expect(isSubset(a, b)).toBe(texts(a).every((path) => inB.has(path)))
      }),
    )
  })

  it('loses what is below a path in a deep difference', () => {
    const set = setOf(['f:a', 'f:b'], ['f:a', 'f:c'], ['f:d'])

    expect(texts(deepDifference(set, setOf(['f:a'])))).toEqual(['f:d'])
    expect(texts(difference(set, setOf(['f:a'])))).toEqual(['f:a f:b', 'f:a f:c', 'f:d'])
  })

  it('is itself when nothing changes', () => {
    const set = setOf(['f:a', 'f:b'], ['f:a'])

    expect(union(set, setOf(['f:a', 'f:b']))).toBe(set)
    expect(difference(set, setOf(['f:x'], ['f:a', 'f:z']))).toBe(set)
    expect(union(set, emptySet)).toBe(set)
  })

  it('knows its paths', () => {
    const set = setOf(['f:a'], ['f:a', 'f:b'])

    expect(hasPath(set, ['f:a'])).toBe(true)
    expect(hasPath(set, ['f:b'])).toBe(false)
  })
})

describe('FieldsV1', () => {
  it('is ordered as Kubernetes orders it: fields, keys by value, values, indexes', () => {
    const set = setOf(
      ['i:10'],
      ['i:9'],
      ['v:"b"'],
      ['v:10'],
      ['v:9'],
      ['k:{"port":80,"protocol":"TCP"}'],
      ['k:{"port":9,"protocol":"UDP"}'],
      ['k:{"port":9,"protocol":"TCP"}'],
      ['f:b'],
      ['f:a', 'f:x'],
      ['f:a'],
    )

    expect(JSON.stringify(writeFieldsV1(set))).toBe(
      '{"f:a":{".":{},"f:x":{}},"f:b":{},"k:{\\"port\\":9,\\"protocol\\":\\"TCP\\"}":{},"k:{\\"port\\":9,\\"protocol\\":\\"UDP\\"}":{},"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{},"v:9":{},"v:10":{},"v:\\"b\\"":{},"i:9":{},"i:10":{}}',
    )
  })

  it('is read in any form, and kinds of elements that nobody knows are skipped', () => {
    const set = readFieldsV1({ 'f:a': { 'k:{ "b":1, "a":"<" }': {}, 'x:y': {} } })

    expect(writeFieldsV1(set)).toEqual({ 'f:a': { 'k:{"a":"\\u003c","b":1}': {} } })
  })

  it.each([[{ f: {} }], [{ 'k:1': {} }], [{ 'v:{': {} }], [{ 'i:x': {} }], [{ 'f:a': 1 }]])(
    'is refused when it is none: %j',
    (fields) => {
      expect(() => readFieldsV1(fields)).toThrow(PathElementError)
    },
  )

  it('shows its elements in sentences', () => {
    const shown = ['f:a', 'k:{"name":"x","port":80}', 'v:"x"', 'i:3'].map(showElement)

    expect(shown).toEqual(['.a', '[name="x",port=80]', '[="x"]', '[3]'])
  })
})
