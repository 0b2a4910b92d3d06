import { dateOf, dateTimeOf } from '#apiserver/cel/times.ts'
import {
  Extension,
  NONE,
  noSuchOverload,
  OptionalValue,
  PlainList,
  type Value,
} from '#apiserver/cel/values.ts'
import { labelValue, qualifiedName } from '#apiserver/metadata/label-rules.ts'
import { dns1035Label, dnsLabel, dnsSubdomain } from '#apiserver/metadata/name-rules.ts'
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

/** A prefix may end with a dash: something will follow. */
const completed = (value: string): string =>
  value.length > 1 && value.endsWith('-') ? `${value.slice(0, -2)}a` : value

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const ZONED = /(?:Z|[+-]\d\d:?\d\d)$/
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

const FORMATS: ReadonlyMap<string, Format> = new Map(
  [
    format('dns1123Label', 30, dnsLabel),
    format('dns1123Subdomain', 60, dnsSubdomain),
    format('dns1035Label', 30, dns1035Label),
    format('qualifiedName', 60, qualifiedName),
    format('dns1123LabelPrefix', 30, (value) => dnsLabel(completed(value))),
    format('dns1123SubdomainPrefix', 60, (value) => dnsSubdomain(completed(value))),
    format('dns1035LabelPrefix', 30, (value) => dns1035Label(completed(value))),
    format('labelValue', 40, labelValue),
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
