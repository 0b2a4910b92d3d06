import { describe, expect, test } from 'vitest'
import {
  bits,
  explicit,
  flags,
  implicit,
  integer,
  NULL,
  objectId,
  octets,
  sequence,
  setOf,
  TRUE,
  text,
  time,
  valuesIn,
} from './der.ts'

const bytes = (...values: number[]) => Buffer.from(values)

describe('values are written as others write them', () => {
  test.each([
    ['true', TRUE, '0101ff'],
    ['nothing', NULL, '0500'],
    ['zero', integer(bytes(0, 0)), '020100'],
    ['a number', integer(bytes(0, 2)), '020102'],
    ['a number whose first bit is set', integer(bytes(0x80)), '02020080'],
    ['a text', text('ö'), '0c02c3b6'],
    ['octets', octets(bytes(1, 2)), '04020102'],
    ['bits', bits(bytes(1, 2)), '0303000102'],
    ['the first flag', flags(0), '03020780'],
    ['flags', flags(5, 6), '03020106'],
    ['a flag in the second byte', flags(8), '0303070080'],
    ['an object ID', objectId('1.2.840.113549.1.1.11'), '06092a864886f70d01010b'],
    ['a sequence', sequence(NULL, TRUE), '300505000101ff'],
    ['a set', setOf(NULL), '31020500'],
    ['a value in a tag', explicit(3, NULL), 'a3020500'],
    ['a value under a tag', implicit(2, bytes(7)), '820107'],
    ['a time', time(new Date('2026-11-16T06:45:30.999Z')), hexOfText('17', '261116064530Z')],
    ['a late time', time(new Date('2050-01-01T00:00:00Z')), hexOfText('18', '20500101000000Z')],
    ['an early time', time(new Date('1949-12-31T00:00:00Z')), hexOfText('18', '19491231000000Z')],
  ])('%s', (_, written, wanted) => {
    expect(written.toString('hex')).toBe(wanted)
  })

  test.each([
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
    [70_000, '0483011170'],
  ])('%i octets', (length, head) => {
    const written = octets(Buffer.alloc(length))

    expect(written.subarray(0, head.length / 2).toString('hex')).toBe(head)
    expect(written).toHaveLength(length + head.length / 2)
  })
})

test('what was written is read', () => {
  const long = octets(Buffer.alloc(300, 1))

  expect(valuesIn(Buffer.concat([NULL, long]))).toEqual([
    { tag: 5, whole: NULL, content: bytes() },
    { tag: 4, whole: long, content: Buffer.alloc(300, 1) },
  ])
})

test.each([
  ['a value that is longer than the bytes', '0402ff'],
  ['a value without a length', '04'],
  ['a length that is cut off', '0482ff'],
  ['a length that is longer than any number', '0489010101010101010101'],
])('%s is refused', (_, hex) => {
  expect(() => valuesIn(Buffer.from(hex, 'hex'))).toThrow(RangeError)
})

function hexOfText(tag: string, value: string): string {
  return `${tag}${value.length.toString(16).padStart(2, '0')}${Buffer.from(value).toString('hex')}`
}
