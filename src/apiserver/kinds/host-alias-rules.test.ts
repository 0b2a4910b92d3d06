import { expect, test } from 'vitest'
import { validateHostAliases } from './host-alias-rules.ts'

const NO_ADDRESS = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'

test.each([
  ['1.1.1.1', undefined],
  ['::1', undefined],
  ['x', `Invalid value: "x": ${NO_ADDRESS}`],
  ['', `Invalid value: "": ${NO_ADDRESS}`],
  ['010.1.1.1', 'Invalid value: "010.1.1.1": must not have leading 0s'],
  ['::ffff:1.2.3.4', 'Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address'],
])('the address %j is taken, or refused with the reason', (ip, message) => {
  const errors = validateHostAliases({ hostAliases: [{ ip }] }, 'spec.hostAliases')

  expect(errors.map((error) => [error.field, error.message])).toEqual(
    message === undefined ? [] : [['spec.hostAliases[0].ip', message]],
  )
})

test('a name that no host can have is refused', () => {
  const hostAliases = [{ ip: '1.1.1.1', hostnames: ['a', 'a', 'A_b'] }]

  expect(validateHostAliases({ hostAliases }, 'spec.hostAliases')).toMatchObject([
    { field: 'spec.hostAliases[0].hostnames[2]', reason: 'FieldValueInvalid' },
  ])
})
