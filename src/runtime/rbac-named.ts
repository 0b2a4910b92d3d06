import type { PolicyRule } from './rbac.ts'

/** A kind of which only the names are known. */
interface NamedKind {
  readonly group: string
  readonly kind: string
}

/** The permission to look at objects of these kinds and to be told of their changes, one rule for a group. */
export function rulesToFollow(kinds: readonly NamedKind[]): PolicyRule[] {
  const groups = [...new Set(kinds.map(({ group }) => group))].sort()
  return groups.map((group) => {
    const plurals = kinds.filter((one) => one.group === group).map(({ kind }) => pluralOf(kind))
    return {
      apiGroups: [group],
      resources: [...new Set(plurals)].sort(),
      verbs: ['get', 'list', 'watch'],
    }
  })
}

/** As those who define kinds form it nearly always: there is no API to be asked here. */
function pluralOf(kind: string): string {
  const word = kind.toLowerCase()
  if (word === 'endpoints') return word
  if (/(s|x|z|ch|sh)$/.test(word)) return `${word}es`
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`
}
