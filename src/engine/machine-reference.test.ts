import { describe, expect, test } from 'vitest'
import { machineReference, referencedAddress } from './machine-reference.ts'

const object = {
  metadata: { annotations: { 'example.com/ip': '192.0.2.7' } },
  status: {
    ip: '192.0.2.1',
    addresses: [
      { type: 'Hostname', address: 'node-a' },
      { type: 'InternalIP', address: '192.0.2.2' },
      { type: 'InternalIP', address: '2001:DB8::0001' },
    ],
    list: ['192.0.2.3', '192.0.2.4'],
    empty: '',
    password: 'hunter2',
    number: 7,
    missing: null,
  },
}

const to = (fieldPath: string) =>
  machineReference({ kind: 'Node', name: 'a', fieldPath }, 'default')

function addressAt(fieldPath: string, value: unknown = object) {
  const reference = to(fieldPath)
  return 'problem' in reference ? reference : referencedAddress(reference, value)
}

describe('the address is found', () => {
  test.each([
    ['.status.ip', '192.0.2.1'],
    ['status.ip', '192.0.2.1'],
    ['{.status.ip}', '192.0.2.1'],
    [' { $.status.ip } ', '192.0.2.1'],
    ["['status']['ip']", '192.0.2.1'],
    ['.status["ip"]', '192.0.2.1'],
    [".metadata.annotations['example.com/ip']", '192.0.2.7'],
    ['.metadata.annotations.example\\.com/ip', '192.0.2.7'],
    ['.status.list[0]', '192.0.2.3'],
    ['.status.list[-1]', '192.0.2.4'],
    ['.status.list[*]', '192.0.2.3'],
    ['.status.list.[1]', '192.0.2.4'],
    ['.status.addresses[?(@.type=="InternalIP")].address', '192.0.2.2'],
    [".status.addresses[?( @.type != 'Hostname' )].address", '192.0.2.2'],
    ['.status.addresses[2].address', '2001:db8::1'],
    ['.*.ip', '192.0.2.1'],
  ])('at %s', (fieldPath, address) => {
    expect(addressAt(fieldPath)).toEqual({ address })
  })
})

test.each([
  '.status.nothing',
  '.status.empty',
  '.status.missing',
  '.status.list[9]',
  '.nothing[*].ip',
  '.status.ip.more',
  '.status.list.length',
  '.__proto__.constructor',
  '.constructor.name',
])('nothing is at %s yet, which is worth waiting for', (fieldPath) => {
  expect(addressAt(fieldPath)).toMatchObject({
    problem: {
      reason: 'WaitingForAddress',
      message: expect.stringContaining('machineRef to Node a: could not determine the address'),
    },
  })
})

test.each(['.status.password', '.status.number', '.status', '.status.addresses[*].address'])(
  'what is at %s is no address, and is not told',
  (fieldPath) => {
    const found = addressAt(fieldPath)

    expect(found).toMatchObject({ problem: { reason: 'AddressInvalid' } })
    expect(JSON.stringify(found)).not.toMatch(/hunter2|node-a/)
  },
)

test('an address that no machine has is none', () => {
  expect(addressAt('.ip', { ip: '0.0.0.0' })).toMatchObject({
    problem: { reason: 'AddressInvalid' },
  })
})

test.each([
  ['.', 'leads to no field'],
  ['{}', 'leads to no field'],
  ['.a..b', 'cannot be read from "..b" on'],
  ['.a[', 'cannot be read from "[" on'],
  ['.a[0:1]', 'cannot be read'],
  ['.a[(1+1)]', 'cannot be read'],
  ['{.a}:{.b}', 'cannot be read'],
  ['.a[?(@.b)]', 'cannot be read'],
  [`.${'a'.repeat(600)}`, 'longer than 512'],
  ['.a'.repeat(33), 'more than 32 steps'],
])('%s is no path', (fieldPath, why) => {
  expect(to(fieldPath)).toMatchObject({
    problem: { reason: 'MachineRefInvalid', message: expect.stringContaining(why) },
  })
})

test('a path that could be read in many ways is refused at once', () => {
  const path = `.a[?(@${'.b'.repeat(200)}`

  expect(to(path)).toHaveProperty('problem')
})

describe('a reference', () => {
  const whole = { apiVersion: 'example.com/v1', kind: 'Thing', name: 'a', fieldPath: '.ip' }

  test('is to an object of the same namespace', () => {
    const expected = { ...whole, namespace: 'default', fieldPath: [{ is: 'key', key: 'ip' }] }

    expect(machineReference(whole, 'default')).toEqual(expected)
    expect(machineReference({ ...whole, namespace: 'default' }, 'default')).toEqual(expected)
  })

  test('without a group is to the core one', () => {
    expect(machineReference({ ...whole, apiVersion: '' }, 'default')).toHaveProperty(
      'apiVersion',
      'v1',
    )
  })

  test('to another namespace is refused, and says what to do', () => {
    expect(machineReference({ ...whole, namespace: 'kube-system' }, 'default')).toEqual({
      problem: {
        reason: 'MachineRefInvalid',
        message:
          'machineRef to Thing a is in namespace kube-system: only objects of the same namespace (default) and of cluster-scoped kinds can be referred to. Remove machineRef.namespace, or move the object.',
      },
    })
  })

  test.each([
    [{ ...whole, name: '' }, 'needs a kind and a name'],
    [{ ...whole, kind: '' }, 'needs a kind and a name'],
    [{ ...whole, fieldPath: ' ' }, 'needs a fieldPath'],
    [{ kind: 'Thing', name: 'a' }, 'needs a fieldPath'],
  ])('%j is not complete', (reference, why) => {
    expect(machineReference(reference, 'default')).toMatchObject({
      problem: { reason: 'MachineRefInvalid', message: expect.stringContaining(why) },
    })
  })
})
