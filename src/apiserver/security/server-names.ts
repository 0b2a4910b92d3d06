import { hostname, networkInterfaces } from 'node:os'
import { type BindAddress, isEverywhere } from '#base/address.ts'

const ALWAYS = [
  'localhost',
  '127.0.0.1',
  '::1',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
]

/** Every name and address by which a server that listens there can be reached. */
export function serverNames(address: BindAddress): string[] {
  const { host = '' } = address
  const own = isEverywhere(address) ? [hostname(), ...interfaceAddresses()] : [host]
  return [...new Set([...ALWAYS, ...own.map((name) => name.toLowerCase())])]
}

const interfaceAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    // A link-local address means nothing without the name of an interface.
    .filter(({ address }) => !address.startsWith('fe80:'))
    .map(({ address }) => address)
