import { quote } from '#machineconfig/quote.ts'
import { readUrl, withoutUser } from '#machineconfig/read/leaves/url.ts'
import { Refusal } from '#machineconfig/read/refusal.ts'
import { urlParts } from './url-parts.ts'

const LARGEST_PORT = 65_535
const LARGEST_GO_INT = 2 ** 63

/** What keeps a URL from being one that something can be fetched from, in Talos' words. */
export function endpointProblem(text: string): string | undefined {
  const problem = urlProblem(text)
  if (problem) return problem
  const { host, hostname, port } = urlParts(text)
  if (host.split(':').length > 3 && !(host.includes('[') && host.includes(']'))) {
    return 'IPv6 addresses MUST be enclosed by square brackets'
  }
  if (hostname === '') return 'hostname must not be blank'
  return port === '' ? undefined : portProblem(Number(port))
}

/** What Go's `url.Parse` has against a text. */
function urlProblem(text: string): string | undefined {
  const read = readUrl(text)
  return read instanceof Refusal ? read.why : undefined
}

function portProblem(port: number): string | undefined {
  if (port >= LARGEST_GO_INT) return 'port number must be numeric'
  if (port >= 1 && port <= LARGEST_PORT) return undefined
  return `port number must be between 1 and ${LARGEST_PORT}`
}

/**
 * What keeps a text from being an address to ask (Go's `url.ParseRequestURI`): a whole one, or a path from
 * `/` on. There are no fragments in such a one.
 */
export function requestAddressProblem(text: string): string | undefined {
  const refuse = (why: string): string => `parse ${quote(withoutUser(text))}: ${why}`
  if (/[^ -~\u0080-\uffff]/.test(text)) return refuse('net/url: invalid control character in URL')
  if (!/^([a-z][a-z0-9+.-]*)?:|^\//i.test(text)) return refuse('invalid URI for request')
  if (/^[^/]*:\/\/[^/?]*#/.test(text)) return refuse('invalid character "#" in host name')
  return urlProblem(text.startsWith('/') ? text.replace(/^\/+/, '/') : text)
}

/** The path of such an address. */
export const requestPath = (text: string): string =>
  text.startsWith('/') ? text.replace(/\?.*$/s, '') : urlParts(text.replaceAll('#', '%23')).path
