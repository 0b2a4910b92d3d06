import { isIPv4, isIPv6 } from 'node:net'

/** Where to listen. Without a host: on every address of this machine. Port 0: on any free port. */
export interface BindAddress {
  host?: string
  port: number
}

const LARGEST_PORT = 65_535
const SHAPE = /^(?:\[(?<six>[^[\]]+)\]|(?<name>[^[\]:]*)):(?<port>\d{1,5})$/
const HOST_NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i

/** Reads `:8080`, `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`. `0` means: listen nowhere. */
export function parseBindAddress(text: string): BindAddress | 'off' {
  if (text === '0') return 'off'
  const { six, name = '', port } = SHAPE.exec(text)?.groups ?? {}
  const host = six ?? name
  const isHost = six === undefined ? isNameOrIPv4(name) : isIPv6(six)
  if (port === undefined || !isHost || Number(port) > LARGEST_PORT) {
    throw new Error(
      `"${text}" is no address to listen on: write ":8080", "127.0.0.1:8080" or "[::1]:8080", or "0" to listen nowhere`,
    )
  }
  return { port: Number(port), ...(host !== '' && { host }) }
}

/** The address as it is written in settings. */
export const addressText = ({ host = '', port }: BindAddress): string =>
  `${isIPv6(host) ? `[${host}]` : host}:${port}`

/** Whether one server can listen for both. Two that leave the port open are two servers. */
export const isSameAddress = (one: BindAddress, other: BindAddress): boolean =>
  one.port !== 0 && one.port === other.port && plainHost(one) === plainHost(other)

/** Whether it stands for every address of this machine: a place to listen, and none to connect to. */
export const isEverywhere = ({ host = '' }: BindAddress): boolean =>
  ['', '0.0.0.0', '::'].includes(host)

const isNameOrIPv4 = (host: string): boolean =>
  host === '' || (/^[\d.]+$/.test(host) ? isIPv4(host) : HOST_NAME.test(host))

const plainHost = (address: BindAddress): string =>
  isEverywhere(address) ? '' : (address.host ?? '').toLowerCase()
