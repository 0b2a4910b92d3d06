import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { selects } from '#apiserver/metadata/label-selector.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { checkImmutable, checkNotNegative } from './field-checks.ts'
import { childOf, fill, isSame, partOf } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { setTemplateDefaults } from './pod-spec.ts'
import { validateTemplate } from './pod-spec-rules.ts'
import { countSelector } from './selectable.ts'
import { validateSelector, validateWorkloadTemplate } from './workload-rules.ts'

/** Replica sets: nothing makes their pods here. */
export const replicaSet: BuiltinBehaviour = builtin({
  hasGeneration: true,
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    fill(spec, { replicas: 1 })
    setTemplateDefaults(childOf(spec, 'template'))
    fill(childOf(object, 'status'), { replicas: 0 })
  },
  newStatus: () => ({ replicas: 0 }),
  validate(object, old, context) {
    if (context.subresource === 'status') return []
    const spec = fieldsAt(object, 'spec')
    const oldSpec = old && fieldsAt(old, 'spec')
    return [
      ...checkNotNegative(spec, 'spec', ['replicas', 'minReadySeconds']),
      ...validateSelector(spec, 'deployment'),
      ...validateWorkloadTemplate(spec),
      ...checkImmutable(
        spec.selector,
        !oldSpec || isSame(spec.selector, oldSpec.selector),
        'spec.selector',
      ),
    ]
  },
})

/** Replication controllers, which replica sets followed: their selector is a plain set of labels. */
export const replicationController: BuiltinBehaviour = builtin({
  hasGeneration: true,
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    fill(spec, { replicas: 1 })
    const template = partOf(spec, 'template')
    if (template) {
      setTemplateDefaults(template)
      const labels = partOf(fieldsAt(template, 'metadata'), 'labels')
      if (labels) {
        fill(spec, { selector: { ...labels } })
        fill(childOf(object, 'metadata'), { labels: { ...labels } })
      }
    }
    fill(childOf(object, 'status'), { replicas: 0 })
  },
  newStatus: () => ({ replicas: 0 }),
  validate: (object, _old, context) =>
    context.subresource === 'status' ? [] : validateController(fieldsAt(object, 'spec')),
  selectableFields: { 'status.replicas': countSelector('status', 'replicas') },
})

function validateController(spec: Fields): FieldError[] {
  const template = partOf(spec, 'template')
  const selector = partOf(spec, 'selector')
  const errors = checkNotNegative(spec, 'spec', ['minReadySeconds'])
  if (!selector) errors.push(required('spec.selector', ''))
  errors.push(...checkNotNegative(spec, 'spec', ['replicas']))
  if (!template) return [...errors, required('spec.template', '')]
  const labels = fieldsAt(fieldsAt(template, 'metadata'), 'labels')
  if (selector && !selects({ matchLabels: selector }, labels))
    errors.push(
      invalidField(
        'spec.template.metadata.labels',
        labels,
        '`selector` does not match template `labels`',
      ),
    )
  return [...errors, ...validateTemplate(template, 'spec.template')]
}
