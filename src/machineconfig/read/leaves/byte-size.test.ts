import { expect, test } from 'vitest'
import { parseBytes, readDiskSize, readSize } from './byte-size.ts'

test.each([
  ['1', 1],
  ['1b', 1],
  ['1k', 1e3],
  ['1KB', 1e3],
  ['1Ki', 1024],
  ['1 KiB', 1024],
  ['1m', 1e6],
  ['2MB', 2e6],
  ['1MiB', 1024 ** 2],
  ['1G', 1e9],
  ['1gib', 1024 ** 3],
  ['1TB', 1e12],
  ['1Ti', 1024 ** 4],
  ['1PB', 1e15],
  ['1pib', 1024 ** 5],
  ['1EB', 1e18],
  ['1EiB', 1024 ** 6],
  ['1.5', 1],
  ['1,500', 1500],
])('%s is %d bytes', (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes)
})

test.each([
  ['1', 1],
  ['0', '0 B'],
  ['9', 9],
  ['1000', '1.0 kB'],
  ['9900', 9900],
  ['10000', '10 kB'],
  ['9900000', '9.9 MB'],
  ['1001000', 1001000],
])('a partition of %s is written as %s', (text, written) => {
  expect(readDiskSize(text)).toBe(written)
})

test('a number that is too large for a double is refused', () => {
  expect(readSize('1e400%')).toMatchObject({
    why: 'invalid percentage value: strconv.ParseFloat: parsing "1e400": value out of range',
  })
})
