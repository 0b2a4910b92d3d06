import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { atOnce } from '#apiserver/steps.ts'
import { protobufOf } from './protobuf.ts'

const bytesOf = (document: Fields) => atOnce(protobufOf(document))

import { ProtobufWriter } from './protobuf-writer.ts'

test('lengths take as many bytes as they need', () => {
  const short = new ProtobufWriter().text(1, 'ab').finish()
  const long = new ProtobufWriter().text(31, 'x'.repeat(300)).finish()

  expect([...short]).toEqual([0x0a, 2, 0x61, 0x62])
  expect([...long.subarray(0, 5)]).toEqual([0xfa, 0x01, 0xac, 0x02, 0x78])
})

test('a schema is written by the numbers that gnostic gave its fields', () => {
  const named =
    (name: string, write: (schema: ProtobufWriter) => void) => (parent: ProtobufWriter) =>
      parent.message(1, (entry) => entry.text(1, name).message(2, write))
  const expected = new ProtobufWriter()
    .text(1, '2.0')
    .message(2, (info) => info.text(1, 'Kubernetes').text(2, 'v1'))
    .message(8, () => undefined)
    .message(
      9,
      named('A', (schema) =>
        schema
          .text(4, 'about')
          .text(19, 'b')
          .message(22, (type) => type.text(1, 'object'))
          .message(
            25,
            named('b', (b) =>
              b
                .message(20, (any) => any.text(2, '"x"'))
                .message(22, (type) => type.text(1, 'array'))
                .message(23, (items) =>
                  items.message(1, (item) => item.text(1, '#/definitions/C')),
                ),
            ),
          )
          .message(31, (extension) =>
            extension.text(1, 'x-k').message(2, (any) => any.text(2, '[{"kind":"A"}]')),
          ),
      ),
    )
    .finish()

  expect(
    bytesOf({
      swagger: '2.0',
      info: { title: 'Kubernetes', version: 'v1' },
      definitions: {
        A: {
          type: 'object',
          description: 'about',
          required: ['b'],
          properties: { b: { type: 'array', enum: ['x'], items: { $ref: '#/definitions/C' } } },
          'x-k': [{ kind: 'A' }],
        },
      },
    }),
  ).toEqual(expected)
})
