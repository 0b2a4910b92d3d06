import { describe, expect, it } from 'vitest'
import { jsonPath } from './json-path.ts'
import { printerOf } from './printer.ts'

const object = {
  metadata: { name: 'one', labels: { 'a.b/c': 'v' }, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    n: null,
    i: 5,
    f: 2.5,
    big: 10000000.5,
    b: true,
    o: { z: 1, a: '<x>' },
    l: ['p', 'q r'],
    t: '2020-01-01T00:00:00Z',
    bad: 'x',
    empty: '',
  },
  status: {
    conditions: [
      { type: 'X', status: 'False', n: 1 },
      { type: 'Ready', status: 'True', n: 7 },
    ],
  },
}
const now = new Date('2026-11-16T00:00:00Z')

describe('a cell of a table', () => {
  /** As kube-apiserver v1.36.4 fills them. */
  it.each<[type: string, path: string, cell: unknown]>([
    ['string', '.spec.n', '<no value>'],
    ['string', '.spec.i', '5'],
    ['integer', '.spec.f', 2],
    ['number', '.spec.f', 2.5],
    ['string', '.spec.big', '1.00000005e+07'],
    ['boolean', '.spec.b', true],
    ['string', '.spec.b', 'true'],
    ['integer', '.spec.b', null],
    ['string', '.spec.o', '{"a":"\\u003cx\\u003e","z":1}'],
    ['string', '.spec.l', '["p","q r"]'],
    ['string', '.spec.l[0]', 'p'],
    ['string', '.spec.l[9]', null],
    ['string', '.spec.l[-1]', 'q r'],
    ['string', '.spec.l[*]', 'p'],
    ['string', '.status.conditions[?(@.type=="Ready")].status', 'True'],
    ['integer', ".status.conditions[?(@.type=='Ready')].n", 7],
    ['string', '.status.conditions[?(@.n>1)].type', 'Ready'],
    ['string', '.status.conditions[?(@.n)].type', 'X'],
    ['string', '.spec[?(@.n)].type', null],
    ['string', '.nothing.here', null],
    ['string', ".metadata.labels['a\\.b/c']", 'v'],
    ['string', '.metadata.labels.a\\.b/c', 'v'],
    ['date', '.spec.t', '6y321d'],
    ['date', '.spec.bad', '<invalid>'],
    ['date', '.spec.empty', '<unknown>'],
    ['date', '.spec.i', null],
  ])('%s %s', (type, path, cell) => {
    const { cells } = printerOf([{ name: 'C', type, jsonPath: path }])

    expect(cells(object, now)).toEqual(['one', cell])
  })

  it('is the age where a CRD has no columns', () => {
    const { columns, cells } = printerOf([])

    expect(columns.map(({ name, type, format }) => [name, type, format])).toEqual([
      ['Name', 'string', 'name'],
      ['Age', 'date', ''],
    ])
    expect(cells(object, now)).toEqual(['one', '319d'])
  })

  it('is left out from the first column on whose path cannot be read', () => {
    const column = { type: 'string', jsonPath: '.spec.i' }
    const { columns } = printerOf([
      { ...column, name: 'A', priority: 1, description: 'd' },
      { ...column, name: 'B', jsonPath: '.spec[' },
      { ...column, name: 'C' },
    ])

    expect(columns.slice(1)).toEqual([
      { name: 'A', type: 'string', format: '', description: 'd', priority: 1 },
    ])
  })
})

describe('a path', () => {
  it.each<[path: string, found: unknown[]]>([
    ['.a.b', [1]],
    ['$.a.b', [1]],
    ["['a']['b']", [1]],
    ['.l[0:2]', [1, 2]],
    ['.l[1:]', [2, 3]],
    ['.l[::2]', [1, 3]],
    ['.l[0,2]', [1, 3]],
    ['.a.*', [1]],
    ['..b', [1]],
    ['.l[0:0]', []],
    ['.a.constructor', []],
  ])('%s', (path, found) => {
    expect(jsonPath(path)({ a: { b: 1 }, l: [1, 2, 3] })).toEqual(found)
  })

  it.each(['.a[', '.a[x]', '.a[?(@.b', "'x", '.a#'.replace('a', '{')])('%s is none', (path) => {
    expect(() => jsonPath(path)).toThrow()
  })
})
