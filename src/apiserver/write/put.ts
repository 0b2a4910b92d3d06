import { badRequest, conflict } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { keyOf } from '#apiserver/stored-object.ts'
import { type Ask, aboutResource, type Writes } from './ask.ts'
import { create } from './create.ts'
import { ownedInSteps } from './owned.ts'
import { otherUid, updateInSteps } from './update.ts'
import type { Written } from './written.ts'

/** Replaces an object by one that has been decoded; creates it where the kind allows that. */
export function put(writes: Writes, ask: Ask, next: Fields): Promise<Written> {
  demandNames(ask, next)
  const { resource, namespace, name } = ask
  const isThere = writes.store.get(keyOf(resource, namespace, name)) !== undefined
  if (!isThere && resource.behaviour.allowsCreateOnUpdate) {
    const { uid } = fieldsAt(next, 'metadata')
    if (uid) throw conflict(aboutResource(ask, name), otherUid(ask, uid, ''))
    ask.demandVerb?.('create')
    return create(writes, { ...ask, method: 'put' }, { object: next })
  }
  return updateInSteps(writes, { ...ask, method: 'put' }, (live) =>
    ownedInSteps(writes, ask, { live, next }),
  )
}

/** Fails unless an object is the one that the URL names. */
export function demandNames({ resource, namespace, name }: Ask, object: Fields): void {
  const metadata = fieldsAt(object, 'metadata')
  const stated = textAt(metadata, 'name')
  if (stated === undefined) {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    )
  }
  if (stated !== name) {
    throw badRequest(
      `the name of the object (${stated}) does not match the name on the URL (${name})`,
    )
  }
  const within = textAt(metadata, 'namespace')
  if (resource.namespaced && within !== undefined && within !== namespace) {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
  }
}
