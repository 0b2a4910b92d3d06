import type { Behaviour } from '#apiserver/resource.ts'

/** What is wrong with a text, in Kubernetes' words; nothing when it is as it has to be. */
export type Rule = (value: string) => string[]

/** By which rule the names of a kind go. */
export type NameRule = NonNullable<Behaviour['nameRule']>

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomain1123 = `${label1123}(\\.${label1123})*`
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'

const isLabel = anchored(label1123)
const isSubdomain = anchored(subdomain1123)
const isLabel1035 = anchored(label1035)

export function anchored(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`)
}

/** How Kubernetes words that a text does not match: what it asks for, examples, and the pattern. */
export function mismatch(wanted: string, pattern: string, examples: readonly string[]): string {
  const shown = examples.map((one) => `'${one}', `).join(' or ')
  return `${wanted} (${shown ? `e.g. ${shown}` : ''}regex used for validation is '${pattern}')`
}

export const dnsSubdomain: Rule = (value) => [
  ...tooLong(value, 253),
  ...(isSubdomain.test(value)
    ? []
    : [
        mismatch(
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
          subdomain1123,
          ['example.com'],
        ),
      ]),
]

export const dnsLabel: Rule = (value) => {
  const problems = tooLong(value, 63)
  if (isLabel.test(value)) return problems
  return [...problems, isSubdomain.test(value) ? 'must not contain dots' : notALabel]
}

const notALabel = mismatch(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  label1123,
  ['my-name', '123-abc'],
)

export const dns1035Label: Rule = (value) => [
  ...tooLong(value, 63),
  ...(isLabel1035.test(value)
    ? []
    : [
        mismatch(
          "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
          label1035,
          ['my-name', 'abc-123'],
        ),
      ]),
]

const wildcard = `\\*\\.${subdomain1123}`
const isWildcard = anchored(wildcard)

export const wildcardSubdomain: Rule = (value) => [
  ...tooLong(value, 253),
  ...(isWildcard.test(value)
    ? []
    : [
        mismatch(
          "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
          wildcard,
          ['*.example.com'],
        ),
      ]),
]

export const pathSegment: Rule = (value) =>
  value === '.' || value === '..' ? [`may not be '${value}'`] : pathSegmentPrefix(value)

const pathSegmentPrefix: Rule = (value) =>
  ['/', '%'].filter((one) => value.includes(one)).map((one) => `may not contain '${one}'`)

const rules: Readonly<Record<NameRule, Rule>> = {
  subdomain: dnsSubdomain,
  label: dnsLabel,
  label1035: dns1035Label,
  pathSegment,
}

export const problemsOfName = (rule: NameRule, name: string): string[] => rules[rule](name)

/** The same for what a name is to be generated from, which may end where a name may not. */
export function problemsOfPrefix(rule: NameRule, prefix: string): string[] {
  if (rule === 'pathSegment') return pathSegmentPrefix(prefix)
  return rules[rule](prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix)
}

/** Kubernetes counts bytes, but says characters. */
export const tooLong = (value: string, most: number): string[] =>
  Buffer.byteLength(value) > most ? [`must be no more than ${most} characters`] : []
