import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { qualifiedName } from '#apiserver/metadata/label-rules.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { checkImmutable } from './field-checks.ts'
import { childOf, fill, isSame } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { fieldSelector, type Selectable, topSelector } from './selectable.ts'

const aboutFields = [
  'kind',
  'namespace',
  'name',
  'uid',
  'apiVersion',
  'resourceVersion',
  'fieldPath',
]

const aboutSelectors = (prefix: string): Record<string, Selectable> =>
  Object.fromEntries(
    aboutFields.map((key) => [`${prefix}.${key}`, fieldSelector('involvedObject', key)]),
  )

function setDefaults(object: Fields): void {
  childOf(object, 'involvedObject')
  childOf(object, 'source')
  fill(object, { reportingComponent: '', reportingInstance: '' })
  for (const key of ['firstTimestamp', 'lastTimestamp', 'eventTime']) object[key] ??= null
}

/** Events of the old sort, which is how all of them are kept. */
export const coreEvent: BuiltinBehaviour = builtin({
  allowsCreateOnUpdate: true,
  nameRule: 'pathSegment',
  setDefaults,
  validate: (object) => validateEvent(object, 'reportingComponent'),
  selectableFields: {
    ...aboutSelectors('involvedObject'),
    reason: topSelector('reason'),
    reportingComponent: (object) => textAt(object, 'reportingComponent') ?? sourceOf(object),
    source: (object) => sourceOf(object) || (textAt(object, 'reportingComponent') ?? ''),
    type: topSelector('type'),
  },
})

const sourceOf = (object: Fields): string => textAt(fieldsAt(object, 'source'), 'component') ?? ''

/** Events of `events.k8s.io`, as they are kept: more is asked of them, and they cannot be rewritten. */
export const newEvent: BuiltinBehaviour = builtin({
  allowsCreateOnUpdate: true,
  nameRule: 'subdomain',
  setDefaults,
  validate: (object, old) => [
    ...validateEvent(object, 'reportingController'),
    ...(old ? refuse(object, old) : validateNew(object)),
  ],
  selectableFields: {
    ...aboutSelectors('regarding'),
    reason: topSelector('reason'),
    reportingController: topSelector('reportingComponent'),
    type: topSelector('type'),
  },
})

function validateEvent(object: Fields, reporterField: string): FieldError[] {
  const namespace = textAt(fieldsAt(object, 'metadata'), 'namespace') ?? ''
  const about = textAt(fieldsAt(object, 'involvedObject'), 'namespace') ?? ''
  if (object.eventTime != null)
    return [
      ...(about || namespace === 'default' || namespace === 'kube-system'
        ? []
        : [elsewhere(about)]),
      ...validateReport(object, reporterField),
    ]
  return (about || namespace) === namespace && (about || namespace === 'default')
    ? []
    : [elsewhere(about)]
}

const elsewhere = (about: string): FieldError =>
  invalidField('involvedObject.namespace', about, 'does not match event.namespace')

const longest = [
  ['reportingInstance', 128],
  ['action', 128],
  ['reason', 128],
] as const

function validateReport(object: Fields, reporterField: string): FieldError[] {
  const reporter = textAt(object, 'reportingComponent') ?? ''
  const errors = reporter ? [] : [required(reporterField, '')]
  for (const problem of qualifiedName(reporter))
    errors.push(invalidField(reporterField, reporter, problem))
  for (const [key, most] of longest) {
    const text = textAt(object, key) ?? ''
    if (!text) errors.push(required(key, ''))
    if (text.length > most)
      errors.push(invalidField(key, '', `can have at most ${most} characters`))
  }
  if ((textAt(object, 'message') ?? '').length > 1024)
    errors.push(invalidField('message', '', 'can have at most 1024 characters'))
  return errors
}

function validateNew(object: Fields): FieldError[] {
  const errors: FieldError[] = []
  const type = textAt(object, 'type') ?? ''
  if (object.eventTime == null) errors.push(required('eventTime', ''))
  if (type !== 'Normal' && type !== 'Warning')
    errors.push(invalidField('type', '', `has invalid value: ${type}`))
  for (const key of ['firstTimestamp', 'lastTimestamp', 'count'])
    if (object[key]) errors.push(invalidField(key, '', 'needs to be unset'))
  if (Object.keys(fieldsAt(object, 'source')).length > 0)
    errors.push(invalidField('source', '', 'needs to be unset'))
  return errors
}

const fixed = {
  involvedObject: 'involvedObject',
  reason: 'reason',
  message: 'message',
  source: 'source',
  firstTimestamp: 'firstTimestamp',
  lastTimestamp: 'lastTimestamp',
  count: 'count',
  type: 'type',
  eventTime: 'eventTime',
  action: 'action',
  related: 'related',
  reportingComponent: 'reportingController',
  reportingInstance: 'reportingInstance',
}

const refuse = (object: Fields, old: Fields): FieldError[] =>
  Object.entries(fixed).flatMap(([key, field]) =>
    checkImmutable(object[key], isSame(object[key], old[key]), field),
  )
