import { type FieldError, invalidField } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import { childOf, fillEmpty, takeOver } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { fieldSelector } from './selectable.ts'

/**
 * Namespaces. `spec.finalizers` holds them while they are emptied; only the subresource `finalize`
 * changes it.
 */
export const namespace: BuiltinBehaviour = builtin({
  nameRule: 'label',
  setDefaults(object) {
    labelWithName(object)
    childOf(object, 'spec')
    fillEmpty(childOf(object, 'status'), { phase: 'Active' })
  },
  newStatus: () => ({ phase: 'Active' }),
  prepareCreate(object) {
    // Its name may have been generated since.
    labelWithName(object)
    const spec = childOf(object, 'spec')
    const finalizers = listAt(spec, 'finalizers')
    if (!finalizers.includes('kubernetes')) spec.finalizers = [...finalizers, 'kubernetes']
  },
  prepareUpdate(object, old, context) {
    if (context.subresource === 'finalize') takeOver(object, old, 'status')
    else if (!context.subresource)
      takeOver(childOf(object, 'spec'), fieldsAt(old, 'spec'), 'finalizers')
  },
  validate: (object, _old, context) =>
    context.subresource === 'status' ? [] : validateFinalizers(fieldsAt(object, 'spec')),
  selectableFields: {
    'status.phase': fieldSelector('status', 'phase'),
    name: fieldSelector('metadata', 'name'),
  },
})

function labelWithName(object: Fields): void {
  const metadata = childOf(object, 'metadata')
  const name = textAt(metadata, 'name')
  if (name) childOf(metadata, 'labels')['kubernetes.io/metadata.name'] = name
}

const validateFinalizers = (spec: Fields): FieldError[] =>
  listAt(spec, 'finalizers')
    .map(String)
    .filter((one) => one !== 'kubernetes' && !one.includes('/'))
    .map((one) =>
      invalidField(
        'spec.finalizers',
        one,
        'name is neither a standard finalizer name nor is it fully qualified',
      ),
    )
