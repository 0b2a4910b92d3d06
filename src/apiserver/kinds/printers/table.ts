import { itemsOf } from '#apiserver/kinds/fill.ts'
import { ageOf } from '#apiserver/metadata/age.ts'
import { requirementText } from '#apiserver/metadata/label-selector.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import type { Printer } from '#apiserver/resource.ts'

/** What stands in a column, and how the column is told of. */
export interface Cell {
  name: string
  /** What it means, for those who ask the API. */
  about: string
  value(object: Fields, now: Date): unknown
  type?: string
  format?: string
  /** Shown with `-o wide` only. */
  wide?: boolean
}

/** A printer with these columns. */
export const tableOf = (...cells: readonly Cell[]): Printer => ({
  columns: cells.map(({ name, about, type = 'string', format = '', wide = false }) => ({
    name,
    type,
    format,
    description: about,
    priority: wide ? 1 : 0,
  })),
  cells: (object, now) => cells.map(({ value }) => value(object, now)),
})

export const nameCell: Cell = {
  name: 'Name',
  about: 'Name of the object.',
  format: 'name',
  value: (object) => nameOf(object),
}

export const ageCell: Cell = {
  name: 'Age',
  about: 'Time since the object was created.',
  value: (object, now) => ageOf(textAt(fieldsAt(object, 'metadata'), 'creationTimestamp'), now),
}

/** For kinds that nobody has a table for. */
export const createdCell: Cell = {
  name: 'Created At',
  about: 'When the object was created.',
  type: 'date',
  value: (object) => fieldsAt(object, 'metadata').creationTimestamp ?? null,
}

export const nameOf = (object: Fields): string => textAt(fieldsAt(object, 'metadata'), 'name') ?? ''

/** A text at a path below the object. */
export function textCell(name: string, about: string, ...path: readonly string[]): Cell {
  return { name, about, value: (object) => textIn(object, path) || '' }
}

export const textIn = (object: Fields, path: readonly string[], otherwise = ''): string => {
  const value = valueIn(object, path)
  return value == null || value === '' ? otherwise : String(value)
}

/** A number at a path below the object; 0 where there is none. */
export function countCell(name: string, about: string, ...path: readonly string[]): Cell {
  return { name, about, type: 'integer', value: (object) => countIn(object, path) }
}

export const countIn = (object: Fields, path: readonly string[]): number =>
  Number(valueIn(object, path) ?? 0)

function valueIn(object: Fields, path: readonly string[]): unknown {
  let at = object
  for (const key of path.slice(0, -1)) at = fieldsAt(at, key)
  return at[path.at(-1) ?? '']
}

/** The containers of a workload and what they run, told with `-o wide`. */
export const containerCells = (...path: readonly string[]): Cell[] => [
  {
    name: 'Containers',
    about: 'Names of the containers of the pods.',
    wide: true,
    value: (object) => partsOf(object, path, 'name'),
  },
  {
    name: 'Images',
    about: 'What the containers run.',
    wide: true,
    value: (object) => partsOf(object, path, 'image'),
  },
]

const partsOf = (object: Fields, path: readonly string[], key: string): string =>
  itemsOf(fieldsIn(object, path), 'containers')
    .map((container) => textAt(container, key) ?? '')
    .join(',')

function fieldsIn(object: Fields, path: readonly string[]): Fields {
  let at = object
  for (const key of path) at = fieldsAt(at, key)
  return at
}

/** A selector in a workload's spec. */
export const selectorCell = (...path: readonly string[]): Cell => ({
  name: 'Selector',
  about: 'Which pods belong to it.',
  wide: true,
  value: (object) => selectorText(valueIn(object, path)),
})

/** A `LabelSelector` as the query that it stands for. */
export function selectorText(selector: unknown): string {
  const fields = fieldsAt({ selector }, 'selector')
  const labels = Object.entries(fieldsAt(fields, 'matchLabels')).map(
    ([key, value]): [string, string] => [key, `${key}=${String(value)}`],
  )
  const expressions = itemsOf(fields, 'matchExpressions').map((one): [string, string] => [
    String(one.key),
    requirementText(one),
  ])
  const parts = [...labels, ...expressions].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return parts.map(([, text]) => text).join(',') || '<none>'
}

/** Plain labels, sorted. */
export const labelsText = (labels: Fields): string =>
  Object.keys(labels)
    .toSorted()
    .map((key) => `${key}=${String(labels[key])}`)
    .join(',') || '<none>'

/** The first few of a list, and how many more there are. */
export function someOf(list: readonly string[], most: number, separator = ','): string {
  const shown = list.slice(0, most).join(separator)
  return list.length > most ? `${shown} + ${list.length - most} more...` : shown
}
