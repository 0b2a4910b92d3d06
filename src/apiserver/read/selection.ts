import { badRequest } from '#apiserver/failure.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'
import { type FieldSelector, fieldSelectorOf } from '#apiserver/select/field-selector.ts'
import { type LabelSelector, labelSelectorOf } from '#apiserver/select/label-selector.ts'

/** Which objects of a kind are asked for. */
export interface Selection {
  /** Undefined when every object is: then none needs to be parsed. */
  matches: ((object: Fields) => boolean) | undefined
  /** The only name that can match. */
  name: string | undefined
  /** The same for the same selection, so that watchers can share. */
  id: string
}

/** From the selectors of a request; fails where they cannot be read. */
export function selectionOf(resource: Resource, query: URLSearchParams): Selection {
  const labels = query.get('labelSelector') ?? ''
  const fields = query.get('fieldSelector') ?? ''
  const byLabels = labelSelectorOf(labels)
  const byFields = fieldSelectorOf(fields, resource)
  return {
    matches: combined(byLabels, byFields),
    name: byFields?.name,
    id: `${labels}\n${fields}`,
  }
}

function combined(
  byLabels: LabelSelector | undefined,
  byFields: FieldSelector | undefined,
): Selection['matches'] {
  if (!byLabels) return byFields && ((object) => byFields.matches(object))
  return (object) =>
    byLabels(fieldsAt(fieldsAt(object, 'metadata'), 'labels')) &&
    (!byFields || byFields.matches(object))
}

/** A whole number in a query; undefined if it is left out. */
export function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null || text === '') return undefined
  const isNumber = /^[-+]?\d+$/.test(text)
  if (isNumber && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return Number(text)
  const why = isNumber ? 'value out of range' : 'invalid syntax'
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: ${why}`)
}

/** The most that a list is to hold; undefined for no limit, which less than nothing is as well. */
export function limitIn(query: URLSearchParams): number | undefined {
  const limit = numberIn(query, 'limit') ?? 0
  return limit > 0 ? limit : undefined
}

/** Whether a flag in a query is set. */
export function flagIn(query: URLSearchParams, name: string): boolean {
  const text = query.get(name)
  return text !== null && !['false', '0', 'f', 'F', 'FALSE', 'False'].includes(text)
}
