import { decodeBuiltin } from './builtin/decode.ts'
import { builtinResources } from './builtin/resources.ts'
import { definitionBehaviour } from './custom-kinds.ts'
import { behavioursIn } from './kinds/behaviours.ts'
import type { Surroundings } from './kinds/surroundings.ts'
import type { Fields } from './objects.ts'
import type { Decoded, Resource } from './resource.ts'
import { workloadScaler } from './scalers.ts'

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

/** Every built-in kind: what it is, and how it behaves. */
export function builtinKinds(surroundings: Surroundings): Resource[] {
  const behaviourOf = behavioursIn(surroundings)
  return builtinResources().map((known) => {
    const id = `${known.group}/${known.plural}`
    // Not copied: its schema is made when it is first asked for.
    const resource: Resource = Object.assign(known, {
      behaviour: {
        ...behaviourOf(known.group, known.plural),
        ...(id === DEFINITIONS && definitionBehaviour),
        ...(RETURN_DELETED.has(id) && { returnsDeleted: true }),
        ...(ORPHANING.has(id) && { defaultPropagation: 'Orphan' as const }),
      },
      ...(known.subresources.some(({ name }) => name === 'scale') && { scaler: workloadScaler }),
      decode: (given: Fields): Decoded => decodeBuiltin(given, resource),
    })
    return resource
  })
}
