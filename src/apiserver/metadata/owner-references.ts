import { type FieldError, invalidField, Verbatim } from '#apiserver/field-error.ts'
import { jsonInSteps } from '#apiserver/json-text.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'

const field = 'metadata.ownerReferences'

// Each error about controllers shows all owners: no answer is to be the square of a body.
const MOST_SHOWN = 1024 * 1024

/** What is wrong with the owners of an object. */
export function* validateOwners(references: readonly unknown[]): Steps<FieldError[]> {
  const owners = references.filter(isFields)
  const shown = new Verbatim(yield* jsonInSteps(owners.map(inOrder)))
  const errors: FieldError[] = []
  let controller: string | undefined
  let room = MOST_SHOWN
  for (const owner of owners) {
    errors.push(...validateOwner(owner))
    if (isDue()) yield
    if (owner.controller !== true) continue
    const name = `${textAt(owner, 'kind') ?? ''}/${textAt(owner, 'name') ?? ''}`
    if (controller && room > 0) {
      room -= shown.text.length
      errors.push(
        invalidField(
          field,
          shown,
          `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`,
        ),
      )
    }
    controller ??= name
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
        new Verbatim(JSON.stringify(inOrder(reference))),
        '/v1, Kind=Event is disallowed from being an owner',
      ),
    )
  return errors
}

/** Of what has two slashes or more, Kubernetes takes nothing for the version. */
const namesVersion = (version: string): boolean => /^(?:[^/]*\/)?[^/]+$/.test(version)

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
export function* dropRepeatedOwners(
  object: Fields,
  { isPatched, warn }: { isPatched: boolean; warn(text: string): void },
): Steps<void> {
  const metadata = fieldsAt(object, 'metadata')
  const references = listAt(metadata, 'ownerReferences')
  if (references.length < 2) return
  const seen = new Set<string>()
  const repeated: string[] = []
  const kept: unknown[] = []
  for (const reference of references) {
    const owner = isFields(reference) ? reference : {}
    const isNew = seen.size < seen.add(JSON.stringify(inOrder(owner))).size
    if (isNew) kept.push(reference)
    else repeated.push(textAt(owner, 'uid') ?? '')
    if (isDue()) yield
  }
  if (repeated.length === 0) return
  metadata.ownerReferences = kept
  const when = isPatched ? ' after mutating admission happens' : ''
  warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(', ')}`,
  )
}
