import { describe, expect, it } from 'vitest'
import { JsonDocument, PointerError } from './json-document.ts'

const fresh = (): JsonDocument =>
  new JsonDocument({ map: { a: 1, 'x/y': 2, 't~u': 3, none: null }, list: ['p', 'q'] })

const refusal = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error instanceof PointerError ? [error.message, error.withoutParent] : error
  }
}

describe('a JSON document', () => {
  it('gets what is there, and null for an entry that is not', () => {
    expect(fresh().get('/map/x~1y')).toBe(2)
    expect(fresh().get('/map/t~0u')).toBe(3)
    expect(fresh().get('/list/-1')).toBe('q')
    expect(fresh().get('/map/constructor')).toBeNull()
  })

  it('adds to maps and lists', () => {
    const document = fresh()
    document.add('/map/b', 9)
    document.add('/list/0', 'o')
    document.add('/list/-', 'r')
    document.add('/list/-1', 's')
    document.add('/map/__proto__', { polluted: true })

    expect(document.root).toMatchObject({ map: { b: 9 }, list: ['o', 'p', 'q', 'r', 's'] })
    expect(document.get('/map/__proto__')).toEqual({ polluted: true })
    expect(document.get('/map/polluted')).toBeNull()
  })

  it('removes and says what it was', () => {
    const document = fresh()

    expect(document.remove('/list/0')).toBe('p')
    expect(document.remove('/map/a')).toBe(1)
    expect(document.root).toMatchObject({ list: ['q'], map: { none: null } })
    expect(document.get('/map/a')).toBeNull()
  })

  it('replaces, or adds what is not there', () => {
    const document = fresh()
    document.replace('/list/1', 'z')
    document.replace('/map/new', 'z')

    expect(document.root).toMatchObject({ list: ['p', 'z'], map: { new: 'z' } })
    document.replace('', [1])
    expect(document.root).toEqual([1])
  })

  it.each([
    ['/list', ['p', 'q'], true],
    ['/list', ['p'], false],
    ['/list', { 0: 'p' }, false],
    ['/map/none', null, true],
    ['/map/no', null, true],
    ['/map', { a: 1, 'x/y': 2, 't~u': 3, none: null }, true],
    ['/map', { a: 1, 'x/y': 2, 't~u': 3, no: null }, false],
    ['/map', [], false],
    ['', { list: ['p', 'q'] }, false],
  ])('knows whether %s is %j: %j', (pointer, value, answer) => {
    expect(fresh().has(pointer, value)).toBe(answer)
  })

  it.each([
    [
      'add',
      '/list/x',
      'value was not a proper array index: \'x\': strconv.Atoi: parsing "x": invalid syntax',
    ],
    ['add', '/list/9', 'Unable to access invalid index: 9: invalid index referenced'],
    ['remove', '/list/-9', 'Unable to access invalid index: -9: invalid index referenced'],
    ['remove', '/list/-', 'strconv.Atoi: parsing "-": invalid syntax'],
    ['remove', '/map/no', 'Unable to remove nonexistent key: no: missing value'],
    ['get', '/list/2', 'Unable to access invalid index: 2: invalid index referenced'],
    ['replace', '', 'replace operation value must be object or array'],
  ] as const)('cannot %s %s', (act, pointer, why) => {
    expect(refusal(() => fresh()[act](pointer, 'v'))).toEqual([why, false])
  })

  it.each(['', 'map', '/no/such', '/map/a/b', '/map/none/b', '/list/7/a', '/list/x/a'])(
    'finds no parent for %j',
    (pointer) => {
      expect(refusal(() => fresh().add(pointer, 1))).toEqual(['missing value', true])
    },
  )

  it('has no place for anything below a scalar', () => {
    expect(refusal(() => new JsonDocument('text').add('/a', 1))).toEqual(['missing value', true])
  })
})
