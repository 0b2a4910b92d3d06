import { badRequest } from '#apiserver/failure.ts'
import type { User } from '#apiserver/request.ts'

const EXTRA = 'impersonate-extra-'

/** Whom the headers of a request want to be, word for word; undefined when they want nothing of that kind. */
export function wantedUserIn(rawHeaders: readonly string[]): User | undefined {
  if (!asksForAnything(rawHeaders)) return undefined
  const first = (name: string) => valuesOf(rawHeaders, name)[0] ?? ''
  const uid = first('impersonate-uid')
  const groups = valuesOf(rawHeaders, 'impersonate-group')
  const extra = extraIn(rawHeaders)
  const name = first('impersonate-user')
  const wanted: User = { name, groups, ...(uid && { uid }), ...(extra && { extra }) }
  if (name !== '') return wanted
  if (uid === '' && groups.length === 0 && !extra) return undefined
  throw badRequest(`requested ${inGo(wanted)} without impersonating a user name`)
}

function asksForAnything(rawHeaders: readonly string[]): boolean {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    // Compared by length and first letter before anything is copied: this is asked of every request.
    if (name !== undefined && name.length > 14 && (name[0] === 'I' || name[0] === 'i')) {
      if (name.toLowerCase().startsWith('impersonate-')) return true
    }
  }
  return false
}

/** Each header line is one value: a comma is a part of it. */
function valuesOf(rawHeaders: readonly string[], wanted: string): string[] {
  const values: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === wanted) values.push(inUtf8(rawHeaders[i + 1] ?? ''))
  }
  return values
}

function extraIn(rawHeaders: readonly string[]): Record<string, string[]> | undefined {
  const names = rawHeaders
    .filter((_, index) => index % 2 === 0)
    .map((name) => name.toLowerCase())
    .filter((name) => name.startsWith(EXTRA))
  if (names.length === 0) return undefined
  const entries = [...new Set(names)].map((name) => [name, valuesOf(rawHeaders, name)] as const)
  const extra = new Map<string, string[]>()
  for (const [name, values] of entries) {
    const key = unescaped(name.slice(EXTRA.length))
    extra.set(key, [...(extra.get(key) ?? []), ...values])
  }
  return Object.fromEntries(extra)
}

/** A name that cannot be unescaped is taken as it is. */
function unescaped(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Node reads header values byte by byte. */
const inUtf8 = (value: string): string => Buffer.from(value, 'latin1').toString()

/** As the real API, which is written in Go, shows it. */
function inGo({ name, uid = '', groups, extra }: User): string {
  const list = (values: readonly string[]) =>
    `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`
  const shownGroups = groups.length > 0 ? list(groups) : '[]string(nil)'
  const pairs = Object.entries(extra ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, values]) => `${JSON.stringify(key)}:${list(values)}`)
  const shownExtra = extra ? `{${pairs.join(', ')}}` : '(nil)'
  return `&user.DefaultInfo{Name:${JSON.stringify(name)}, UID:${JSON.stringify(uid)}, Groups:${shownGroups}, Extra:map[string][]string${shownExtra}}`
}
