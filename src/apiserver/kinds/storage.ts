import { type Fields, fieldsAt, listAt } from '#apiserver/objects.ts'
import { checkImmutable, checkOneOf, checkText } from './field-checks.ts'
import { childOf, fill, isSame } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { addFinalizer } from './storage-claim.ts'

const storageClass = builtin({
  setDefaults(object) {
    fill(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })
  },
  validate: (object, old) => [
    ...checkText(object.provisioner, 'provisioner'),
    ...checkOneOf(object.reclaimPolicy, 'reclaimPolicy', ['Delete', 'Retain']),
    ...checkOneOf(object.volumeBindingMode, 'volumeBindingMode', [
      'Immediate',
      'WaitForFirstConsumer',
    ]),
    ...(old
      ? fixed(object, old, ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'])
      : []),
  ],
})

const fixed = (object: Fields, old: Fields, keys: readonly string[]) =>
  keys.flatMap((key) => checkImmutable(object[key], isSame(object[key], old[key]), key))

const csiDriver = builtin({
  allowsUnconditionalUpdate: false,
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    fill(spec, {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      requiresRepublish: false,
      seLinuxMount: false,
    })
    if (listAt(spec, 'volumeLifecycleModes').length === 0)
      spec.volumeLifecycleModes = ['Persistent']
  },
  validate(object, old) {
    const [spec, oldSpec] = [fieldsAt(object, 'spec'), fieldsAt(old ?? object, 'spec')]
    // Kubernetes spells the first of them so.
    return [
      ...checkImmutable(
        spec.attachRequired,
        spec.attachRequired === oldSpec.attachRequired,
        'spec.attachedRequired',
      ),
      ...checkImmutable(
        spec.volumeLifecycleModes,
        isSame(spec.volumeLifecycleModes, oldSpec.volumeLifecycleModes),
        'spec.volumeLifecycleModes',
      ),
    ]
  },
})

const csiNode = builtin({
  allowsUnconditionalUpdate: false,
  setDefaults(object) {
    const spec = childOf(object, 'spec')
    if (listAt(spec, 'drivers').length === 0) spec.drivers = null
  },
})

const volumeAttachment = builtin({
  allowsUnconditionalUpdate: false,
  statusKeepsMetadata: true,
  setDefaults(object) {
    fill(childOf(object, 'status'), { attached: false })
  },
  newStatus: () => ({ attached: false }),
  validate(object, old, context) {
    if (context.subresource) return []
    const spec = fieldsAt(object, 'spec')
    return [
      ...checkText(spec.attacher, 'spec.attacher'),
      ...checkText(spec.nodeName, 'spec.nodeName'),
      ...(old ? checkImmutable(spec, isSame(spec, old.spec), 'spec') : []),
    ]
  },
})

const volumeAttributesClass = builtin({
  prepareCreate(object) {
    addFinalizer(object, 'kubernetes.io/vac-protection')
  },
  validate: (object, old) => [
    ...checkText(object.driverName, 'driverName'),
    ...(old ? fixed(object, old, ['driverName', 'parameters']) : []),
  ],
})

/** The kinds of `storage.k8s.io`: nothing provisions or attaches here. */
export const storage: Readonly<Record<string, BuiltinBehaviour>> = {
  storageclasses: storageClass,
  csidrivers: csiDriver,
  csinodes: csiNode,
  csistoragecapacities: builtin({ allowsUnconditionalUpdate: false }),
  volumeattachments: volumeAttachment,
  volumeattributesclasses: volumeAttributesClass,
}
