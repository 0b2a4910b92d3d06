import { type Fields, isFields, listAt } from '#apiserver/objects.ts'
import type { Attributes } from '#apiserver/request.ts'

/** What a role allows, as it is written in it. */
export interface PolicyRule {
  verbs: readonly string[]
  apiGroups: readonly string[]
  resources: readonly string[]
  resourceNames: readonly string[]
  nonResourceURLs: readonly string[]
}

const texts = (fields: Fields, key: string): string[] =>
  listAt(fields, key).filter((one) => typeof one === 'string')

/** The rules of a Role or a ClusterRole. */
export const rulesIn = (role: Fields): PolicyRule[] =>
  listAt(role, 'rules')
    .filter(isFields)
    .map((rule) => ({
      verbs: texts(rule, 'verbs'),
      apiGroups: texts(rule, 'apiGroups'),
      resources: texts(rule, 'resources'),
      resourceNames: texts(rule, 'resourceNames'),
      nonResourceURLs: texts(rule, 'nonResourceURLs'),
    }))

/** Whether a rule allows what is asked for. */
export function ruleAllows(rule: PolicyRule, asked: Attributes): boolean {
  if (!hasOrAll(rule.verbs, asked.verb)) return false
  if (!asked.isResource) return rule.nonResourceURLs.some((url) => urlCovers(url, asked.path))
  return (
    hasOrAll(rule.apiGroups, asked.group) &&
    resourceMatches(rule.resources, asked) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(asked.name))
  )
}

/** Whether the path is what the rule says, or begins with what the rule says before its `*`. */
export const urlCovers = (url: string, path: string): boolean =>
  url === path || (url.endsWith('*') && path.startsWith(url.replace(/\*+$/, '')))

const hasOrAll = (list: readonly string[], wanted: string): boolean =>
  list.includes(wanted) || list.includes('*')

function resourceMatches(
  resources: readonly string[],
  { resource, subresource }: Attributes,
): boolean {
  if (resources.includes('*')) return true
  if (subresource === '') return resources.includes(resource)
  return resources.includes(`${resource}/${subresource}`) || resources.includes(`*/${subresource}`)
}
