import { isDeepStrictEqual } from 'node:util'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'

/**
 * The rules that a ClusterRole with an aggregationRule should have: those of all ClusterRoles that its
 * selectors choose, each once. Undefined for a role that gathers nothing.
 */
export function aggregatedRules(role: Fields, all: readonly Fields[]): unknown[] | undefined {
  const selectors = listAt(fieldsAt(role, 'aggregationRule'), 'clusterRoleSelectors')
  if (selectors.length === 0) return undefined
  const sorted = all.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
  const rules: unknown[] = []
  for (const selector of selectors.filter(isFields)) {
    const chosen = sorted.filter((one) => nameOf(one) !== nameOf(role) && selects(selector, one))
    for (const rule of chosen.flatMap((one) => listAt(one, 'rules'))) {
      if (!rules.some((known) => isDeepStrictEqual(known, rule))) rules.push(rule)
    }
  }
  return rules
}

const nameOf = (role: Fields): string => textAt(fieldsAt(role, 'metadata'), 'name') ?? ''

/** A selector that asks for nothing selects everything. */
function selects(selector: Fields, role: Fields): boolean {
  const labels = fieldsAt(fieldsAt(role, 'metadata'), 'labels')
  const wanted = Object.entries(fieldsAt(selector, 'matchLabels'))
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    listAt(selector, 'matchExpressions').every((one) => isFields(one) && holds(one, labels))
  )
}

function holds(expression: Fields, labels: Fields): boolean {
  const value = labels[textAt(expression, 'key') ?? '']
  const values = listAt(expression, 'values')
  switch (expression.operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      return false
  }
}
