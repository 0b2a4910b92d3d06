import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'

/** What is wrong with a review that asks whether somebody may do something. */
export function accessReviewErrors(kind: string, review: Fields): FieldError[] {
  const spec = fieldsAt(review, 'spec')
  return [
    ...attributeErrors(spec),
    ...(kind === 'SelfSubjectAccessReview' ? [] : subjectErrors(spec)),
    ...selectorErrors(fieldsAt(spec, 'resourceAttributes')),
    ...metadataErrors(kind, fieldsAt(review, 'metadata')),
    ...(kind === 'LocalSubjectAccessReview' ? localErrors(review) : []),
  ]
}

function attributeErrors(spec: Fields): FieldError[] {
  const ofResource = isFields(spec.resourceAttributes)
  const ofPath = isFields(spec.nonResourceAttributes)
  if (ofResource && ofPath) {
    const why = 'cannot be specified in combination with resourceAttributes'
    return [invalidField('spec.nonResourceAttributes', pathShown(spec), why)]
  }
  if (ofResource || ofPath) return []
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
  return [invalidField('spec.resourceAttributes', null, why)]
}

function subjectErrors(spec: Fields): FieldError[] {
  if (textAt(spec, 'user') || listAt(spec, 'groups').length > 0) return []
  return [invalidField('spec.user', '', 'at least one of user or group must be specified')]
}

function selectorErrors(attributes: Fields): FieldError[] {
  return ['fieldSelector', 'labelSelector'].flatMap((name) => {
    const selector = attributes[name]
    if (!isFields(selector)) return []
    const path = `spec.resourceAttributes.${name}`
    const raw = textAt(selector, 'rawSelector')
    const hasRequirements = listAt(selector, 'requirements').length > 0
    if (raw !== undefined && hasRequirements) {
      const why = 'may not specified at the same time as requirements'
      return [invalidField(`${path}.rawSelector`, raw, why)]
    }
    if (raw !== undefined || hasRequirements) return []
    const why = `when ${path} is specified, requirements or rawSelector is required`
    return [required(`${path}.requirements`, why)]
  })
}

function metadataErrors(kind: string, metadata: Fields): FieldError[] {
  const { managedFields: _, namespace, ...rest } = metadata
  const isLocal = kind === 'LocalSubjectAccessReview'
  const isEmpty = Object.values(rest).every((value) => value === '' || value == null)
  if (isEmpty && (isLocal || !namespace)) return []
  const why = isLocal ? 'must be empty except for namespace' : 'must be empty'
  return [invalidField('metadata', metadata, why)]
}

function localErrors(review: Fields): FieldError[] {
  const spec = fieldsAt(review, 'spec')
  const errors: FieldError[] = []
  const own = textAt(fieldsAt(review, 'metadata'), 'namespace') ?? ''
  const asked = textAt(fieldsAt(spec, 'resourceAttributes'), 'namespace') ?? ''
  if (isFields(spec.resourceAttributes) && asked !== own) {
    const field = 'spec.resourceAttributes.namespace'
    errors.push(invalidField(field, asked, 'must match metadata.namespace'))
  }
  if (isFields(spec.nonResourceAttributes)) {
    const why = 'disallowed on this kind of request'
    errors.push(invalidField('spec.nonResourceAttributes', pathShown(spec), why))
  }
  return errors
}

/** With the names that the fields have within the real API. */
function pathShown(spec: Fields): Fields {
  const { path = '', verb = '' } = fieldsAt(spec, 'nonResourceAttributes')
  return { Path: path, Verb: verb }
}
