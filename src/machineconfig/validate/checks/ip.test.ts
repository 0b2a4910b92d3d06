import { expect, test } from 'vitest'
import { addressProblem, isAddress, isCidr, isIp, isPrefix, isSubnetOrAddress } from './ip.ts'
import { subnetProblems } from './subnets.ts'

const all = (text: string) => [isAddress(text), isIp(text), isPrefix(text), isCidr(text)]

test.for([
  ['10.0.0.1', true, true, false, false],
  ['::1', true, true, false, false],
  ['::ffff:1.2.3.4', true, true, false, false],
  ['fe80::1%eth0', true, false, false, false],
  ['fe80::1%', false, false, false, false],
  ['10.0.0.1%eth0', false, false, false, false],
  ['%eth0', false, false, false, false],
  ['01.2.3.4', false, false, false, false],
  ['', false, false, false, false],
  ['10.0.0.0/8', false, false, true, true],
  ['10.0.0.1/32', false, false, true, true],
  ['10.0.0.1/33', false, false, false, false],
  ['::/128', false, false, true, true],
  ['::/129', false, false, false, false],
  ['10.0.0.0/08', false, false, false, true],
  ['10.0.0.0/0', false, false, true, true],
  ['10.0.0.0/', false, false, false, false],
  ['10.0.0.0/x', false, false, false, false],
  ['10.0.0.0/8/8', false, false, false, false],
  ['fe80::1%eth0/64', true, false, false, false],
] as const)('%s is taken as by Go', ([text, ...expected]) => {
  expect(all(text)).toEqual(expected)
})

test('a subnet or an address', () => {
  expect(['10.0.0.0/8', '10.0.0.1', 'x'].map(isSubnetOrAddress)).toEqual([true, true, false])
})

test('an address that may have a mask', () => {
  expect(['10.0.0.1', '10.0.0.1/8', 'a"', '10.0.0.1/x'].map(addressProblem)).toEqual([
    undefined,
    undefined,
    'failed to parse IP address "a\\""',
    'invalid CIDR address: 10.0.0.1/x',
  ])
})

test('subnets may be negated once', () => {
  expect([...subnetProblems('it', ['!10.0.0.0/8', '10.0.0.1', '!!::1', 'x'])]).toEqual([
    'it is not valid: "!::1"',
    'it is not valid: "x"',
  ])
})
