import { isIPv4, isIPv6 } from 'node:net'

/** An IP address as 4 or 16 bytes; undefined for anything else. */
export function ipBytes(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split('.').map(Number))
  return isIPv6(text) ? v6Bytes(text) : undefined
}

function v6Bytes(text: string): Uint8Array {
  // The parser of URLs writes an IPv6 address in its one short form, without an IPv4 address in it.
  const short = new URL(`http://[${text.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [head = '', tail] = short.split('::')
  const first = groupsIn(head)
  const last = groupsIn(tail ?? '')
  const gap = Array.from({ length: 8 - first.length - last.length }, () => 0)
  return Uint8Array.from([...first, ...gap, ...last].flatMap((group) => [group >> 8, group & 255]))
}

const groupsIn = (text: string): readonly number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
