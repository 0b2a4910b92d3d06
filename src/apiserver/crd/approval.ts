import { type FieldError, invalidField, quoted, required } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'

const annotation = 'api-approved.kubernetes.io'
const see = 'see https://github.com/kubernetes/enhancements/pull/1111'

/** Whether somebody has approved a CRD in a group of the Kubernetes community. */
export interface Approval {
  state: 'invalid' | 'approved' | 'bypassed' | 'missing'
  reason: string
}

/** The approval of a CRD; undefined if its group needs none. */
export function approvalOf(crd: Fields): Approval | undefined {
  const group = textAt(fieldsAt(crd, 'spec'), 'group') ?? ''
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return undefined
  const text = annotationOf(crd)
  if (!text) {
    const reason = `protected groups must have approval annotation ${quoted(annotation)}, ${see}`
    return { state: 'missing', reason }
  }
  if (text.startsWith('unapproved')) {
    return { state: 'bypassed', reason: `not approved: ${quoted(text)}` }
  }
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#\s]/.test(text)) {
    return { state: 'approved', reason: `approved in ${text}` }
  }
  const reason = `protected groups must have approval annotation ${quoted(annotation)} with either a URL or a reason starting with "unapproved", ${see}`
  return { state: 'invalid', reason }
}

const annotationOf = (crd: Fields): string | undefined =>
  textAt(fieldsAt(fieldsAt(crd, 'metadata'), 'annotations'), annotation)

/** What is wrong with the approval; one that is as it was is left alone. */
export function approvalErrors(crd: Fields, old: Fields | undefined): FieldError[] {
  const approval = approvalOf(crd)
  if (!approval || (old && approvalOf(old)?.state === approval.state)) return []
  const field = `metadata.annotations[${annotation}]`
  if (approval.state === 'missing') return [required(field, approval.reason)]
  if (approval.state !== 'invalid') return []
  return [invalidField(field, annotationOf(crd), approval.reason)]
}
