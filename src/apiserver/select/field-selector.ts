import { badRequest } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'

/** What a field selector asks of an object. */
export interface FieldSelector {
  matches(object: Fields): boolean
  /** The one name that is asked for, if that is all that is asked. */
  name: string | undefined
}

interface Term {
  field: string
  isEqual: boolean
  value: string
}

/**
 * Reads `metadata.name=a,status.phase!=Running`. Undefined for an empty selector. Fails as Kubernetes
 * does when it cannot be read, or when the kind has no such field to select by.
 */
export function fieldSelectorOf(text: string, resource: Resource): FieldSelector | undefined {
  if (text === '') return undefined
  const terms = partsOf(text).filter(Boolean).map(termOf)
  const tests = terms.map((term) => ({ ...term, read: readerOf(term.field, resource) }))
  const [only] = terms.length === 1 ? terms : []
  return {
    matches: (object) =>
      tests.every(({ read, value, isEqual }) => (read(object) === value) === isEqual),
    name: only?.isEqual && only.field === 'metadata.name' ? only.value : undefined,
  }
}

/** The name that every selected object must have: authorization treats it as the object's. */
export function nameSelectedBy(text: string): string {
  const named = partsOf(text).flatMap((part) => {
    const [, name] = /^metadata\.name==?(.*)$/.exec(part) ?? []
    return name ? [name] : []
  })
  return named[0] ?? ''
}

/** Split at commas that are not escaped. */
const partsOf = (text: string): string[] => text.match(/(?:\\.|[^,\\])+/gs) ?? []

function termOf(part: string): Term {
  const [, field = '', operator, value = ''] = /^([^=!]*)(!=|==|=)(.*)$/s.exec(part) ?? []
  if (operator === undefined) {
    throw badRequest(`invalid selector: '${part}'; can't understand '${part}'`)
  }
  return { field, isEqual: operator !== '!=', value: value.replaceAll(/\\([\\,=])/g, '$1') }
}

function readerOf(field: string, resource: Resource): (object: Fields) => string {
  if (field === 'metadata.name')
    return (object) => textAt(fieldsAt(object, 'metadata'), 'name') ?? ''
  if (field === 'metadata.namespace') {
    return (object) => textAt(fieldsAt(object, 'metadata'), 'namespace') ?? ''
  }
  const { selectableFields = {} } = resource.behaviour
  const read = Object.hasOwn(selectableFields, field) ? selectableFields[field] : undefined
  if (!read) throw badRequest(notSelectable(field, resource))
  return read
}

// Kinds without fields of their own to select by list those that all have.
const notSelectable = (field: string, { isCustom, behaviour }: Resource): string =>
  isCustom || behaviour.selectableFields
    ? `field label not supported: ${field}`
    : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
