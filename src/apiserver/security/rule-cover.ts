import { type PolicyRule, urlCovers } from './policy-rule.ts'

const NONE = {
  verbs: [],
  apiGroups: [],
  resources: [],
  resourceNames: [],
  nonResourceURLs: [],
}

/** What of the wanted rules is in none of the owned ones, in rules of one thing each. */
export const uncovered = (
  owned: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] =>
  wanted.flatMap(singles).filter((single) => !owned.some((rule) => covers(rule, single)))

/** Rules, one to a line and sorted, as Kubernetes shows what somebody lacks. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const lines = joined(rules).map(describe)
  return [...new Set(lines)].sort().join('\n')
}

function singles(rule: PolicyRule): PolicyRule[] {
  // No name stands for all names: then the single rules have none either.
  const names = rule.resourceNames.length > 0 ? rule.resourceNames.map((name) => [name]) : [[]]
  const ofResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          ...NONE,
          apiGroups: [group],
          resources: [resource],
          verbs: [verb],
          resourceNames,
        })),
      ),
    ),
  )
  const ofUrls = rule.nonResourceURLs.flatMap((url) =>
    rule.verbs.map((verb) => ({ ...NONE, nonResourceURLs: [url], verbs: [verb] })),
  )
  return [...ofResources, ...ofUrls]
}

function covers(owned: PolicyRule, single: PolicyRule): boolean {
  return (
    hasAll(owned.verbs, single.verbs) &&
    hasAll(owned.apiGroups, single.apiGroups) &&
    single.resources.every((resource) => resourceCovered(owned.resources, resource)) &&
    namesCovered(owned.resourceNames, single.resourceNames) &&
    single.nonResourceURLs.every((url) =>
      owned.nonResourceURLs.some((ownedUrl) => urlCovers(ownedUrl, url)),
    )
  )
}

const hasAll = (owned: readonly string[], wanted: readonly string[]): boolean =>
  owned.includes('*') || wanted.every((one) => owned.includes(one))

function resourceCovered(owned: readonly string[], wanted: string): boolean {
  if (owned.includes('*') || owned.includes(wanted)) return true
  const slash = wanted.indexOf('/')
  return slash >= 0 && owned.includes(`*${wanted.slice(slash)}`)
}

const namesCovered = (owned: readonly string[], wanted: readonly string[]): boolean =>
  owned.length === 0 || (wanted.length > 0 && wanted.every((name) => owned.includes(name)))

/** The verbs of rules about the same thing put together. */
function joined(rules: readonly PolicyRule[]): PolicyRule[] {
  const byResource = new Map<string, PolicyRule>()
  for (const rule of rules) {
    const { verbs, ...rest } = rule
    const id = JSON.stringify(rule.nonResourceURLs.length > 0 ? rule : rest)
    const same = byResource.get(id)
    byResource.set(id, same ? { ...same, verbs: [...same.verbs, ...verbs] } : rule)
  }
  return [...byResource.values()]
}

function describe(rule: PolicyRule): string {
  const parts: [string, readonly string[]][] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ]
  const told = parts.filter(([, list]) => list.length > 0)
  return `{${told.map(([name, list]) => `${name}:${listed(list)}`).join(', ')}}`
}

/** A list as Go prints it. */
export const listed = (texts: readonly string[]): string =>
  `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`
