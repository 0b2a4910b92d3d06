/** The parts of a URL as Go's `net/url` has them, each '' when it is absent. */
export interface UrlParts {
  readonly scheme: string
  /** What follows the scheme when that is no path: `80` of `a:80`. */
  readonly opaque: string
  /** With the port and the brackets of an IPv6 address, without user and password. */
  readonly host: string
  /** Without the port and the brackets of an IPv6 address. */
  readonly hostname: string
  readonly port: string
  readonly path: string
}

/** Takes a text that Go's `url.Parse` takes, as it prints it. */
export function urlParts(url: string): UrlParts {
  const [, scheme = '', rest = ''] = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?([^?#]*)/.exec(url) ?? []
  const none = { scheme, opaque: '', host: '', hostname: '', port: '', path: '' }
  if (scheme !== '' && rest !== '' && !rest.startsWith('/')) return { ...none, opaque: rest }
  const [, authority = '', path = ''] = /^(?:\/\/([^/]*))?(.*)$/s.exec(rest) ?? []
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const [, name = host, port = ''] = /^(.*):([0-9]*)$/s.exec(host) ?? []
  return { ...none, host, hostname: name.replace(/^\[(.*)\]$/s, '$1'), port, path }
}
