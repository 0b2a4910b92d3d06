import { type FieldError, invalidField, notSupported, required } from '#apiserver/field-error.ts'
import { dns1035Label } from '#apiserver/metadata/name-rules.ts'
import { type Fields, textAt } from '#apiserver/objects.ts'
import { namesIn } from './definition.ts'

const scopes = ['Cluster', 'Namespaced']

export function scopeErrors(spec: Fields): FieldError[] {
  const scope = textAt(spec, 'scope')
  if (!scope) return [required('spec.scope', '')]
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)]
}

/** What is missing of the names of a CRD, and what is no name. */
export function nameErrors(fields: Fields): FieldError[] {
  const names = namesIn(fields)
  const missing = (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((key) => names[key] === '')
    .map((key) => required(`spec.names.${key}`, ''))
  return [...missing, ...badNames(fields, 'spec.names')]
}

/** Which of the names that there are at a path are none. */
export function badNames(fields: Fields, path: string): FieldError[] {
  const names = namesIn(fields)
  return [
    ...labelErrors(`${path}.plural`, names.plural),
    ...labelErrors(`${path}.singular`, names.singular),
    ...kindErrors(`${path}.kind`, names.kind),
    ...kindErrors(`${path}.listKind`, names.listKind),
    ...names.shortNames.flatMap((one, index) =>
      problemsAt(`${path}.shortNames[${index}]`, one, dns1035Label(one)),
    ),
    ...(names.kind !== '' && names.kind === names.listKind
      ? [invalidField(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same')]
      : []),
    ...names.categories.flatMap((one, index) =>
      problemsAt(`${path}.categories[${index}]`, one, dns1035Label(one)),
    ),
  ]
}

const problemsAt = (field: string, value: string, problems: readonly string[]): FieldError[] =>
  problems.length > 0 ? [invalidField(field, value, problems.join(','))] : []

const labelErrors = (field: string, value: string): FieldError[] =>
  value === '' ? [] : problemsAt(field, value, dns1035Label(value))

function kindErrors(field: string, kind: string): FieldError[] {
  const problems = kind === '' ? [] : dns1035Label(kind.toLowerCase())
  if (problems.length === 0) return []
  const detail = `may have mixed case, but should otherwise match: ${problems.join(',')}`
  return [invalidField(field, kind, detail)]
}
