import { isDeepStrictEqual } from 'node:util'
import { type FieldError, invalidField, Verbatim } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'

const field = 'metadata.ownerReferences'

/** What is wrong with the owners of an object. */
export function validateOwners(references: readonly unknown[]): FieldError[] {
  const errors: FieldError[] = []
  let controller: string | undefined
  for (const reference of references.filter(isFields)) {
    errors.push(...validateOwner(reference))
    if (reference.controller !== true) continue
    const name = `${textAt(reference, 'kind') ?? ''}/${textAt(reference, 'name') ?? ''}`
    if (controller)
      errors.push(
        invalidField(
          field,
          shownAs(references.filter(isFields).map(inOrder)),
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`,
        ),
      )
    else controller = name
  }
  return errors
}

function validateOwner(reference: Fields): FieldError[] {
  const errors: FieldError[] = []
  const version = textAt(reference, 'apiVersion') ?? ''
  if (!namesVersion(version))
    errors.push(invalidField(`${field}.apiVersion`, version, 'version must not be empty'))
  for (const key of ['kind', 'name', 'uid'])
    if (!textAt(reference, key))
      errors.push(invalidField(`${field}.${key}`, '', 'must not be empty'))
  if (version === 'v1' && reference.kind === 'Event')
    errors.push(
      invalidField(
        field,
        shownAs(inOrder(reference)),
        '/v1, Kind=Event is disallowed from being an owner',
      ),
    )
  return errors
}

/** Of what has two slashes or more, Kubernetes takes nothing for the version. */
const namesVersion = (version: string): boolean => /^(?:[^/]*\/)?[^/]+$/.test(version)

const shownAs = (value: unknown): Verbatim => new Verbatim(JSON.stringify(value))

/** The fields in the order in which Kubernetes shows them. */
const inOrder = ({
  apiVersion,
  kind,
  name,
  uid,
  controller,
  blockOwnerDeletion,
}: Fields): Fields => ({
  apiVersion: apiVersion ?? '',
  kind: kind ?? '',
  name: name ?? '',
  uid: uid ?? '',
  controller: controller ?? undefined,
  blockOwnerDeletion: blockOwnerDeletion ?? undefined,
})

/**
 * Leaves out owners that are named twice in the same words, and says so. Told of what a client sends
 * before it is looked at, and of what came out of a patch.
 */
export function dropRepeatedOwners(
  object: Fields,
  { isPatched, warn }: { isPatched: boolean; warn(text: string): void },
): void {
  const metadata = fieldsAt(object, 'metadata')
  const references = listAt(metadata, 'ownerReferences')
  if (references.length < 2) return
  const kept: unknown[] = []
  const repeated: string[] = []
  for (const reference of references) {
    if (!kept.some((one) => isDeepStrictEqual(one, reference))) kept.push(reference)
    else repeated.push((isFields(reference) && textAt(reference, 'uid')) || '')
  }
  if (repeated.length === 0) return
  metadata.ownerReferences = kept
  const when = isPatched ? ' after mutating admission happens' : ''
  warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
  )
}
