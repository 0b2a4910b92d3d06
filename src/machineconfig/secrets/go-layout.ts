import { goScalar } from '#machineconfig/write/go-scalar.ts'

/** What files of Talos consist of. A map with names that are not ours is a Map. */
type Layout = string | readonly string[] | LayoutMap | ReadonlyMap<string, Layout>
export interface LayoutMap {
  readonly [key: string]: Layout | undefined
}

/** A struct as go-yaml writes it: its keys in their order, four spaces a level. Undefined is left out. */
export const goLayout = (map: LayoutMap): string => entriesText(Object.entries(map), '')

type Entries = readonly (readonly [string, Layout | undefined])[]

function entriesText(entries: Entries, indent: string): string {
  const lines = entries.map(([key, value]) =>
    value === undefined ? '' : `${indent}${goScalar(key)}:${laidOut(value, `${indent}    `)}`,
  )
  return lines.join('')
}

function laidOut(value: Layout, indent: string): string {
  if (typeof value === 'string') return ` ${goScalar(value)}\n`
  if (isList(value)) {
    const items = value.map((item) => `${indent}- ${goScalar(item)}\n`).join('')
    return items === '' ? ' []\n' : `\n${items}`
  }
  const inner = entriesText(isNamed(value) ? [...value] : Object.entries(value), indent)
  return inner === '' ? ' {}\n' : `\n${inner}`
}

const isList = (value: Layout): value is readonly string[] => Array.isArray(value)

const isNamed = (
  value: LayoutMap | ReadonlyMap<string, Layout>,
): value is ReadonlyMap<string, Layout> => value instanceof Map
