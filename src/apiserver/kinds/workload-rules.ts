import { type FieldError, forbiddenField, invalidField, required } from '#apiserver/field-error.ts'
import {
  isEmptySelector,
  selects,
  validateLabelSelector,
} from '#apiserver/metadata/label-selector.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { checkOneOf } from './field-checks.ts'
import { partOf } from './fill.ts'
import { validateTemplate } from './pod-spec-rules.ts'

/** What is wrong with the selector of a workload; `kind` is what an empty one is told not to be for. */
export function validateSelector(spec: Fields, kind: string): FieldError[] {
  const selector = partOf(spec, 'selector')
  if (!selector) return kind === 'daemonset' ? [] : [required('spec.selector', '')]
  const errors = validateLabelSelector(selector, 'spec.selector')
  if (errors.length > 0)
    return [...errors, invalidField('spec.selector', selector, 'invalid label selector')]
  return isEmptySelector(selector)
    ? [invalidField('spec.selector', selector, `empty selector is invalid for ${kind}`)]
    : []
}

/** What is wrong with the template of a workload that keeps its pods running. */
export function validateWorkloadTemplate(spec: Fields, field = 'spec.template'): FieldError[] {
  const template = fieldsAt(spec, 'template')
  const podSpec = fieldsAt(template, 'spec')
  const errors = [...validateMatch(spec, field), ...validateTemplate(template, field)]
  if (podSpec.restartPolicy !== 'Always')
    errors.push(...checkOneOf(podSpec.restartPolicy, `${field}.spec.restartPolicy`, ['Always']))
  if (podSpec.activeDeadlineSeconds != null)
    errors.push(
      forbiddenField(
        `${field}.spec.activeDeadlineSeconds`,
        'activeDeadlineSeconds in ReplicaSet is not Supported',
      ),
    )
  return errors
}

/** The pods that a workload makes have to be its own. */
export function validateMatch(spec: Fields, field = 'spec.template'): FieldError[] {
  const selector = partOf(spec, 'selector')
  const labels = partOf(fieldsAt(fieldsAt(spec, 'template'), 'metadata'), 'labels')
  const says = selector && !isEmptySelector(selector)
  if (says && validateLabelSelector(selector, '').length > 0) return []
  if (selector && !says) return []
  if (says && selects(selector, labels ?? {})) return []
  return [
    invalidField(
      `${field}.metadata.labels`,
      labels ?? null,
      '`selector` does not match template `labels`',
    ),
  ]
}
