import { ApiFailure, conflict, notFound } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, timestampOf } from '#apiserver/objects.ts'
import { applyConfiguration } from '#apiserver/ownership/apply-configuration.ts'
import { keyOf } from '#apiserver/stored-object.ts'
import { type Ask, aboutResource, type Writes } from './ask.ts'
import { create } from './create.ts'
import { decoded } from './decode-body.ts'
import { doorOf, emptyOf } from './owned.ts'
import { demandNames } from './put.ts'
import { update } from './update.ts'
import type { Written } from './written.ts'

interface Applying {
  config: Fields
  /** Take over what others own. */
  force: boolean
}

/** Server-side apply: makes an object be as its writer wants it, as far as the writer has a say. */
export async function apply(writes: Writes, asked: Ask, applying: Applying): Promise<Written> {
  const ask: Ask = { ...asked, method: 'apply' }
  const { resource, namespace, name, subresource } = ask
  const { config } = applying
  const apply = (live?: Fields) =>
    applyConfiguration({
      door: doorOf(ask),
      kind: resource.kind,
      ...(live && { live }),
      empty: emptyOf(resource),
      config,
      writer: ask.owner,
      force: applying.force,
      now: timestampOf(writes.clock.now()),
    })
  if (!writes.store.get(keyOf(resource, namespace, name))) {
    if (subresource) throw notFound(aboutResource(ask, name))
    const { uid } = fieldsAt(config, 'metadata')
    if (uid) throw conflict(aboutResource(ask, name), noneOfUid(uid))
    ask.demandVerb?.('create')
    const made = await createUnlessThere(writes, ask, () => apply().object)
    if (made) return made
  }
  return update(writes, ask, (live) => {
    const { object, isUnchanged } = apply(live)
    demandNames(ask, config)
    return isUnchanged ? undefined : decoded(ask, { given: object })
  })
}

const noneOfUid = (uid: unknown): string =>
  `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`

/** Undefined if somebody else was faster. */
async function createUnlessThere(
  writes: Writes,
  ask: Ask,
  make: () => Fields,
): Promise<Written | undefined> {
  try {
    const object = decoded(ask, { given: make() })
    demandNames(ask, object)
    return await create(writes, ask, { object, isOwned: true })
  } catch (error) {
    if (error instanceof ApiFailure && error.reason === 'AlreadyExists') return undefined
    throw error
  }
}
