import type { Value, ValueMap } from '#machineconfig/document.ts'

/** A part of a document in normal form, or nothing: what is absent counts as empty. */
export type Section = ValueMap | undefined

/** A value by its key; never one that only JavaScript knows (`constructor`). */
export const valueAt = (section: Section, key: string): Value | undefined =>
  section !== undefined && Object.hasOwn(section, key) ? section[key] : undefined

/** A text, '' when there is none. */
export function textAt(section: Section, key: string): string {
  const value = valueAt(section, key)
  return typeof value === 'string' ? value : ''
}

/** A number, 0 when there is none. */
export function numberAt(section: Section, key: string): number {
  const value = valueAt(section, key)
  return typeof value === 'number' ? value : 0
}

/** Whether a flag is set to true. */
export const isOn = (section: Section, key: string): boolean => valueAt(section, key) === true

/** An object, as opposed to a list, a scalar and nothing. */
export function sectionAt(section: Section, key: string): Section {
  const value = valueAt(section, key)
  return isSection(value) ? value : undefined
}

/** Whether it is an object. */
export const isSection = (value: Value | undefined): value is ValueMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The items of a list, nulls too. */
export function itemsAt(section: Section, key: string): readonly Value[] {
  const value = valueAt(section, key)
  return isList(value) ? value : []
}

/** The items of a list of objects; undefined stands for an item that is null. */
export const sectionsAt = (section: Section, key: string): readonly Section[] =>
  itemsAt(section, key).map((item) => (isSection(item) ? item : undefined))

/** The items of a list of texts; a null one is ''. */
export const textsAt = (section: Section, key: string): readonly string[] =>
  itemsAt(section, key).map((item) => (typeof item === 'string' ? item : ''))

/** The entries of a map whose values are texts, in the order of their keys as Go sorts them. */
export const textEntriesAt = (section: Section, key: string): readonly [string, string][] =>
  keysAt(section, key).map((name) => [name, textAt(sectionAt(section, key), name)])

/** The keys of a map, sorted. */
export const keysAt = (section: Section, key: string): readonly string[] =>
  Object.keys(sectionAt(section, key) ?? {}).sort(byBytes)

const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value)

/** The order in which Go sorts texts. */
export const byBytes = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other))
