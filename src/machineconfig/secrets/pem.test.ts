import { expect, test } from 'vitest'
import { firstPemBlock, pemBlocks, pemText } from './pem.ts'

test('a block has lines of 64 letters', () => {
  const der = Buffer.alloc(50, 1)
  const text = pemText({ label: 'X Y', der })

  expect(text.split('\n').map(({ length }) => length)).toEqual([19, 64, 4, 17, 0])
  expect(firstPemBlock(text)).toEqual({ label: 'X Y', der })
})

test('an empty block is a block', () => {
  const block = { label: 'X', der: Buffer.alloc(0) }
  expect(firstPemBlock(pemText(block))).toEqual(block)
})

test.each([
  ['no text', ''],
  ['a beginning within a line', 'x-----BEGIN X-----\nAAAA\n-----END X-----\n'],
  ['another end', '-----BEGIN X-----\nAAAA\n-----END Y-----\n'],
  ['other letters', '-----BEGIN X-----\nAA!A\n-----END X-----\n'],
])('%s holds no block', (_, text) => {
  expect(firstPemBlock(text)).toBeUndefined()
})

test('line breaks of any kind are fine', () => {
  expect(firstPemBlock('-----BEGIN X-----\r\nAAAA\r\n-----END X-----\r\n')?.der).toHaveLength(3)
})

// So many that a test would not end in time if its work grew faster than the text.
test.each([
  ['begins', '-----BEGIN A-----\n'.repeat(200_000)],
  [
    'begins of other labels',
    Array.from({ length: 200_000 }, (_, at) => `-----BEGIN ${at}-----\n`).join(''),
  ],
  ['begins with one end', `${'-----BEGIN A-----\n'.repeat(200_000)}!\n-----END A-----\n`],
  ['empty lines', `-----BEGIN A-----${'\n'.repeat(4_000_000)}`],
  ['headers', `-----BEGIN A-----\n${'a: b\n'.repeat(800_000)}`],
  ['ends', `-----BEGIN A-----\n${'-----END B-----\n'.repeat(200_000)}`],
])('many %s are passed over', (_, text) => {
  expect([...pemBlocks(text)]).toEqual([])
})

test('blocks are found one after another, with headers and behind what is none', () => {
  const text = [
    '-----BEGIN X-----',
    '-----BEGIN A-----',
    'Proc-Type: 4,ENCRYPTED',
    '',
    'QUJD',
    '-----END A-----',
    'between',
    '-----BEGIN B-----',
    'QUI=',
    '-----END B-----',
  ].join('\n')

  expect([...pemBlocks(text)].map(({ label, der }) => [label, der.toString()])).toEqual([
    ['A', 'ABC'],
    ['B', 'AB'],
  ])
})
