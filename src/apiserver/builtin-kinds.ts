import { decodeBuiltinInSteps } from './builtin/decode.ts'
import { type BuiltinResource, builtinResources } from './builtin/resources.ts'
import { definitionBehaviour } from './custom-kinds.ts'
import { behavioursIn, knowsOthers } from './kinds/behaviours.ts'
import { ClusterAddresses } from './kinds/cluster-addresses.ts'
import type { Surroundings } from './kinds/surroundings.ts'
import type { Fields } from './objects.ts'
import type { Decoded, Resource } from './resource.ts'
import { workloadScaler } from './scalers.ts'
import type { Steps } from './steps.ts'

// A deletion of these is answered with the object.
const RETURN_DELETED = new Set([
  '/namespaces',
  '/persistentvolumeclaims',
  '/persistentvolumes',
  '/pods',
  '/podtemplates',
  '/resourcequotas',
  '/serviceaccounts',
  '/services',
  'storage.k8s.io/csidrivers',
  'storage.k8s.io/csinodes',
  'storage.k8s.io/storageclasses',
  'storage.k8s.io/volumeattachments',
  'storage.k8s.io/volumeattributesclasses',
])

// These leave their dependents behind unless they are told otherwise, as they did before there was a choice.
const ORPHANING = new Set(['/replicationcontrollers', 'batch/jobs'])

const DEFINITIONS = 'apiextensions.k8s.io/customresourcedefinitions'

/** Every built-in kind: what it is, and how it behaves. All but those that have to know of others are shared. */
export function builtinKinds(surroundings: Surroundings): Resource[] {
  const behaviourOf = behavioursIn(surroundings)
  return describedKinds().map((one) =>
    knowsOthers(one.group, one.plural) ? completed(copyOf(one), behaviourOf) : one,
  )
}

let described: readonly Resource[] | undefined

/** The same kinds, for whoever only tells of them: one list for all APIs of the process, in which nothing can be written. */
export function describedKinds(): readonly Resource[] {
  described ??= builtinResources().map((known) => completed(known, behavioursIn(nothingAround())))
  return described
}

const nothingAround = (): Surroundings => ({
  addresses: new ClusterAddresses(),
  clusterObjects: () => [],
  namespacedObject: () => undefined,
})

/** Not with `...`, which would make its schema. */
const copyOf = (known: BuiltinResource): BuiltinResource =>
  Object.create(Object.prototype, Object.getOwnPropertyDescriptors(known))

function completed(known: BuiltinResource, behaviourOf: ReturnType<typeof behavioursIn>): Resource {
  const id = `${known.group}/${known.plural}`
  const resource: Resource = Object.assign(known, {
    behaviour: {
      ...behaviourOf(known.group, known.plural),
      ...(id === DEFINITIONS && definitionBehaviour),
      ...(RETURN_DELETED.has(id) && { returnsDeleted: true }),
      ...(ORPHANING.has(id) && { defaultPropagation: 'Orphan' as const }),
    },
    ...(known.subresources.some(({ name }) => name === 'scale') && { scaler: workloadScaler }),
    decode: (given: Fields): Steps<Decoded> => decodeBuiltinInSteps(given, resource),
  })
  return resource
}
