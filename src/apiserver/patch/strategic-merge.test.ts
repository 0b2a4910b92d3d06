import { describe, expect, it } from 'vitest'
import { ApiFailure } from '#apiserver/failure.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { atOnce } from '#apiserver/steps.ts'
import { applyStrategicMergePatch } from './strategic-merge.ts'

const item: Schema = { type: 'object', properties: { name: { type: 'string' } } }

const schema: Schema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: item,
      'x-kubernetes-patch-strategy': 'merge,retainKeys',
      'x-kubernetes-patch-merge-key': 'name',
    },
    keyless: { type: 'array', items: item, 'x-kubernetes-patch-strategy': 'merge' },
    names: { type: 'array', 'x-kubernetes-patch-strategy': 'merge' },
    list: { type: 'array' },
    map: { type: 'object' },
    whole: { type: 'object', 'x-kubernetes-patch-strategy': 'replace' },
  },
}

const live = {
  items: [
    { name: 'a', v: 1 },
    { name: 'b', v: 2 },
    { name: 'c', v: 3 },
  ],
  keyless: [{ name: 'a' }],
  names: ['x', 'y', 'z'],
  list: [1, 2],
  map: { k: 1, l: 2 },
  whole: { k: 1 },
}

const patched = (patch: Fields): Fields => atOnce(applyStrategicMergePatch(live, patch, schema))

describe('a strategic merge patch', () => {
  it.each<[Fields, Fields]>([
    [
      { items: [{ name: 'b', v: 9 }] },
      { items: [live.items[0], { name: 'b', v: 9 }, live.items[2]] },
    ],
    [{ items: [{ name: 'n' }] }, { items: [{ name: 'n' }, ...live.items] }],
    [{ items: [{ name: 'b', $patch: 'delete' }] }, { items: [live.items[0], live.items[2]] }],
    [{ items: [{ name: 'n' }, { $patch: 'replace' }] }, { items: [{ name: 'n' }] }],
    [
      { items: [{ name: 'a', $retainKeys: ['name'] }] },
      { items: [{ name: 'a' }, ...live.items.slice(1)] },
    ],
    [
      { '$setElementOrder/items': [{ name: 'c' }, { name: 'a' }] },
      { items: [live.items[1], live.items[2], live.items[0]] },
    ],
    [
      { '$setElementOrder/items': [{ name: 'n' }, { name: 'c' }], items: [{ name: 'n' }] },
      { items: [{ name: 'n' }, ...live.items] },
    ],
    [{ names: ['q', 'y'] }, { names: ['q', 'x', 'y', 'z'] }],
    [{ '$deleteFromPrimitiveList/names': ['y'] }, { names: ['x', 'z'] }],
    [{ '$setElementOrder/names': ['z', 'x'] }, { names: ['y', 'z', 'x'] }],
    [{ list: [3] }, { list: [3] }],
    [{ map: { k: null, m: 3 } }, { map: { l: 2, m: 3 } }],
    [{ map: { $patch: 'replace', m: 3 } }, { map: { m: 3 } }],
    [{ map: { $patch: 'delete' } }, { map: {} }],
    [{ map: { $retainKeys: ['l', 'm'], m: 3 } }, { map: { l: 2, m: 3 } }],
    [{ whole: { m: 1 } }, { whole: { m: 1 } }],
    [{ fresh: { a: null, b: [{ $patch: 'delete' }, { c: null }] } }, { fresh: { b: [{}] } }],
    [{ map: 'text' }, { map: 'text' }],
  ])('%j is laid over', (patch, change) => {
    const before = structuredClone([live, patch])

    expect(patched(patch)).toEqual({ ...live, ...change })
    expect([live, patch]).toEqual(before)
  })

  it.each<[unknown, number, string]>([
    [[], 400, 'json: cannot unmarshal array into Go value of type map[string]interface {}'],
    [{ items: [{ v: 1 }] }, 500, 'map: map[v:1] does not contain declared merge key: name'],
    [
      { items: ['x'] },
      500,
      'list element types are not identical: [[map[name:a v:1] map[name:b v:2] map[name:c v:3]] [x]]',
    ],
    [{ keyless: [{ name: 'b' }] }, 500, 'cannot merge lists without merge key for struct'],
    [{ map: { $patch: 'x' } }, 500, 'unknown patch type: x in map: map[$patch:x]'],
    [
      { items: [{ name: 'a', $patch: 'merge' }] },
      500,
      'merging lists cannot yet be specified in the patch',
    ],
    [{ map: { $retainKeys: ['l'], m: 3 } }, 400, 'invalid patch format of retainKeys'],
    [{ map: { $retainKeys: 'l' } }, 400, 'invalid patch format of retainKeys'],
    [{ $deleteFromPrimitiveListX: [] }, 400, 'invalid patch format of primitive list'],
    [{ $setElementOrderX: [] }, 400, 'invalid patch format of setElementOrder list'],
    [
      { '$setElementOrder/names': ['x'], names: ['q'] },
      500,
      "The order in patch list:\n[q]\n doesn't match $setElementOrder list:\n[x]\n",
    ],
    [
      { '$setElementOrder/names': {} },
      500,
      'expected a []interface {}, but received a map[string]interface {}',
    ],
  ])('%j is refused', (patch, code, message) => {
    try {
      atOnce(applyStrategicMergePatch(live, patch, schema))
      expect.unreachable()
    } catch (error) {
      expect(error).toBeInstanceOf(ApiFailure)
      expect(error).toMatchObject({ code, message })
    }
  })
})
