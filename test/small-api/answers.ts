import { isDeepStrictEqual } from 'node:util'
import { parseYaml } from '#base/yaml.ts'
import { Failure } from '#test/misbehaving/failure.ts'
import { invalid } from './failure.ts'
import { list, listOf, selectionOf } from './lists.ts'
import { applied, type Claim } from './managed-fields.ts'
import { type Fields, fieldsAt, isFields, type KubeObject, textAt } from './objects.ts'
import { jsonPatch, mergePatch } from './patches.ts'
import type { Target } from './resources.ts'
import type { Store } from './store.ts'
import { create, existing, remove, update, type Write } from './writes.ts'

/** A request about objects. */
export interface Call {
  method: string
  target: Target
  query: URLSearchParams
  contentType: string
  userAgent: string
  body: string
}

export interface Answer {
  code: number
  body: Fields | string
}

/** Does what the request asks for. Fails with what is wrong with it. */
export function answerTo(call: Call, store: Store): Answer {
  const { method, target } = call
  const verb = `${method} ${target.name === undefined ? 'all' : 'one'}`
  switch (verb) {
    case 'GET one':
      return { code: 200, body: shown(target, existing(store, target)) }
    case 'GET all':
      return { code: 200, body: list(store, target, call.query) }
    case 'POST all':
      return { code: 201, body: create(store, target, writeOf(call, objectIn(call))) }
    case 'PUT one':
      return put(call, store)
    case 'PATCH one':
      return patch(call, store)
    case 'DELETE one':
      return deleteOne(call, store)
    case 'DELETE all':
      return deleteAll(call, store)
    default:
      throw new Failure(405, 'the server does not allow this method on the requested resource')
  }
}

function put(call: Call, store: Store): Answer {
  const { target } = call
  const body = objectIn(call)
  const live = existing(store, target)
  const isConditional = textAt(fieldsAt(body, 'metadata'), 'resourceVersion') !== undefined
  if (!isConditional && !target.resource.isBuiltin && target.subresource !== 'scale') {
    const { plural: kind, group } = target.resource
    const message = 'Invalid value: 0: must be specified for an update'
    throw invalid({ kind, group, name: live.metadata.name }, 'metadata.resourceVersion', message)
  }
  return updated(call, store, body)
}

function patch(call: Call, store: Store): Answer {
  const { target, contentType } = call
  if (contentType === 'application/apply-patch+yaml') return apply(call, store)
  const live = shown(target, existing(store, target))
  const body = parsed(call)
  const isStrategic = contentType === 'application/strategic-merge-patch+json'
  if (contentType === 'application/json-patch+json') {
    return updated(call, store, objectFrom(jsonPatch(live, body)))
  }
  if (contentType !== 'application/merge-patch+json' && !(isStrategic && target.resource.isBuiltin))
    throw unknownFormat()
  if (!isFields(body)) throw new Failure(400, 'error decoding patch: not an object')
  return updated(call, store, objectFrom(mergePatch(live, body)))
}

function apply(call: Call, store: Store): Answer {
  const { target, query } = call
  const body = objectIn(call)
  const { resource, name = '', namespace, subresource } = target
  if (!query.get('fieldManager')) {
    const options = { kind: 'PatchOptions', group: 'meta.k8s.io' }
    throw invalid(options, 'fieldManager', 'Required value: is required for apply patch')
  }
  const given = fieldsAt(body, 'metadata')
  const live = store.get(resource, name, namespace)
  if (!live && subresource) existing(store, target)
  if (!live) return { code: 201, body: create(store, target, writeOf(call, body)) }

  const claim = { ...claimOf(call), force: query.get('force') === 'true' }
  const { fields, managedFields } = applied(live, body, claim)
  const { apiVersion, kind } = body
  const { uid, resourceVersion, ...rest } = given
  const metadata = { ...fieldsAt(fields, 'metadata'), name: rest.name, uid, resourceVersion }
  const write = writeOf(call, { ...fields, apiVersion, kind, metadata })
  return { code: 200, body: update(store, target, { ...write, managedFields }) }
}

function updated(call: Call, store: Store, body: Fields): Answer {
  const { target } = call
  if (target.subresource !== 'scale') {
    return { code: 200, body: update(store, target, writeOf(call, body)) }
  }
  const live = existing(store, target)
  const { resourceVersion } = fieldsAt(body, 'metadata')
  const { replicas } = fieldsAt(body, 'spec')
  const scaled = {
    ...live,
    metadata: { ...live.metadata, resourceVersion },
    spec: { ...fieldsAt(live, 'spec'), replicas },
  }
  return { code: 200, body: shown(target, update(store, target, writeOf(call, scaled))) }
}

function deleteOne(call: Call, store: Store): Answer {
  const { target } = call
  const { resource } = target
  const options = optionsIn(call)
  const { metadata } = existing(store, target)
  const held = remove(store, target, {
    ...fieldsAt(options, 'preconditions'),
    dryRun: isDryRun(call) || isDeepStrictEqual(options.dryRun, ['All']),
  })
  const { name, uid } = metadata
  const { group, plural: kind } = resource
  const details = { name, ...(group && { group }), kind, uid }
  const done = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }
  return { code: 200, body: held ?? done }
}

function deleteAll(call: Call, store: Store): Answer {
  const { target, query } = call
  const dryRun = isDryRun(call)
  const all = store.listAt(target.resource, store.version) ?? []
  const objects = all.filter(selectionOf(target, query))
  for (const { metadata } of objects) {
    const { name, namespace } = metadata
    remove(store, { ...target, name, namespace }, { dryRun })
  }
  const metadata = { resourceVersion: String(store.version) }
  return { code: 200, body: { ...listOf(target, objects), metadata } }
}

/** The object as it is seen at the target's path. */
function shown({ subresource }: Target, object: KubeObject): KubeObject {
  if (subresource !== 'scale') return object
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const { replicas: now = 0, selector } = fieldsAt(object, 'status')
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...{ name, uid, creationTimestamp },
      ...(namespace && { namespace }),
      ...(resourceVersion && { resourceVersion }),
    },
    spec: { replicas: fieldsAt(object, 'spec').replicas ?? 0 },
    status: { replicas: now, ...(selector !== undefined && { selector }) },
  }
}

const writeOf = (call: Call, body: Fields): Write => ({
  body,
  claim: claimOf(call),
  dryRun: isDryRun(call),
})

const claimOf = ({ query, userAgent, contentType, target }: Call): Claim => ({
  manager: query.get('fieldManager') || userAgent.split('/')[0] || 'unknown',
  operation: contentType === 'application/apply-patch+yaml' ? 'Apply' : 'Update',
  target,
})

const isDryRun = ({ query }: Call): boolean => query.getAll('dryRun').includes('All')

const objectIn = (call: Call): Fields => objectFrom(parsed(call))

const optionsIn = (call: Call): Fields => (call.body === '' ? {} : objectIn(call))

function objectFrom(value: unknown): Fields {
  if (!isFields(value)) throw new Failure(400, 'the object provided is unrecognized: not an object')
  return value
}

function parsed({ body, contentType }: Call): unknown {
  // Such as protobuf, which kubectl prefers for the kinds of Kubernetes.
  if (!/json$|yaml$|^$/.test(contentType)) throw unknownFormat()
  try {
    return contentType.endsWith('yaml') ? parseYaml(body) : JSON.parse(body)
  } catch (error) {
    throw new Failure(400, `the object provided is unrecognized: ${error}`)
  }
}

const unknownFormat = (): Failure =>
  new Failure(
    415,
    'the body of the request was in an unknown format - accepted media types include: ' +
      'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
  )
