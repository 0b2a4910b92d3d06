import type { ValueMap } from '#machineconfig/document.ts'
import {
  itemsAt,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
} from '#machineconfig/validate/checks/fields.ts'
import type { RulesByKind } from './kind-rules.ts'

/** Who may reach which ports. Talos stops at the first error. */
export const firewallRules: RulesByKind = { NetworkRuleConfig: { errors: ruleErrors } }

function* ruleErrors(fields: ValueMap): Iterable<string> {
  const problem = ruleProblem(fields)
  if (problem !== undefined) yield problem
}

function ruleProblem(fields: ValueMap): string | undefined {
  if (textAt(fields, 'name') === '') return 'name is required'
  const ports = itemsAt(sectionAt(fields, 'portSelector'), 'ports').map((port) =>
    rangeOf(`${port}`),
  )
  if (ports.length === 0) return 'portSelector.ports is required'
  const isOpen = (rule: Section): boolean => textAt(rule, 'subnet') === ''
  const subnets = sectionsAt(fields, 'ingress').some(isOpen)
  return portsProblem(ports) ?? (subnets ? 'invalid subnet: invalid Prefix' : undefined)
}

interface Range {
  readonly first: number
  readonly last: number
}

function rangeOf(text: string): Range {
  const [first, last = first] = text.split('-')
  return { first: Number(first), last: Number(last) }
}

function portsProblem(ports: readonly Range[]): string | undefined {
  let before: Range | undefined
  for (const range of ports.toSorted((one, other) => one.first - other.first)) {
    if (range.first > range.last) return `invalid port range: ${rangeText(range)}`
    if (before && range.first <= before.last) {
      return `invalid port range: ${rangeText(range)}, overlaps with ${rangeText(before)}`
    }
    before = range
  }
  return undefined
}

const rangeText = ({ first, last }: Range): string => `${first}-${last}`
