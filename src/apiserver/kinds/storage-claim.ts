import { type FieldError, forbiddenField, invalidField, required } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import { naturalOrder } from '#base/natural-order.ts'
import { setClaimSpecDefaults } from './claim-spec.ts'
import { checkImmutable, checkOneOf } from './field-checks.ts'
import { childOf, fillEmpty, isSame, partOf } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { amountOf } from './quantity.ts'
import type { Surroundings } from './surroundings.ts'

/** How volumes can be mounted. */
export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

/** Claims for storage: nothing binds them here. */
export const persistentVolumeClaim = ({ clusterObjects }: Surroundings): BuiltinBehaviour =>
  builtin({
    setDefaults(object) {
      setClaimSpecDefaults(childOf(object, 'spec'))
      fillEmpty(childOf(object, 'status'), { phase: 'Pending' })
    },
    newStatus: () => ({ phase: 'Pending' }),
    prepareCreate(object) {
      const spec = childOf(object, 'spec')
      addFinalizer(object, 'kubernetes.io/pvc-protection')
      if (spec.storageClassName == null) {
        const name = defaultClassIn(clusterObjects('storage.k8s.io', 'storageclasses'))
        if (name) spec.storageClassName = name
      }
      alignSources(spec)
    },
    prepareUpdate(object, _old, context) {
      if (!context.subresource) alignSources(childOf(object, 'spec'))
    },
    validate: (object, old, context) =>
      context.subresource
        ? []
        : [...validateClaim(fieldsAt(object, 'spec')), ...(old ? refuse(object, old) : [])],
  })

/** Keeps an object until whoever watches over its kind lets it go. */
export function addFinalizer(object: Fields, finalizer: string): void {
  const metadata = childOf(object, 'metadata')
  const finalizers = listAt(metadata, 'finalizers')
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer]
}

const defaultAnnotation = 'storageclass.kubernetes.io/is-default-class'

function defaultClassIn(classes: Iterable<Fields>): string | undefined {
  const marked = [...classes]
    .map((one) => fieldsAt(one, 'metadata'))
    .filter((metadata) => fieldsAt(metadata, 'annotations')[defaultAnnotation] === 'true')
  // The newest counts where there are several.
  const [newest] = marked.toSorted((one, other) =>
    naturalOrder(String(other.creationTimestamp), String(one.creationTimestamp)),
  )
  return newest && textAt(newest, 'name')
}

/** The two fields that say where the content comes from are kept alike. */
function alignSources(spec: Fields): void {
  const [source, reference] = [partOf(spec, 'dataSource'), partOf(spec, 'dataSourceRef')]
  const withGroup = (from: Fields): Fields => ({ apiGroup: null, ...from })
  if (source) spec.dataSource = withGroup(source)
  if (reference) spec.dataSourceRef = withGroup(reference)
  if (source && !reference) spec.dataSourceRef = withGroup(source)
  else if (reference && !source && !reference.namespace) spec.dataSource = withGroup(reference)
}

function validateClaim(spec: Fields): FieldError[] {
  const errors: FieldError[] = []
  const modes = listAt(spec, 'accessModes')
  if (modes.length === 0)
    errors.push(required('spec.accessModes', 'at least 1 access mode is required'))
  for (const mode of modes) errors.push(...checkOneOf(mode, 'spec.accessModes', accessModes))
  const size = fieldsAt(fieldsAt(spec, 'resources'), 'requests').storage
  if (size === undefined) errors.push(required('spec.resources[storage]', ''))
  else if (amountOf(size) <= 0)
    errors.push(invalidField('spec.resources[storage]', size, 'must be greater than zero'))
  return [...errors, ...checkOneOf(spec.volumeMode, 'spec.volumeMode', ['Block', 'Filesystem'])]
}

function refuse(object: Fields, old: Fields): FieldError[] {
  const [spec, oldSpec] = [{ ...fieldsAt(object, 'spec') }, { ...fieldsAt(old, 'spec') }]
  const isBound = textAt(fieldsAt(object, 'status'), 'phase') === 'Bound'
  const [size, oldSize] = [spec, oldSpec].map(
    (one) => fieldsAt(fieldsAt(one, 'resources'), 'requests').storage,
  )
  for (const one of [spec, oldSpec]) {
    if (!textAt(fieldsAt(old, 'spec'), 'volumeName')) delete one.volumeName
    if (!oldSpec.storageClassName) delete one.storageClassName
    if (isBound) {
      delete one.volumeAttributesClassName
      one.resources = undefined
    }
  }
  const errors: FieldError[] = []
  if (!isSame(spec, oldSpec))
    errors.push(
      forbiddenField(
        'spec',
        'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
      ),
    )
  if (amountOf(size) < amountOf(oldSize))
    errors.push(
      forbiddenField(
        'spec.resources.requests.storage',
        'field can not be less than status.capacity',
      ),
    )
  return [
    ...errors,
    ...checkImmutable(spec.volumeMode, isSame(spec.volumeMode, oldSpec.volumeMode), 'volumeMode'),
  ]
}
