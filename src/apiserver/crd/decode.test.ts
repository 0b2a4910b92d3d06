import { describe, expect, it } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { atOnce } from '#apiserver/steps.ts'
import { decodeCustomObject } from './decode.ts'
import { validateEmbedded } from './embedded.ts'
import { validateListTypes } from './list-types.ts'

const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        emb: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        map: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k', 'p'],
          items: { type: 'object', properties: { k: { type: 'string' }, p: {} } },
        },
        sets: {
          type: 'object',
          additionalProperties: { type: 'array', 'x-kubernetes-list-type': 'set', items: {} },
        },
      },
    },
  },
}
const expected = { group: 'h4.example.com', version: 'v1', kind: 'A', schema }
const whole = (changes: Fields = {}): Fields => ({
  apiVersion: 'h4.example.com/v1',
  kind: 'A',
  metadata: { name: 'x' },
  ...changes,
})
const decode = (given: unknown) =>
  atOnce(decodeCustomObject(expected, JSON.stringify(given), given))

describe('an object of a custom kind is refused', () => {
  const handled = 'A in version "v1" cannot be handled as a A: '
  const unknown = 'the object provided is unrecognized (must be of type A): '

  it.each<[given: unknown, message: string]>([
    [
      whole({ metadata: { labels: { a: 1 } } }),
      `${handled}json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string`,
    ],
    [
      whole({ metadata: { annotations: 'x' } }),
      `${handled}json: cannot unmarshal string into Go struct field ObjectMeta.annotations of type map[string]string`,
    ],
    [
      whole({ metadata: { finalizers: 'x' } }),
      `${handled}json: cannot unmarshal string into Go struct field ObjectMeta.finalizers of type []string`,
    ],
    [
      whole({ metadata: { generation: 1.5 } }),
      `${handled}json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64`,
    ],
    [
      whole({ metadata: { uid: 5 } }),
      `${handled}json: cannot unmarshal number into Go struct field ObjectMeta.uid of type types.UID`,
    ],
    [
      whole({ metadata: { ownerReferences: [{ name: 5 }] } }),
      `${handled}json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.name of type string`,
    ],
    [
      whole({ metadata: { ownerReferences: [1] } }),
      `${handled}json: cannot unmarshal number into Go struct field ObjectMeta.ownerReferences of type v1.OwnerReference`,
    ],
    [
      whole({ metadata: { creationTimestamp: 'x' } }),
      `${handled}parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"`,
    ],
    [
      whole({ metadata: { creationTimestamp: '2020-13-01T00:00:00Z' } }),
      `${handled}parsing time "2020-13-01T00:00:00Z": month out of range`,
    ],
    [
      whole({ metadata: { creationTimestamp: '2020-02-30T00:00:00Z' } }),
      `${handled}parsing time "2020-02-30T00:00:00Z": day out of range`,
    ],
    [
      whole({ metadata: 'x' }),
      `${handled}json: cannot unmarshal string into Go value of type v1.ObjectMeta`,
    ],
    [
      whole({ spec: { emb: { apiVersion: 1, kind: 'X' } } }),
      `${handled}spec.emb.apiVersion: Invalid value: 1: must be a string`,
    ],
    [
      whole({ spec: { emb: { metadata: { labels: { a: 1 } } } } }),
      `${handled}spec.emb.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string`,
    ],
    [
      whole({ apiVersion: 'h4.example.com/v2' }),
      'the API version in the data (h4.example.com/v2) does not match the expected API version (h4.example.com/v1)',
    ],
    [
      whole({ apiVersion: undefined }),
      'the API version in the data () does not match the expected API version (h4.example.com/v1)',
    ],
    [
      { kind: '', a: 'a'.repeat(40) },
      `${unknown}Object 'Kind' is missing in '{"kind":"","a":"${'a'.repeat(40)}"}' ({"kind":"","a":"aaaaaaaaaaaaaa ...)`,
    ],
    [
      { kind: 5 },
      `${unknown}couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5})`,
    ],
    [
      { kind: 'A', apiVersion: 'a/b/c' },
      `${unknown}unexpected GroupVersion string: a/b/c ({"kind":"A","apiVersion":"a/b/ ...)`,
    ],
    [
      [],
      `${unknown}couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)`,
    ],
  ])('%j', (given, message) => {
    expect(() => decode(given)).toThrow(message)
  })
})

describe('an object of a custom kind', () => {
  it('loses what its metadata does not know, and tells of it first', () => {
    const given = whole({
      metadata: { name: 'x', foo: 1, ownerReferences: [{ name: 'n', bar: 1 }], labels: {} },
      spec: { zz: 1, emb: { metadata: { foo: 1 } } },
      top: 1,
    })

    const { object, unknown } = decode(given)

    expect(unknown).toEqual([
      'metadata.foo',
      'metadata.ownerReferences[0].bar',
      'spec.zz',
      'top',
      'spec.emb.metadata.foo',
    ])
    expect(object).toEqual(
      whole({
        metadata: { name: 'x', ownerReferences: [{ name: 'n' }] },
        spec: { emb: { metadata: {} } },
      }),
    )
  })

  it('has its times in UTC, and no null', () => {
    const { object } = decode(
      whole({ metadata: { creationTimestamp: '2020-01-01T01:00:00+01:00', labels: null } }),
    )

    expect(object.metadata).toEqual({ creationTimestamp: '2020-01-01T00:00:00Z' })
  })

  it('of another kind of the group is left as it is, to be refused later', () => {
    expect(decode(whole({ kind: 'B', top: 1 })).object).toEqual(whole({ kind: 'B', top: 1 }))
  })
})

describe('the objects and lists in an object', () => {
  const errorsOf = (spec: Fields): string[] =>
    [
      ...validateEmbedded(schema, whole({ spec })),
      ...validateListTypes(schema, whole({ spec })),
    ].map(({ field, message }) => `${field}: ${message.slice(0, 41)}`)

  it.each<[spec: Fields, ...errors: string[]]>([
    [{ emb: {} }, 'spec.emb.apiVersion: Required value', 'spec.emb.kind: Required value'],
    [
      { emb: { apiVersion: '', kind: '' } },
      'spec.emb.apiVersion: Invalid value: "": must not be empty',
      'spec.emb.kind: Invalid value: "": must not be empty',
    ],
    [
      { emb: { apiVersion: 'a/b/c', kind: 'x y' } },
      'spec.emb.apiVersion: Invalid value: "a/b/c": unexpected GroupV',
      'spec.emb.kind: Invalid value: "x y": may have mixed case',
    ],
    [
      { emb: { apiVersion: 'v1', kind: 'X', metadata: { name: 'a/b' } } },
      'spec.emb.metadata.name: Invalid value: "a/b": may not contain \'/\'',
    ],
    [{ emb: { apiVersion: 'v1', kind: 'X', metadata: {} } }],
    [
      { map: [{ k: 'a', p: 1 }, { k: 'a' }, { k: 'a', p: 1 }, { k: 'a', p: 1 }] },
      'spec.map[2]: Duplicate value: {"k":"a","p":1}',
    ],
    [{ map: ['x'] }, 'spec.map[0]: Invalid value: "x": must be an object for'],
    [{ map: [{}, null] }, 'spec.map[1]: Duplicate value: {}'],
    [
      {
        sets: {
          s: ['a', 'b', 'a', 'a'],
          t: [
            { x: 1, y: 2 },
            { y: 2, x: 1 },
          ],
        },
      },
      'spec.sets[s][2]: Duplicate value: "a"',
      'spec.sets[t][1]: Duplicate value: {"x":1,"y":2}',
    ],
  ])('%j', (spec, ...errors) => {
    expect(errorsOf(spec)).toEqual(errors)
  })
})
