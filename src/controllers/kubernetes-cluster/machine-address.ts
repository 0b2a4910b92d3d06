import type { ProvidedMachine } from '#api/provided-machine.ts'
import { addressProblem } from '#engine/pool-address.ts'

// Providers differ in which of these they fill; the first that leads somewhere is taken.
export const ADDRESS_LISTS = [
  'publicIPAddresses',
  'ipAddresses',
  'privateIPAddresses',
  'ipv6Addresses',
] as const

/** Where in its status the address of a Machine is, as a fieldPath; undefined while there is none. */
export function addressPath({ status = {} }: ProvidedMachine): string | undefined {
  for (const list of ADDRESS_LISTS) {
    const at = (status[list] ?? []).findIndex(isUsable)
    if (at >= 0) return `.status.${list}[${at}]`
  }
  return undefined
}

/** Addresses that mean something only to who is on the same wire lead nowhere from here. */
const isUsable = (address: string): boolean =>
  addressProblem(address) === undefined && !/^(fe80:|169\.254\.)/i.test(address)
