import {
  type FieldError,
  forbiddenField,
  invalidField,
  mostTold,
  required,
} from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import { atOnce, isDue, type Steps } from '#apiserver/steps.ts'
import { qualifiedName, validateLabelsInSteps } from './label-rules.ts'
import { dnsLabel, type NameRule, problemsOfName, problemsOfPrefix } from './name-rules.ts'
import { validateOwners } from './owner-references.ts'

/** What the rules for metadata depend on. */
export interface MetadataRules {
  namespaced: boolean
  nameRule: NameRule
  /** Whether finalizers may have any name, as those of custom resources: others belong to a domain. */
  takesAnyFinalizer: boolean
}

/** What is wrong with the metadata of a new object. Its name has been generated, if it was to be. */
export const validateMetadata = (metadata: Fields, rules: MetadataRules): FieldError[] =>
  atOnce(validateMetadataInSteps(metadata, rules))

/** The same, with pauses. */
export function* validateMetadataInSteps(
  metadata: Fields,
  rules: MetadataRules,
): Steps<FieldError[]> {
  return [
    ...validateNames(metadata, rules),
    ...validateNamespace(metadata, rules.namespaced),
    ...(yield* validateTexts(metadata)),
    ...mostTold(yield* validateFinalizers(metadata, rules.takesAnyFinalizer)),
  ]
}

/**
 * What is wrong with metadata that is to replace older metadata. What the server keeps by itself
 * (`keepServerMetadata`) has been put back already.
 */
export function* validateMetadataUpdateInSteps(
  metadata: Fields,
  old: Fields,
  rules: MetadataRules,
): Steps<FieldError[]> {
  return [
    ...(yield* validateTexts(metadata)),
    ...mostTold(yield* validateFinalizers(metadata, rules.takesAnyFinalizer)),
    ...(old.deletionTimestamp ? refuseNewFinalizers(metadata, old) : []),
    ...immutable
      .filter((key) => metadata[key] !== old[key])
      .map((key) => invalidField(`metadata.${key}`, metadata[key], 'field is immutable')),
  ]
}

/** The same, without a pause. */
export const validateMetadataUpdate = (
  metadata: Fields,
  old: Fields,
  rules: MetadataRules,
): FieldError[] => atOnce(validateMetadataUpdateInSteps(metadata, old, rules))

const immutable = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const

/** Puts back what no writer can change, or is not asked to repeat. Told before a change is checked. */
export function keepServerMetadata(metadata: Fields, old: Fields): void {
  keep(metadata, old, 'generation')
  keep(metadata, old, 'creationTimestamp')
  if (!metadata.uid) keep(metadata, old, 'uid')
  if (old.deletionTimestamp) keep(metadata, old, 'deletionTimestamp')
  if (old.deletionGracePeriodSeconds !== undefined && metadata.deletionGracePeriodSeconds == null)
    keep(metadata, old, 'deletionGracePeriodSeconds')
}

function keep(metadata: Fields, old: Fields, key: string): void {
  if (old[key] === undefined) delete metadata[key]
  else metadata[key] = old[key]
}

function validateNames(metadata: Fields, { nameRule }: MetadataRules): FieldError[] {
  const prefix = textAt(metadata, 'generateName')
  const name = textAt(metadata, 'name')
  const errors = prefix
    ? problemsOfPrefix(nameRule, prefix).map((problem) =>
        invalidField('metadata.generateName', prefix, problem),
      )
    : []
  if (!name) errors.push(required('metadata.name', 'name or generateName is required'))
  else
    for (const problem of problemsOfName(nameRule, name))
      errors.push(invalidField('metadata.name', name, problem))
  return errors
}

function validateNamespace(metadata: Fields, namespaced: boolean): FieldError[] {
  const namespace = textAt(metadata, 'namespace')
  if (!namespaced)
    return namespace ? [forbiddenField('metadata.namespace', 'not allowed on this type')] : []
  if (!namespace) return [required('metadata.namespace', '')]
  return dnsLabel(namespace).map((problem) =>
    invalidField('metadata.namespace', namespace, problem),
  )
}

function* validateTexts(metadata: Fields): Steps<FieldError[]> {
  return [
    ...(metadata.labels
      ? mostTold(yield* validateLabelsInSteps(fieldsAt(metadata, 'labels'), 'metadata.labels'))
      : []),
    ...(metadata.annotations
      ? mostTold(yield* validateAnnotationsInSteps(annotationsIn(metadata), annotationsField))
      : []),
    ...(metadata.ownerReferences
      ? mostTold(yield* validateOwners(listAt(metadata, 'ownerReferences')))
      : []),
  ]
}

const annotationsIn = (metadata: Fields): Fields => fieldsAt(metadata, 'annotations')
const annotationsField = 'metadata.annotations'
const mostAnnotationBytes = 256 * 1024

/** What is wrong with annotations: their keys, and their size altogether. */
export const validateAnnotations = (annotations: Fields, field: string): FieldError[] =>
  atOnce(validateAnnotationsInSteps(annotations, field))

function* validateAnnotationsInSteps(annotations: Fields, field: string): Steps<FieldError[]> {
  const errors: FieldError[] = []
  let bytes = 0
  for (const key of Object.keys(annotations)) {
    const value = annotations[key]
    if (isDue()) yield
    for (const problem of qualifiedName(key.toLowerCase()))
      errors.push(invalidField(field, key, problem))
    bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0)
  }
  if (bytes > mostAnnotationBytes)
    errors.push({
      reason: 'FieldValueTooLong',
      field,
      message: `Too long: may not be more than ${mostAnnotationBytes} bytes`,
    })
  return errors
}

const finalizersField = 'metadata.finalizers'
const plainFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion']

function* validateFinalizers(metadata: Fields, takesAny: boolean): Steps<FieldError[]> {
  if (!metadata.finalizers) return []
  const finalizers = listAt(metadata, 'finalizers').map(String)
  const errors: FieldError[] = []
  for (const one of finalizers) {
    if (isDue()) yield
    for (const problem of qualifiedName(one))
      errors.push(invalidField(finalizersField, one, problem))
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion'))
    errors.push(
      invalidField(
        finalizersField,
        finalizers,
        'finalizer orphan and foregroundDeletion cannot be both set',
      ),
    )
  return takesAny ? errors : [...errors, ...validatePlainFinalizers(finalizers)]
}

const validatePlainFinalizers = (finalizers: string[]): FieldError[] =>
  finalizers.flatMap((one, index) =>
    one.includes('/') || plainFinalizers.includes(one)
      ? []
      : [
          invalidField(
            `${finalizersField}[${index}]`,
            one,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  )

function refuseNewFinalizers(metadata: Fields, old: Fields): FieldError[] {
  const known = new Set(listAt(old, 'finalizers'))
  const added = [...new Set(listAt(metadata, 'finalizers'))].filter((one) => !known.has(one))
  if (added.length === 0) return []
  // The list is shown as the Go program prints it.
  const shown = added
    .map((one) => JSON.stringify(one))
    .toSorted()
    .join(', ')
  return [
    forbiddenField(
      finalizersField,
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${shown}}`,
    ),
  ]
}
