import { BlockList, isIP } from 'node:net'
import { addressText, type BindAddress } from '#base/address.ts'
import { problem } from '#base/problem.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/**
 * Throws when everyone who reaches the address could do everything: without authentication the API
 * listens only where nobody but this machine can knock. A name counts as this machine only if it is
 * `localhost`.
 */
export function refuseOpenDoor(address: BindAddress, isAuthenticating: boolean): void {
  if (isAuthenticating || isLoopback(address.host ?? '')) return
  throw problem({
    what: `The API does not listen on ${addressText(address)} without authentication.`,
    why: 'Everyone who can reach that address could read every Secret and change every cluster.',
    remedy: 'Leave authentication on, or listen on 127.0.0.1 or [::1].',
  })
}

function isLoopback(host: string): boolean {
  const family = isIP(host)
  if (family === 0) return host.toLowerCase() === 'localhost'
  return loopback.check(host, family === 4 ? 'ipv4' : 'ipv6')
}
