import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { machineSpec } from './machine-pool.ts'
import { cidrs, ipAddress } from './shapes.ts'

const patternOf = (schema: object): RegExp => new RegExp(Reflect.get(schema, 'pattern'))

const ADDRESS = patternOf(ipAddress('An address.'))
const RANGE = patternOf(cidrs('Ranges.').items)
const DISK = patternOf(machineSpec.properties.installDisk)

// As in the published CRDs.
const PUBLISHED = [
  { what: 'address', published: /^(\d{1,3}\.){3}\d{1,3}$/, ours: ADDRESS },
  { what: 'range', published: /^(\d{1,3}\.){3}\d{1,3}\/\d{1,2}$/, ours: RANGE },
  {
    what: 'install disk',
    published: /^\/dev\/(sd[a-z][0-9]*|vd[a-z][0-9]*|nvme[0-9]+n[0-9]+(p[0-9]+)?)$/,
    ours: DISK,
  },
]

describe('a relaxed pattern', () => {
  test.each(PUBLISHED)('takes every $what that the published one takes', ({ published, ours }) => {
    fc.assert(fc.property(fc.stringMatching(published), (text) => ours.test(text)))
  })

  test('takes every IPv4 and IPv6 address, alone and as a range', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(99), (address, length) => {
        expect(address).toMatch(ADDRESS)
        expect(`${address}/${length}`).toMatch(RANGE)
      }),
    )
  })

  test('has room for every IPv6 range', () => {
    const maxLength = Reflect.get(cidrs('Ranges.').items, 'maxLength')

    fc.assert(
      fc.property(fc.ipV6(), fc.nat(128), (address, length) => {
        expect(`${address}/${length}`.length).toBeLessThanOrEqual(maxLength)
      }),
    )
  })

  test.each([
    '',
    '10.0.0.1/8',
    'a.example',
    ':',
    'fe80::1%eth0',
    '1:2',
    '10.0.0.1\n',
    '1:2:3:4:5:6:7:8:9',
  ])('takes no address %j', (text) => {
    expect(text).not.toMatch(ADDRESS)
  })
})
