import { dateOf, dateTimeOf } from '#apiserver/cel/times.ts'
import {
  Extension,
  NONE,
  noSuchOverload,
  OptionalValue,
  PlainList,
  type Value,
} from '#apiserver/cel/values.ts'
import { type CelFunction, text } from './argument.ts'
import { parseUrl } from './urls.ts'

type Problems = (value: string) => string[]

/** A rule for texts, with a name. */
export class Format extends Extension {
  readonly typeName = 'kubernetes.NamedFormat'
  readonly name: string
  readonly problems: Problems
  /** What it costs is reckoned by. */
  readonly regexSize: number

  constructor(name: string, regexSize: number, problems: Problems) {
    super()
    this.name = name
    this.regexSize = regexSize
    this.problems = problems
  }

  equals(other: Extension): boolean {
    return other instanceof Format && other.name === this.name
  }
}

interface TextRule {
  pattern: string
  says: string
  examples: readonly string[]
  most: number
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`
const KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const ENDS = 'must start and end with an alphanumeric character'

const RULES = {
  label: {
    pattern: LABEL,
    says: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and ${ENDS}`,
    examples: ['my-name', '123-abc'],
    most: 63,
  },
  subdomain: {
    pattern: SUBDOMAIN,
    says: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and ${ENDS}`,
    examples: ['example.com'],
    most: 253,
  },
  label1035: {
    pattern: '[a-z]([-a-z0-9]*[a-z0-9])?',
    says: "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    examples: ['my-name', 'abc-123'],
    most: 63,
  },
  labelValue: {
    pattern: `(${KEY})?`,
    says: `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and ${ENDS}`,
    examples: ['MyValue', 'my_value', '12345'],
    most: 63,
  },
} satisfies Record<string, TextRule>

const KEY_SAYS = sentence({
  pattern: KEY,
  says: `must consist of alphanumeric characters, '-', '_' or '.', and ${ENDS}`,
  examples: ['MyName', 'my.name', '123-abc'],
  most: 63,
})

function sentence({ says, examples, pattern }: TextRule): string {
  const shown = examples.map((one) => `'${one}', `).join(' or ')
  return `${says} (e.g. ${shown}regex used for validation is '${pattern}')`
}

const fits = (pattern: string, value: string): boolean => new RegExp(`^(?:${pattern})$`).test(value)

function problemsOf(rule: TextRule, value: string): string[] {
  const problems: string[] = []
  if (Buffer.byteLength(value) > rule.most) {
    const unit = rule === RULES.labelValue ? 'bytes' : 'characters'
    problems.push(`must be no more than ${rule.most} ${unit}`)
  }
  if (fits(rule.pattern, value)) return problems
  const isDotted = rule === RULES.label && fits(SUBDOMAIN, value)
  return [...problems, isDotted ? 'must not contain dots' : sentence(rule)]
}

/** A prefix may end with a dash: something will follow. */
const completed = (value: string): string =>
  value.length > 1 && value.endsWith('-') ? `${value.slice(0, -2)}a` : value

function qualifiedName(value: string): string[] {
  const parts = value.split('/')
  if (parts.length > 2) {
    return [
      `a valid label key ${KEY_SAYS} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const name = parts.at(-1) ?? ''
  const [prefix] = parts.length === 2 ? parts : []
  const problems = prefix === undefined ? [] : prefixProblems(prefix)
  if (name === '') problems.push('name part must be non-empty')
  else if (Buffer.byteLength(name) > 63) problems.push('name part must be no more than 63 bytes')
  return fits(KEY, name) ? problems : [...problems, `name part ${KEY_SAYS}`]
}

const prefixProblems = (prefix: string): string[] =>
  prefix === ''
    ? ['prefix part must be non-empty']
    : problemsOf(RULES.subdomain, prefix).map(
        (problem) => `prefix part ${problem.replace(/characters$/, 'bytes')}`,
      )

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

const FORMATS: ReadonlyMap<string, Format> = new Map(
  [
    format('dns1123Label', 30, (value) => problemsOf(RULES.label, value)),
    format('dns1123Subdomain', 60, (value) => problemsOf(RULES.subdomain, value)),
    format('dns1035Label', 30, (value) => problemsOf(RULES.label1035, value)),
    format('qualifiedName', 60, qualifiedName),
    format('dns1123LabelPrefix', 30, (value) => problemsOf(RULES.label, completed(value))),
    format('dns1123SubdomainPrefix', 60, (value) => problemsOf(RULES.subdomain, completed(value))),
    format('dns1035LabelPrefix', 30, (value) => problemsOf(RULES.label1035, completed(value))),
    format('labelValue', 40, (value) => problemsOf(RULES.labelValue, value)),
    format('uri', 1104, (value) =>
      parseUrl(value) === undefined
        ? [
            `parse ${JSON.stringify(value)}: ${value === '' ? 'empty url' : 'invalid URI for request'}`,
          ]
        : [],
    ),
    format('uuid', 72, (value) => (UUID.test(value) ? [] : ['does not match the UUID format'])),
    format('byte', 84, (value) => (value !== '' && BASE64.test(value) ? [] : ['invalid base64'])),
    format('date', 72, (value) => (dateOf(value) === undefined ? ['invalid date'] : [])),
    format('datetime', 72, (value) =>
      ZONED.test(value) && dateTimeOf(value) !== undefined ? [] : ['invalid datetime'],
    ),
  ].map((one) => [one.name, one]),
)

function format(name: string, regexSize: number, problems: Problems): Format {
  return new Format(name, regexSize, problems)
}

function validate([rule, value]: readonly Value[]): Value {
  if (!(rule instanceof Format)) throw noSuchOverload()
  const problems = rule.problems(text(value))
  return problems.length === 0 ? NONE : new OptionalValue(new PlainList(problems))
}

export const FORMAT_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  validate,
  'format.named': ([name]) => {
    const found = FORMATS.get(text(name))
    return found === undefined ? NONE : new OptionalValue(found)
  },
  ...Object.fromEntries([...FORMATS].map(([name, one]) => [`format.${name}`, () => one])),
}
