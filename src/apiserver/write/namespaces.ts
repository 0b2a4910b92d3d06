import { ApiFailure, forbidden, notFound } from '#apiserver/failure.ts'
import { fieldsAt } from '#apiserver/objects.ts'
import type { Entry, Store } from '#apiserver/store/store.ts'
import { objectIn } from '#apiserver/stored-object.ts'
import { type Ask, aboutResource } from './ask.ts'

const phases = new WeakMap<Entry, unknown>()

/** The phase of a namespace; undefined if there is none of that name. */
function phaseOf(store: Store, namespace: string): unknown {
  const entry = store.get(`/namespaces/${namespace}`)
  if (!entry) return undefined
  if (!phases.has(entry)) phases.set(entry, fieldsAt(objectIn(entry), 'status').phase ?? 'Active')
  return phases.get(entry)
}

/** Fails unless a new object may be created in the namespace that it belongs into. */
export function demandNamespace(store: Store, ask: Ask, name: string): void {
  const { resource, namespace } = ask
  if (!resource.namespaced) return
  const phase = phaseOf(store, namespace)
  if (phase === undefined) throw notFound({ group: '', kind: 'namespaces', name: namespace })
  if (phase !== 'Terminating') return
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const { status, message } = forbidden(aboutResource(ask, name), why)
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  }
  throw new ApiFailure(403, message, {
    reason: 'Forbidden',
    details: { ...fieldsAt(status, 'details'), causes: [cause] },
  })
}
