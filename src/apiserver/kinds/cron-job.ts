import { type FieldError, invalidField } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { scheduleProblem } from './cron-schedule.ts'
import { checkNotNegative, checkOneOf, checkText } from './field-checks.ts'
import { childOf, fill, fillEmpty } from './fill.ts'
import { setJobTemplateDefaults, validateJobSpec, validateTimeZone } from './job.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'

/** Cron jobs: nothing starts their jobs here. */
export const cronJob: BuiltinBehaviour = builtin({
  hasGeneration: true,
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    fillEmpty(spec, { concurrencyPolicy: 'Allow' })
    fill(spec, { suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 })
    const template = childOf(spec, 'jobTemplate')
    childOf(template, 'metadata')
    setJobTemplateDefaults(childOf(template, 'spec'))
    childOf(object, 'status')
  },
  newStatus: () => ({}),
  validate: (object, _old, context) =>
    context.subresource === 'status' ? [] : validateCronJob(object),
})

// What is added to the name of each job.
const longestName = 52

function validateCronJob(object: Fields): FieldError[] {
  const spec = fieldsAt(object, 'spec')
  const name = textAt(fieldsAt(object, 'metadata'), 'name') ?? ''
  return [
    ...checkText(spec.schedule, 'spec.schedule'),
    ...validateSchedule(textAt(spec, 'schedule')),
    ...checkNotNegative(spec, 'spec', ['startingDeadlineSeconds']),
    ...validateTimeZone(spec),
    ...checkOneOf(spec.concurrencyPolicy, 'spec.concurrencyPolicy', ['Allow', 'Forbid', 'Replace']),
    ...validateJobSpec(fieldsAt(fieldsAt(spec, 'jobTemplate'), 'spec'), 'spec.jobTemplate.spec'),
    ...checkNotNegative(spec, 'spec', ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']),
    ...(name.length > longestName
      ? [invalidField('metadata.name', name, `must be no more than ${longestName} characters`)]
      : []),
  ]
}

function validateSchedule(schedule: string | undefined): FieldError[] {
  if (!schedule) return []
  const problem = schedule.includes('TZ')
    ? 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
    : scheduleProblem(schedule)
  return problem ? [invalidField('spec.schedule', schedule, problem)] : []
}
