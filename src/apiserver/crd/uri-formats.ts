const control = /\p{Cc}/u
const badEscape = /%(?![0-9a-fA-F]{2})/

/** As Go's `url.ParseRequestURI` takes it: an absolute URI, or an absolute path. */
export function isRequestUri(text: string): boolean {
  if (text === '' || control.test(text) || text.startsWith(':')) return false
  if (text === '*') return true
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text)?.[0] ?? ''
  const [rest = ''] = text.slice(scheme.length).split('?')
  if (!rest.startsWith('/')) return scheme !== ''
  if (scheme === '' || !rest.startsWith('//')) return !badEscape.test(rest)
  const end = rest.indexOf('/', 2)
  const path = end < 0 ? '' : rest.slice(end)
  return isAuthority(end < 0 ? rest.slice(2) : rest.slice(2, end)) && !badEscape.test(path)
}

const user = /^(?:[A-Za-z0-9\-._:~!$&'()*+,;=%@]*)$/
const host =
  /^(?:\[[^\]]*\]|(?:[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]|\P{ASCII}|%[89a-fA-F][0-9a-fA-F])*?)(?::\d*)?$/u

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@')
  if (at >= 0 && (!user.test(authority.slice(0, at)) || badEscape.test(authority.slice(0, at)))) {
    return false
  }
  const rest = authority.slice(at + 1)
  if (!host.test(rest)) return false
  return rest.startsWith('[') || !/:.*:|:[^0-9]/.test(rest.slice(rest.lastIndexOf(':')))
}

const letter = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\u{10ffff}-]"
const atom = `${letter}+`
const dotted = `${atom}(?:\\.${atom})*`
const quotedText = '"(?:[^"\\\\\\r\\n]|\\\\[^\\r\\n])*"'
const address = `(?:${dotted}|${quotedText})@(?:${dotted}|\\[[^\\[\\]\\\\]*\\])`
const plainAddress = new RegExp(`^\\s*${address}\\s*$`, 'u')
/** No text can be read in two ways before the `<`: that could take forever. */
const namedAddress = new RegExp(`^(?:${quotedText}|${letter}\\.*|\\s)*<${address}>\\s*$`, 'u')

/** As Go's `mail.ParseAddress` takes it, in its usual forms. */
export const isEmail = (text: string): boolean =>
  plainAddress.test(text) || (text.includes('<') && namedAddress.test(text))
