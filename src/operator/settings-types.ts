import { addressText, type BindAddress, parseBindAddress } from '#base/address.ts'
import { type Duration, formatDuration, parseDuration } from '#base/duration.ts'
import { Secret } from '#base/secret.ts'

/** How the text of a flag, a variable or a file becomes a value. */
export interface ValueType<Value> {
  /** What stands for the value in help texts. */
  readonly placeholder: string
  /** What may be written. It ends the sentence "Give …". */
  readonly takes: string
  /** Whether the name of the flag alone turns it on. */
  readonly isSwitch?: boolean
  /** Whether the file may have a list here. */
  readonly isList?: boolean
  /** Throws with the reason, which does not repeat the text. */
  parse(text: string): Value
  /** The value for a log or a page. Shows no secret. */
  show(value: Value): string | number | boolean
  /** What a reader should know about a text that is accepted. Follows the name, as in "counts as off". */
  remark?(text: string): string | undefined
}

/** A kind of which only the names are known. The group of the core kinds is empty. */
export interface KindName {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** Any text but none. `what` says what it stands for: `a path`. */
export const text = (placeholder: string, what: string): ValueType<string> => ({
  placeholder,
  takes: what,
  parse: (given) => {
    if (given === '') throw new Error('it is empty')
    return given
  },
  show: (value) => value,
})

/** A type whose empty text means: not set. */
export const optional = <Value>(type: ValueType<Value>): ValueType<Value | undefined> => ({
  ...type,
  parse: (given) => (given === '' ? undefined : type.parse(given)),
  show: (value) => (value === undefined ? '' : type.show(value)),
})

/** True or false, in the spellings that Go's flags take. */
export const yesOrNo: ValueType<boolean> = {
  placeholder: 'true|false',
  takes: '`true` or `false`',
  isSwitch: true,
  parse: (given) => {
    if (/^(1|t|T|TRUE|true|True)$/.test(given)) return true
    if (/^(0|f|F|FALSE|false|False)$/.test(given)) return false
    throw new Error('it is neither true nor false')
  },
  show: (value) => value,
}

/** On with exactly `true`, off with everything else: how the published operator reads its switches. */
export const exactlyTrue: ValueType<boolean> = {
  ...yesOrNo,
  takes: 'exactly `true`, or `false`',
  parse: (given) => given === 'true',
  remark: (given) =>
    ['true', 'false'].includes(given)
      ? undefined
      : 'counts as off, because only exactly `true` turns it on',
}

/** A whole number, bounds included. */
export const integer = ({ least, most }: { least: number; most: number }): ValueType<number> => ({
  placeholder: 'number',
  takes: `a whole number from ${least} to ${most}`,
  parse: (given) => {
    if (!/^-?\d+$/.test(given)) throw new Error('it is no whole number')
    const number = Number(given)
    if (number < least) throw new Error('it is too small')
    if (number > most) throw new Error('it is too large')
    return number
  },
  show: (value) => value,
})

/** A duration, bounds included. A Lease holds whole seconds, so some durations must be such. */
export function duration(bounds: {
  least: string
  most: string
  wholeSeconds?: boolean
}): ValueType<Duration> {
  const [least, most] = [parseDuration(bounds.least), parseDuration(bounds.most)]
  const [kind, examples] = bounds.wholeSeconds
    ? ['a duration in whole seconds', '15s, 1m or 1m30s']
    : ['a duration', '500ms, 30s, 5m or 1h30m']
  return {
    placeholder: 'duration',
    takes: `${kind} from ${bounds.least} to ${bounds.most}, as in ${examples}`,
    parse: (given) => {
      const value = parseDuration(given)
      if (value.ms < least.ms) throw new Error('it is too short')
      if (value.ms > most.ms) throw new Error('it is too long')
      if (bounds.wholeSeconds && value.ms % 1_000 !== 0)
        throw new Error('it is not in whole seconds')
      return value
    },
    show: formatDuration,
  }
}

/** Where to listen, or `off`. */
export const bindAddress: ValueType<BindAddress | 'off'> = {
  placeholder: 'address',
  takes: 'an address such as `:8080`, `127.0.0.1:8080` or `[::1]:8080`, or `0` to listen nowhere',
  parse: (given) => {
    try {
      return parseBindAddress(given)
    } catch {
      // Its own sentence says once more what is given and what to give.
      throw new Error('it is no address to listen on')
    }
  },
  show: (value) => (value === 'off' ? '0' : addressText(value)),
}

/** One of a few words, in any case. `synonyms` are accepted besides, each for one of them. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  synonyms: Readonly<Record<string, Word>> = {},
): ValueType<Word> {
  const known = new Map([
    ...words.map((word) => [word, word] as const),
    ...Object.entries(synonyms),
  ])
  return {
    placeholder: words.join('|'),
    takes: [...known.keys()].map((word) => `\`${word}\``).join(', '),
    parse: (given) => {
      const word = known.get(given.toLowerCase())
      if (word === undefined) throw new Error('it is none of the words that are known')
      return word
    },
    show: (value) => value,
  }
}

/** Several, separated by commas. Naming one twice is naming it once; none at all is allowed. */
export const listOf = <Item>(type: ValueType<Item>): ValueType<readonly Item[]> => ({
  placeholder: `${type.placeholder},…`,
  takes: `${type.takes}, or several with commas between them`,
  isList: true,
  parse: (given) => {
    const texts = given.split(',').map((item) => item.trim())
    return [...new Set(texts)].filter((item) => item !== '').map((item) => type.parse(item))
  },
  show: (items) => items.map((item) => type.show(item)).join(','),
})

/** A name as Kubernetes wants it for namespaces. */
export const label: ValueType<string> = {
  placeholder: 'name',
  takes: 'a name of lower-case letters, digits and `-`, at most 63 of them',
  parse: (given) => {
    if (given.length > 63) throw new Error('it is too long')
    if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(given)) throw new Error('it is no such name')
    return given
  },
  show: (value) => value,
}

/** The names of a kind; without a group for the core kinds. */
export const kindName: ValueType<KindName> = {
  placeholder: 'group/version/Kind',
  takes: 'a kind as `group/version/Kind`, of the core group as `v1/Kind`',
  parse: (given) => {
    const match = /^(?:([a-z0-9.-]+)\/)?(v\d+(?:(?:alpha|beta)\d+)?)\/([A-Z][A-Za-z0-9]*)$/.exec(
      given,
    )
    const [, group = '', version, kind] = match ?? []
    if (!version || !kind) throw new Error('it does not name a kind')
    return { group, version, kind }
  },
  show: ({ group, version, kind }) =>
    [group, version, kind].filter((part) => part !== '').join('/'),
}

/** Where traces go: the URL of a collector without a slash at the end; `host:port` stands for http. */
export const collector: ValueType<string> = {
  placeholder: 'endpoint',
  takes: 'the collector as `host:port` or as a URL with http or https',
  parse: (given) => {
    const isPlain = !given.includes('://')
    const full = isPlain ? `http://${given}` : given
    if (!/^https?:/i.test(full) || !URL.canParse(full)) throw new Error('it is no such endpoint')
    const url = new URL(full)
    if (url.username || url.password) {
      throw new Error('a user and a password are no part of it, but of OTEL_EXPORTER_OTLP_HEADERS')
    }
    if (isPlain && !/:\d+(\/|$)/.test(given)) throw new Error('its port is missing')
    if (url.search || url.hash) throw new Error('a query or a fragment is no part of it')
    return url.href.replace(/\/+$/, '')
  },
  show: (value) => value,
}

/** Headers of HTTP as OpenTelemetry writes them: `name=value,…`, values percent-encoded. */
export const headers: ValueType<Secret<Readonly<Record<string, string>>>> = {
  placeholder: 'name=value,…',
  takes: 'headers as `name=value`, with commas between them',
  parse: (given) => {
    const pairs = given.split(',').filter((pair) => pair.trim() !== '')
    return new Secret(Object.fromEntries(pairs.map(headerOf)))
  },
  show: String,
}

function headerOf(pair: string): [string, string] {
  const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? []
  if (name === undefined || value === undefined) throw new Error('a header has no `=`')
  try {
    return [name, decodeURIComponent(value.trim())]
  } catch {
    throw new Error('a value is not percent-encoded')
  }
}
