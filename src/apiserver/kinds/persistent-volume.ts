import { type FieldError, forbiddenField, required } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, listAt } from '#apiserver/objects.ts'
import { checkImmutable, checkOneOf, checkText } from './field-checks.ts'
import { childOf, fill, fillEmpty, isSame, partOf } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { accessModes, addFinalizer } from './storage-claim.ts'
import { setSourceDefaults } from './volume.ts'

/** Volumes: nothing makes them or binds them here. */
export const persistentVolume: BuiltinBehaviour = builtin({
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    fillEmpty(spec, { persistentVolumeReclaimPolicy: 'Retain' })
    fill(spec, { volumeMode: 'Filesystem' })
    setSourceDefaults(spec)
    fillEmpty(childOf(object, 'status'), { phase: 'Pending' })
  },
  newStatus: (_object, { now }) => ({ phase: 'Pending', lastPhaseTransitionTime: now }),
  prepareCreate(object) {
    addFinalizer(object, 'kubernetes.io/pv-protection')
  },
  prepareUpdate(object, old, context) {
    if (context.subresource !== 'status') return
    const [status, before] = [childOf(object, 'status'), fieldsAt(old, 'status')]
    const time = status.lastPhaseTransitionTime
    if (status.phase === before.phase)
      fill(status, { lastPhaseTransitionTime: before.lastPhaseTransitionTime })
    else if (time == null || time === before.lastPhaseTransitionTime)
      status.lastPhaseTransitionTime = context.now
  },
  validate: (object, old, context) =>
    context.subresource
      ? []
      : [...validateVolume(fieldsAt(object, 'spec')), ...(old ? refuse(object, old) : [])],
})

/** Fields of the spec that are not about where the bytes are. */
const general = [
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
]

const sourcesOf = (spec: Fields): string[] =>
  Object.keys(spec)
    .filter((key) => !general.includes(key) && spec[key] != null)
    .toSorted((one, other) => order(one) - order(other))

const order = (key: string): number => (key === 'hostPath' ? 0 : 1)

function validateVolume(spec: Fields): FieldError[] {
  const modes = listAt(spec, 'accessModes')
  const errors = modes.length > 0 ? [] : [required('spec.accessModes', '')]
  for (const mode of modes) errors.push(...checkOneOf(mode, 'spec.accessModes', accessModes))
  const capacity = partOf(spec, 'capacity')
  if (!capacity || Object.keys(capacity).length === 0) errors.push(required('spec.capacity', ''))
  if (!capacity || !('storage' in capacity) || Object.keys(capacity).length > 1)
    errors.push(unsupportedCapacity(capacity))
  errors.push(
    ...checkOneOf(spec.persistentVolumeReclaimPolicy, 'spec.persistentVolumeReclaimPolicy', [
      'Delete',
      'Recycle',
      'Retain',
    ]),
  )
  const [first, ...others] = sourcesOf(spec)
  if (!first) errors.push(required('spec', 'must specify a volume type'))
  if (first === 'hostPath')
    errors.push(...checkText(fieldsAt(spec, 'hostPath').path, 'spec.hostPath.path'))
  for (const key of others)
    errors.push(forbiddenField(`spec.${key}`, 'may not specify more than 1 volume type'))
  return [...errors, ...checkOneOf(spec.volumeMode, 'spec.volumeMode', ['Block', 'Filesystem'])]
}

const unsupportedCapacity = (capacity: Fields | undefined): FieldError => ({
  reason: 'FieldValueNotSupported',
  field: 'spec.capacity',
  message: `Unsupported value: ${JSON.stringify(capacity ?? null)}: supported values: "storage"`,
})

function refuse(object: Fields, old: Fields): FieldError[] {
  const [spec, oldSpec] = [fieldsAt(object, 'spec'), fieldsAt(old, 'spec')]
  const keys = new Set([...sourcesOf(spec), ...sourcesOf(oldSpec)])
  const moved = [...keys].some((key) => !isSame(spec[key], oldSpec[key]))
  return [
    ...(moved
      ? [
          forbiddenField(
            'spec.persistentvolumesource',
            'spec.persistentvolumesource is immutable after creation',
          ),
        ]
      : []),
    ...checkImmutable(spec.volumeMode, isSame(spec.volumeMode, oldSpec.volumeMode), 'volumeMode'),
  ]
}
