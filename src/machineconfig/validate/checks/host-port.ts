import { isAddress } from './ip.ts'
import { hostPortProblem } from './split-host-port.ts'

/** Whether it is a host with a port as Talos checks it: of the two only an IPv6 address is looked at. */
export function isHostWithPort(text: string): boolean {
  const [, host = ''] = /^\[(.*)\]/s.exec(text) ?? []
  return hostPortProblem(text) === undefined && (!host.includes(':') || isAddress(host))
}
