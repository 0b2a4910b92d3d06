import { isIPv4 } from 'node:net'
import { problem } from '#base/problem.ts'

/** As many IPv4 addresses as are wanted, one after the other. Fails with a problem for people. */
export function addressesFrom(base: string, count: number): readonly string[] {
  if (!isIPv4(base)) {
    throw problem({
      what: `--address-base ${JSON.stringify(base.slice(0, 60))} is no IPv4 address`,
      why: 'each machine listens at an address of its own, beginning with this one',
      remedy: 'write it like 127.50.0.1, without a port',
    })
  }
  const first = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  if (first + count > 2 ** 32) {
    throw problem({
      what: `there are no ${count} addresses from ${base} on`,
      why: 'each machine listens at an address of its own',
      remedy: 'begin with a lower address, such as 127.50.0.1',
    })
  }
  return Array.from({ length: count }, (_, index) => addressOf(first + index))
}

const addressOf = (number: number): string =>
  [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join('.')
