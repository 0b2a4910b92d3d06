import { expect, test } from 'vitest'
import { metaNetwork } from './meta-network.ts'

const meta = {
  hostname: 'one',
  interface: 'eth0',
  subnet: 24,
  gateway: '192.0.2.254',
  dnsServers: ['192.0.2.2'],
}

test('the network of a machine is the text that it reads from META key 0x0a', () => {
  const network = metaNetwork(meta, '192.0.2.1')

  expect(network).toMatchObject({ key: 0x0a })
  expect(network).toHaveProperty('value', expect.stringContaining('address: 192.0.2.1/24'))
  expect(network).toHaveProperty('value', expect.stringContaining('gateway: 192.0.2.254'))
})

test('IPv6 is written in its one spelling', () => {
  const network = metaNetwork(
    { interface: 'eth0', subnet: 64, gateway: 'fe80::1' },
    '2001:DB8:0::1',
  )

  expect(network).toHaveProperty('value', expect.stringContaining('address: 2001:db8::1/64'))
  expect(network).toHaveProperty('value', expect.stringContaining('family: inet6'))
})

test.each([
  [meta, 'machine.example', 'it needs the IP address of the machine'],
  [{ ...meta, subnet: 33 }, '192.0.2.1', 'subnet: must be a prefix length between 1 and 32'],
  [{ ...meta, gateway: 'x' }, '192.0.2.1', 'gateway: "x" is no IP address'],
  [
    { ...meta, gateway: '198.51.100.1' },
    '192.0.2.1',
    'gateway: 198.51.100.1 is not in 192.0.2.1/24',
  ],
  [{ ...meta, hostname: 'a b' }, '192.0.2.1', 'invalid hostname'],
  [
    { interface: 'eth0', subnet: 64, gateway: '2001:db8:1::1' },
    '2001:db8::1',
    'gateway: 2001:db8:1::1 is not in',
  ],
])('%j at %s is refused with a sentence', (wrong, address, why) => {
  expect(metaNetwork(wrong, address)).toMatchObject({
    problem: {
      reason: 'MetaInvalid',
      message: expect.stringContaining(`machineSpec.meta: ${why}`),
    },
  })
})

test('a gateway of the other family is not compared', () => {
  expect(metaNetwork({ ...meta, gateway: '2001:db8::1' }, '192.0.2.1')).toHaveProperty('value')
})
