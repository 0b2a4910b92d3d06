import { isDeepStrictEqual } from 'node:util'
import { selects } from '#apiserver/metadata/label-selector.ts'
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
    const chosen = sorted.filter(
      (one) => nameOf(one) !== nameOf(role) && selects(selector, labelsOf(one)),
    )
    for (const rule of chosen.flatMap((one) => listAt(one, 'rules'))) {
      if (!rules.some((known) => isDeepStrictEqual(known, rule))) rules.push(rule)
    }
  }
  return rules
}

const nameOf = (role: Fields): string => textAt(fieldsAt(role, 'metadata'), 'name') ?? ''

const labelsOf = (role: Fields): Fields => fieldsAt(fieldsAt(role, 'metadata'), 'labels')
