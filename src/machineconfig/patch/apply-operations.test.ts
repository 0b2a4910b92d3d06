import { describe, expect, it } from 'vitest'
import { applyOperations, changeByOperations } from './apply-operations.ts'

const root = { map: { a: '1' }, list: ['p', 'q'], none: null }
const failure = 'failure applying rfc6902 patches to talos machine config: '

describe('the operations of a JSON patch', () => {
  it.each([
    [{ op: 'add', path: '/map/b', value: 2 }, { map: { a: '1', b: 2 } }],
    [{ op: 'add', path: '/map/b' }, { map: { a: '1', b: null } }],
    [{ op: 'remove', path: '/list/0' }, { list: ['q'] }],
    [{ op: 'replace', path: '/map/a', value: [1] }, { map: { a: [1] } }],
    [
      { op: 'move', from: '/map/a', path: '/list/-' },
      { map: {}, list: ['p', 'q', '1'] },
    ],
    [{ op: 'copy', from: '/map', path: '/list/0' }, { list: [{ a: '1' }, 'p', 'q'] }],
    [{ op: 'copy', from: '/map/no', path: '/none' }, {}],
    [{ op: 'test', path: '/map', value: { a: '1' } }, {}],
    [{ op: 'test', path: '/map/no' }, {}],
  ])('%j is done, on a copy', (operation, change) => {
    const before = structuredClone(root)

    expect(applyOperations(root, [operation])).toEqual({ ...root, ...change })
    expect(root).toEqual(before)
  })

  it('are done in place on what nobody uses after that', () => {
    const own = structuredClone(root)

    expect(changeByOperations(own, [{ op: 'remove', path: '/map' }])).toBe(own)
    expect(own).toEqual({ list: ['p', 'q'], none: null })
  })

  it('do not share what they bring', () => {
    const value = { list: [1] }
    const result = applyOperations(root, [
      { op: 'add', path: '/x', value },
      { op: 'copy', from: '/x', path: '/y' },
      { op: 'add', path: '/y/list/-', value: 2 },
    ])

    expect(result).toMatchObject({ x: { list: [1] }, y: { list: [1, 2] } })
    expect(value).toEqual({ list: [1] })
  })

  it.each([
    [{}, 'Unexpected kind: unknown'],
    [{ op: 5 }, 'Unexpected kind: unknown'],
    [{ op: 'merge' }, 'Unexpected kind: merge'],
    [{ op: 'add' }, 'add operation failed to decode path: missing value'],
    [
      { op: 'add', path: '/no/x' },
      'add operation does not apply: doc is missing path: "/no/x": missing value',
    ],
    [
      { op: 'add', path: '/list/9' },
      "error in add for path: '/list/9': Unable to access invalid index: 9: invalid index referenced",
    ],
    [{ op: 'remove' }, 'remove operation failed to decode path: missing value'],
    [
      { op: 'remove', path: '/no/x' },
      'remove operation does not apply: doc is missing path: "/no/x": missing value',
    ],
    [
      { op: 'remove', path: '/x' },
      "error in remove for path: '/x': Unable to remove nonexistent key: x: missing value",
    ],
    [
      { op: 'replace' },
      'replace operation failed to decode path: operation missing path field: missing value',
    ],
    [
      { op: 'replace', path: 5 },
      'replace operation failed to decode path: json: cannot unmarshal into Go value of type string',
    ],
    [
      { op: 'replace', path: '/no/x' },
      'replace operation does not apply: doc is missing path: /no/x: missing value',
    ],
    [
      { op: 'replace', path: '/list/9' },
      'replace operation does not apply: doc is missing key: /list/9: missing value',
    ],
    [{ op: 'replace', path: '', value: 1 }, 'replace operation value must be object or array'],
    [
      { op: 'move', path: '/x' },
      'move operation failed to decode from: operation, missing from field: missing value',
    ],
    [
      { op: 'move', from: '/no/x', path: '/x' },
      'move operation does not apply: doc is missing from path: /no/x: missing value',
    ],
    [
      { op: 'move', from: '/map/x', path: '/x' },
      "error in move for path: 'x': Unable to remove nonexistent key: x: missing value",
    ],
    [
      { op: 'move', from: '/map/a' },
      'move operation failed to decode path: operation missing path field: missing value',
    ],
    [
      { op: 'move', from: '/map/a', path: '/no/x' },
      'move operation does not apply: doc is missing destination path: /no/x: missing value',
    ],
    [
      { op: 'move', from: '/map/a', path: '/list/9' },
      "error in move for path: '/list/9': Unable to access invalid index: 9: invalid index referenced",
    ],
    [
      { op: 'test' },
      'test operation failed to decode path: operation missing path field: missing value',
    ],
    [
      { op: 'test', path: '/no/x' },
      'test operation does not apply: is missing path: /no/x: missing value',
    ],
    [
      { op: 'test', path: '/list/9' },
      "error in test for path: '/list/9': Unable to access invalid index: 9: invalid index referenced",
    ],
    [{ op: 'test', path: '/map/a', value: 1 }, 'testing value /map/a failed: test failed'],
    [
      { op: 'copy' },
      'copy operation failed to decode from: operation, missing from field: missing value',
    ],
    [
      { op: 'copy', from: '/no/x', path: '/x' },
      'copy operation does not apply: doc is missing from path: /no/x: missing value',
    ],
    [
      { op: 'copy', from: '/list/9', path: '/x' },
      "error in copy for from: '/list/9': Unable to access invalid index: 9: invalid index referenced",
    ],
    [{ op: 'copy', from: '/map' }, 'copy operation failed to decode path: missing value'],
    [
      { op: 'copy', from: '/map', path: '/no/x' },
      'copy operation does not apply: doc is missing destination path: /no/x: missing value',
    ],
    [
      { op: 'copy', from: '/map', path: '/list/9' },
      'error while adding value during copy: Unable to access invalid index: 9: invalid index referenced',
    ],
  ])('%j is refused', (operation, why) => {
    expect(() => applyOperations(root, [operation])).toThrow(`${failure}${why}`)
  })

  it('do not copy copies without end', () => {
    const double = Array.from({ length: 40 }, (_, index) => ({
      ...{ op: 'copy', from: '/map', path: `/map/${index}` },
    }))

    expect(() => applyOperations(root, double)).toThrow(`${failure}more than 3 MiB are copied`)
  })
})
