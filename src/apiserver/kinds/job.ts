import { type FieldError, forbiddenField, invalidField, required } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { checkImmutable, checkNotNegative, checkOneOf } from './field-checks.ts'
import { childOf, fill, fillEmpty, isSame, itemsOf, partOf } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { setTemplateDefaults } from './pod-spec.ts'
import { validateTemplate } from './pod-spec-rules.ts'
import { countSelector } from './selectable.ts'
import { validateMatch } from './workload-rules.ts'

const uidLabel = 'batch.kubernetes.io/controller-uid'

/** Jobs: nothing runs them here; whoever does says in the status how it went. */
export const job: BuiltinBehaviour = builtin({
  hasGeneration: true,
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    if (spec.completions == null && spec.parallelism == null) spec.completions = 1
    fill(spec, {
      parallelism: 1,
      backoffLimit: spec.backoffLimitPerIndex == null ? 6 : 2 ** 31 - 1,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: spec.podFailurePolicy == null ? 'TerminatingOrFailed' : 'Failed',
      manualSelector: false,
    })
    setJobTemplateDefaults(spec)
    shareLabelsOfPods(object)
    childOf(object, 'status')
  },
  newStatus: () => ({}),
  prepareCreate(object) {
    claimPods(object)
    shareLabelsOfPods(object)
  },
  validate(object, old, context) {
    if (context.subresource === 'status') return []
    const spec = fieldsAt(object, 'spec')
    return [
      ...validateJobSpec(spec, 'spec'),
      ...validateSelector(object),
      ...(old ? refuse(spec, fieldsAt(old, 'spec')) : []),
    ]
  },
  selectableFields: { 'status.successful': countSelector('status', 'succeeded') },
})

/** Fills in what the template of a job leaves out, and what its rules about failure do. */
export function setJobTemplateDefaults(spec: Fields): void {
  setTemplateDefaults(childOf(spec, 'template'))
  for (const rule of itemsOf(fieldsAt(spec, 'podFailurePolicy'), 'rules'))
    for (const condition of itemsOf(rule, 'onPodConditions'))
      fillEmpty(condition, { status: 'True' })
}

/** Labels the pods of a job with what no other job has, and selects them by it. */
function claimPods(object: Fields): void {
  const spec = childOf(object, 'spec')
  if (spec.manualSelector === true) return
  const { name, uid } = fieldsAt(object, 'metadata')
  const added = {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    [uidLabel]: uid,
  }
  fill(childOf(childOf(childOf(spec, 'template'), 'metadata'), 'labels'), added)
  fill(childOf(childOf(spec, 'selector'), 'matchLabels'), { [uidLabel]: uid })
}

/**
 * A job that says nothing of labels has those of its pods. It has the very same ones, not a copy: what
 * its pods are labelled with later on, when it is created, it is labelled with too.
 */
function shareLabelsOfPods(object: Fields): void {
  const metadata = childOf(object, 'metadata')
  const labels = fieldsAt(
    fieldsAt(fieldsAt(fieldsAt(object, 'spec'), 'template'), 'metadata'),
    'labels',
  )
  const saysNothing = Object.keys(fieldsAt(metadata, 'labels')).length === 0
  if (saysNothing && Object.keys(labels).length > 0) metadata.labels = labels
}

/** What is wrong with what a job is to do; a cron job's jobs are told of likewise. */
export function validateJobSpec(spec: Fields, field: string): FieldError[] {
  const template = fieldsAt(spec, 'template')
  const policy = fieldsAt(template, 'spec').restartPolicy
  const errors = [
    ...checkNotNegative(spec, field, [
      'parallelism',
      'completions',
      'activeDeadlineSeconds',
      'backoffLimit',
      'ttlSecondsAfterFinished',
      'backoffLimitPerIndex',
      'maxFailedIndexes',
    ]),
    ...checkOneOf(spec.completionMode, `${field}.completionMode`, ['NonIndexed', 'Indexed']),
    ...checkOneOf(spec.podReplacementPolicy, `${field}.podReplacementPolicy`, [
      'Failed',
      'TerminatingOrFailed',
    ]),
  ]
  if (spec.completionMode === 'Indexed' && spec.completions == null)
    errors.push(required(`${field}.completions`, 'when completion mode is Indexed'))
  errors.push(...validateTemplate(template, `${field}.template`))
  if (policy !== 'OnFailure' && policy !== 'Never')
    errors.push(
      required(`${field}.template.spec.restartPolicy`, 'valid values: "OnFailure", "Never"'),
    )
  return errors
}

function validateSelector(object: Fields): FieldError[] {
  const spec = fieldsAt(object, 'spec')
  const selector = partOf(spec, 'selector')
  const errors: FieldError[] = []
  if (!selector) errors.push(required('spec.selector', ''))
  else if (spec.manualSelector !== true) {
    const own = { [uidLabel]: fieldsAt(object, 'metadata').uid }
    const legacy = { 'controller-uid': fieldsAt(object, 'metadata').uid }
    const isGenerated = [own, legacy].some((labels) => isSame(selector, { matchLabels: labels }))
    if (!isGenerated)
      errors.push(invalidField('spec.selector', selector, '`selector` not auto-generated'))
  }
  return [...errors, ...validateMatch(spec)]
}

function refuse(spec: Fields, old: Fields): FieldError[] {
  const errors: FieldError[] = []
  const isIndexed = spec.completionMode === 'Indexed'
  if (!isSame(spec.completions, old.completions) && !isIndexed)
    errors.push(invalidField('spec.completions', spec.completions ?? null, 'field is immutable'))
  // A suspended job that never started may still be told where its pods go; Kubernetes looks at each field.
  for (const key of ['selector', 'template', 'completionMode', 'podFailurePolicy', 'managedBy'])
    errors.push(...checkImmutable(spec[key], isSame(spec[key], old[key]), `spec.${key}`))
  return errors
}

const isName = /^[-_a-zA-Z0-9]+(\/[-_+a-zA-Z0-9]+)*$/

/** What is wrong with a time zone. */
export function validateTimeZone(spec: Fields): FieldError[] {
  if (spec.timeZone == null) return []
  const zone = textAt(spec, 'timeZone')
  const field = 'spec.timeZone'
  if (!zone) return [invalidField(field, '', 'timeZone must be nil or non-empty string')]
  if (zone.toLowerCase() === 'local')
    return [
      invalidField(
        field,
        zone,
        'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ),
    ]
  if (!isName.test(zone)) return [forbiddenField(field, `unknown time zone ${zone}`)]
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return []
  } catch {
    return [invalidField(field, zone, `unknown time zone ${zone}`)]
  }
}
