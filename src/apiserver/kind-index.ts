import type { Resource } from './resource.ts'

/** Where in a list of kinds each one is. */
export interface KindIndex {
  /** By `group/version/plural`. */
  readonly positions: ReadonlyMap<string, number>
  /** `group/plural`, in whichever version. */
  readonly names: ReadonlySet<string>
}

const made = new WeakMap<readonly Resource[], KindIndex>()

/** The index of a list that does not change; made once for each list. */
export function kindIndexOf(kinds: readonly Resource[]): KindIndex {
  const known = made.get(kinds)
  if (known) return known
  const index = {
    positions: new Map(kinds.map((one, position) => [pathOf(one), position])),
    names: new Set(kinds.map(({ group, plural }) => `${group}/${plural}`)),
  }
  made.set(kinds, index)
  return index
}

export const pathOf = ({ group, version, plural }: Resource): string =>
  `${group}/${version}/${plural}`
