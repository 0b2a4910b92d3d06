import { Failure } from '#test/misbehaving/failure.ts'
import type { Fields } from './objects.ts'
import { nameOf, type ServedResource } from './resources.ts'

const about = ({ group, plural }: ServedResource, name: string): Fields => ({
  ...{ name, ...(group && { group }), kind: plural },
})

export const notFound = (resource: ServedResource, name: string): Failure =>
  new Failure(404, `${nameOf(resource)} "${name}" not found`, { details: about(resource, name) })

export const alreadyExists = (resource: ServedResource, name: string): Failure =>
  new Failure(409, `${nameOf(resource)} "${name}" already exists`, {
    reason: 'AlreadyExists',
    details: about(resource, name),
  })

const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again'

export const conflict = (resource: ServedResource, name: string, why = MODIFIED): Failure =>
  new Failure(409, `Operation cannot be fulfilled on ${nameOf(resource)} "${name}": ${why}`, {
    details: about(resource, name),
  })

const CAUSES: Readonly<Record<string, string>> = {
  Forbidden: 'FieldValueForbidden',
  'Invalid value': 'FieldValueInvalid',
  'Required value': 'FieldValueRequired',
}

/** An object, or the options of a request, hold a value that is refused. */
export function invalid(
  { kind, group, name = '' }: { kind: string; group: string; name?: string },
  field: string,
  message: string,
): Failure {
  const what = `${group ? `${kind}.${group}` : kind} "${name}"`
  const causes = [{ reason: CAUSES[message.split(':')[0] ?? ''], message, field }]
  return new Failure(422, `${what} is invalid: ${field}: ${message}`, {
    details: { ...(name && { name }), ...(group && { group }), kind, causes },
  })
}

/** Somebody else owns fields that an apply would change. */
export function applyConflict(fields: { owner: string; field: string }[]): Failure {
  const paragraphs = [...new Set(fields.map(({ owner }) => owner))].map((owner) => {
    const theirs = fields.filter((one) => one.owner === owner).map(({ field }) => field)
    return theirs.length === 1
      ? `conflict with ${owner}: ${theirs[0]}`
      : `conflicts with ${owner}:\n- ${theirs.join('\n- ')}`
  })
  const count = `${fields.length} conflict${fields.length === 1 ? '' : 's'}`
  const causes = fields.map(({ owner, field }) => ({
    ...{ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field },
  }))
  return new Failure(409, `Apply failed with ${count}: ${paragraphs.join('\n')}`, {
    details: { causes },
  })
}
