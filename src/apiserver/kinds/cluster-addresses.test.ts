import { expect, test } from 'vitest'
import { ClusterAddresses } from './cluster-addresses.ts'

const having = (address: string, nodePort?: number) => ({
  spec: { clusterIPs: [address], ports: [{ port: 80, nodePort }] },
})

test('what is suggested is not suggested again soon', () => {
  const addresses = new ClusterAddresses()
  const suggested = Array.from({ length: 500 }, () => addresses.suggestAddress())
  const ports = Array.from({ length: 500 }, () => addresses.suggestPort())

  expect(new Set(suggested).size).toBe(500)
  expect(new Set(ports).size).toBe(500)
  for (const address of suggested) expect(address).toMatch(/^10\.96\.([1-9]\d*)\.\d+$/)
})

test('what a service has is taken until it is given back', () => {
  const addresses = new ClusterAddresses()

  addresses.note(having('10.96.0.9', 30_001))
  expect(addresses.problemWithAddress('10.96.0.9')).toBe(
    'failed to allocate IP 10.96.0.9: provided IP is already allocated',
  )
  expect(addresses.problemWithPort(30_001)).toBe('provided port is already allocated')

  addresses.forget(having('10.96.0.9', 30_001))
  expect(addresses.problemWithAddress('10.96.0.9')).toBeUndefined()
  expect(addresses.problemWithPort(30_001)).toBeUndefined()
})

test('what a service that is being written has is taken until that is over', () => {
  const addresses = new ClusterAddresses()
  const written = having('10.96.0.9', 30_001)

  addresses.claim(written)
  expect(addresses.problemWithAddress('10.96.0.9')).toContain('already allocated')
  expect(addresses.problemWithPort(30_001)).toContain('already allocated')

  addresses.settle(written)
  expect(addresses.problemWithAddress('10.96.0.9')).toBeUndefined()
  expect(addresses.problemWithPort(30_001)).toBeUndefined()
})

test('what is outside of the ranges cannot be had', () => {
  const addresses = new ClusterAddresses()

  expect(addresses.problemWithAddress('10.97.0.1')).toContain(
    'The range of valid IPs is 10.96.0.0/16',
  )
  expect(addresses.problemWithPort(29_999)).toContain('The range of valid ports is 30000-32767')
})

test('when every port is taken there is none to suggest', () => {
  const addresses = new ClusterAddresses()
  for (let port = 30_000; port <= 32_767; port++) addresses.note(having('None', port))

  expect(addresses.suggestPort()).toBeUndefined()
})
