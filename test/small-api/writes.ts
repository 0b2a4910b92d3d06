import { randomBytes, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Failure } from '#test/misbehaving/failure.ts'
import { alreadyExists, conflict, invalid, notFound } from './failure.ts'
import { afterUpdate, type Claim } from './managed-fields.ts'
import {
  defined,
  type Fields,
  fieldsAt,
  isFields,
  type KubeObject,
  type ManagedFields,
  textAt,
  timestamp,
} from './objects.ts'
import { apiVersionOf, namespaces, type ServedResource, type Target } from './resources.ts'
import type { Store } from './store.ts'

/** One write: what it says, in whose name, and whether it is only tried. */
export interface Write {
  body: Fields
  claim: Claim
  dryRun: boolean
  /** Who owns what afterwards, where the writer knows; worked out otherwise. */
  managedFields?: ManagedFields[]
}

/** Creates an object and returns it as it is stored. */
export function create(store: Store, target: Target, write: Write): KubeObject {
  const { resource, namespace } = target
  const { metadata: given, status, ...rest } = checked(target, write.body)
  const metadata = isFields(given) ? given : {}
  if (metadata.resourceVersion) {
    throw new Failure(500, 'resourceVersion should not be set on objects to be created')
  }
  if (namespace && !store.get(namespaces, namespace)) throw notFound(namespaces, namespace)
  const name = newName(target, metadata)
  if (store.get(resource, name, namespace)) throw alreadyExists(resource, name)

  const { generateName } = metadata
  const object = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    ...rest,
    metadata: {
      ...defined({ ...writable(metadata), generateName }),
      name,
      ...(namespace && { namespace }),
      uid: randomUUID(),
      creationTimestamp: timestamp(),
      ...(!resource.isBuiltin && { generation: 1 }),
      managedFields: afterUpdate(undefined, write.body, write.claim),
    },
    ...(!resource.hasStatus && defined({ status })),
  }
  return write.dryRun ? object : store.put(resource, object)
}

/** Replaces what the target's path may write of an object, and returns it as it is stored. */
export function update(store: Store, target: Target, write: Write): KubeObject {
  const { resource } = target
  const live = existing(store, target)
  const body = checked(target, write.body)
  checkPreconditions(resource, live, fieldsAt(body, 'metadata'))

  const changed = withWritten(target, live, body)
  const { managedFields = afterUpdate(live, changed, write.claim) } = write
  const next = { ...changed, metadata: { ...changed.metadata, managedFields } }
  if (write.dryRun || isDeepStrictEqual(next, live)) return next
  if (live.metadata.deletionTimestamp && !next.metadata.finalizers?.length) {
    store.remove(resource, live)
    return next
  }
  return store.put(resource, next)
}

/** What a deletion may demand of the object. */
export interface Preconditions {
  uid?: string
  resourceVersion?: string
}

/** Deletes an object. Returns it if finalizers hold it back, or nothing if it is gone. */
export function remove(
  store: Store,
  target: Target,
  { uid, resourceVersion, dryRun }: Preconditions & { dryRun: boolean },
): KubeObject | undefined {
  const live = existing(store, target)
  const { resource } = target
  const { metadata } = live
  const refuse = (what: string, given: string, found = '') =>
    conflict(
      { ...resource, plural: resource.kind },
      metadata.name,
      `the ${what} in the precondition (${given}) does not match the ${what} in record (${found})`,
    )
  if (uid && uid !== metadata.uid) throw refuse('UID', uid, metadata.uid)
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    throw refuse('ResourceVersion', resourceVersion, metadata.resourceVersion)
  }
  if (!metadata.finalizers?.length) {
    if (!dryRun) store.remove(resource, live)
    return undefined
  }
  if (metadata.deletionTimestamp) return live
  const { generation } = metadata
  const marked = {
    ...live,
    metadata: {
      ...metadata,
      ...(generation && { generation: generation + 1 }),
      deletionTimestamp: timestamp(),
      deletionGracePeriodSeconds: 0,
    },
  }
  return dryRun ? marked : store.put(resource, marked)
}

export function existing(store: Store, { resource, namespace, name = '' }: Target): KubeObject {
  const object = store.get(resource, name, namespace)
  if (!object) throw notFound(resource, name)
  return object
}

/** The body, if it is of the kind, the namespace and the name that the path tells. */
function checked({ resource, namespace, name }: Target, body: Fields): Fields {
  const { kind = '', apiVersion = '' } = body
  const isLeftOut = resource.isBuiltin && kind === '' && apiVersion === ''
  if (!isLeftOut && (kind !== resource.kind || apiVersion !== apiVersionOf(resource))) {
    throw new Failure(
      400,
      `${kind} in version "${apiVersion}" cannot be handled as a ${resource.kind} in version ` +
        `"${apiVersionOf(resource)}"`,
    )
  }
  const metadata = fieldsAt(body, 'metadata')
  if ((textAt(metadata, 'namespace') ?? namespace) !== namespace) {
    throw new Failure(
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    )
  }
  const given = textAt(metadata, 'name') ?? name
  if (name !== undefined && given !== name) {
    throw new Failure(
      400,
      `the name of the object (${given}) does not match the name on the URL (${name})`,
    )
  }
  return body
}

function newName({ resource, name: ofPath }: Target, metadata: Fields): string {
  const field = 'metadata.name'
  const prefix = textAt(metadata, 'generateName')
  const name =
    textAt(metadata, 'name') ?? ofPath ?? (prefix && `${prefix}${randomBytes(3).toString('hex')}`)
  if (name === undefined) {
    throw invalid(resource, field, 'Required value: name or generateName is required')
  }
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) || name.length > 253) {
    const message = `Invalid value: "${name}": a lowercase RFC 1123 subdomain is required`
    throw invalid({ ...resource, name }, field, message)
  }
  return name
}

function checkPreconditions(resource: ServedResource, live: KubeObject, metadata: Fields): void {
  const { name, uid, resourceVersion, deletionTimestamp, finalizers = [] } = live.metadata
  const wanted = textAt(metadata, 'resourceVersion')
  if (wanted && wanted !== resourceVersion) throw conflict(resource, name)
  const wantedUid = textAt(metadata, 'uid')
  if (wantedUid && wantedUid !== uid) {
    const why = `Precondition failed: UID in precondition: ${wantedUid}, UID in object meta: ${uid}`
    throw conflict(resource, name, why)
  }
  const added = namesIn(metadata.finalizers).filter((one) => !finalizers.includes(one))
  if (deletionTimestamp && added.length > 0) {
    const found = added.map((one) => JSON.stringify(one)).join(', ')
    const message =
      'Forbidden: no new finalizers can be added if the object is being deleted, ' +
      `found new finalizers []string{${found}}`
    throw invalid({ ...resource, name }, 'metadata.finalizers', message)
  }
}

const namesIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []

/** The live object with the part of the body that its path may write. */
function withWritten(target: Target, live: KubeObject, body: Fields): KubeObject {
  if (target.subresource === 'status') return withStatus(live, body.status)

  const { apiVersion, kind } = live
  const { labels, annotations, finalizers, ownerReferences, ...system } = live.metadata
  const metadata = { ...system, ...writable(fieldsAt(body, 'metadata')) }
  const next = withStatus(
    { ...body, apiVersion, kind, metadata },
    target.resource.hasStatus ? live.status : body.status,
  )
  const { generation } = system
  if (generation === undefined || isDeepStrictEqual({ ...next, metadata }, { ...live, metadata })) {
    return next
  }
  return { ...next, metadata: { ...metadata, generation: generation + 1 } }
}

const withStatus = ({ status: _, ...rest }: KubeObject, status: unknown): KubeObject => ({
  ...rest,
  ...defined({ status }),
})

/** The metadata that clients decide about. As in Kubernetes, what is empty is left out. */
const writable = ({ labels, annotations, finalizers, ownerReferences }: Fields): Fields =>
  Object.fromEntries(
    Object.entries({ labels, annotations, finalizers, ownerReferences }).filter(
      ([, value]) => Object.keys(value ?? {}).length > 0,
    ),
  )
