import type { Fields } from '#apiserver/objects.ts'
import type { Chance } from './chance.ts'
import { few, oneOf, some, texts } from './parts.ts'

const partOf = some({
  labels: texts,
  annotations: texts,
})

const rarePartOf = some({ finalizers: few(oneOf('histories.io/a', 'histories.io/b')) })

/** Some of the metadata that a writer may set. Owners are there, or they would be looked for. */
export function metadataOf(chance: Chance): Fields {
  return {
    ...partOf(chance),
    ...(chance.is(0.4) && rarePartOf(chance)),
    ...(chance.is(0.2) && { ownerReferences: ownersOf(chance) }),
  }
}

const ownersOf = (chance: Chance): unknown[] =>
  [
    { apiVersion: 'v1', kind: 'Namespace', name: '$id', uid: '$namespace' },
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '$owner' },
  ]
    .filter(() => chance.is(0.5))
    .map((owner) => ({
      ...owner,
      ...some({ controller: oneOf(false), blockOwnerDeletion: oneOf(true) })(chance),
    }))
