import { NO_REPLICAS } from '#apiserver/crd/scale.ts'
import { badRequest, conflict, internalError, invalid } from '#apiserver/failure.ts'
import { invalidField, quoted } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import { managedFieldsOf } from '#apiserver/ownership/managed-fields.ts'
import { fromScaleFields, toScaleFields } from '#apiserver/ownership/scale-ownership.ts'
import type { Feed } from '#apiserver/read/watch-stream.ts'
import type { Resource, Scaler } from '#apiserver/resource.ts'
import { apiVersionOf } from '#apiserver/stored-object.ts'
import { type Ask, aboutResource } from '#apiserver/write/ask.ts'
import { otherUid, update } from '#apiserver/write/update.ts'
import type { Answer } from './answer.ts'
import { askOf, type Call } from './call.ts'
import { objectOf } from './write-routes.ts'

function scalerOf({ scaler, kind }: Resource): Scaler {
  if (!scaler) throw new Error(`${kind} cannot be scaled`)
  return scaler
}

/** The Scale of an object; fails when the object does not say how many it wants. */
export function scaleOf(resource: Resource, object: Fields): Fields {
  const scaler = scalerOf(resource)
  const view = scaler.view(object)
  if (replicasIn(view) !== NO_REPLICAS) return view
  throw internalError(`the spec replicas field ${pathText(scaler)} does not exist`)
}

const pathText = ({ path }: Scaler): string =>
  quoted(path.map((element) => element.replace(/^f:/, '.')).join(''))

/** What a Scale is to become, with the owners of its replicas. */
export type EditScale = (scale: Fields) => Fields

interface Change {
  edit: EditScale
  method: NonNullable<Ask['method']>
}

/** Changes how many there are to be, by what a Scale says. */
export async function changeScale(
  feed: Feed,
  call: Call,
  { edit, method }: Change,
): Promise<Answer> {
  const ask = { ...askOf(call), method }
  const { resource } = call
  const scaler = scalerOf(resource)
  const apiVersion = apiVersionOf(resource.group, resource.version)
  const paths = new Map([[apiVersion, scaler.path]])
  const written = await update(feed, ask, (live) => {
    const entries = managedFieldsOf(live)
    const view = scaler.view(live)
    const metadata = { ...fieldsAt(view, 'metadata'), ...owned(toScaleFields(entries, paths)) }
    const scale = edit({ ...view, metadata })
    demandSame(ask, fieldsAt(scale, 'metadata'), metadata)
    demandCount(resource, ask.name, scale)
    const next = structuredClone(live)
    scaler.set(next, replicasIn(scale))
    const { resourceVersion } = fieldsAt(scale, 'metadata')
    const scaleEntries = managedFieldsOf(scale)
    const owners = fromScaleFields({ entries, scaleEntries, apiVersion, paths })
    const { managedFields: _, ...rest } = fieldsAt(next, 'metadata')
    next.metadata = { ...rest, resourceVersion, ...owned(owners) }
    return next
  })
  return { code: 200, body: scaleOf(resource, await objectOf(feed, call, written)) }
}

const owned = (managedFields: readonly Fields[]): Fields =>
  managedFields.length > 0 ? { managedFields } : {}

/** Fails when the Scale is of another object that had the name. Patches of custom ones are not asked. */
function demandSame(ask: Ask, { uid }: Fields, live: Fields): void {
  if (!uid || uid === live.uid) return
  const about = aboutResource(ask, ask.name)
  if (ask.method === 'put') throw conflict(about, otherUid(ask, uid, live.uid))
  if (ask.resource.isCustom) return
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.uid}`
  throw conflict({ ...about, kind: `${about.kind}/scale` }, why)
}

/** Of built-in kinds it is the Scale that is found wrong, and not the object. */
function demandCount(resource: Resource, name: string, scale: Fields): void {
  const replicas = replicasIn(scale)
  if (resource.isCustom && replicas === NO_REPLICAS) {
    throw badRequest(`the spec replicas field ${pathText(scalerOf(resource))} cannot be empty`)
  }
  if (resource.isCustom || replicas >= 0) return
  const why = 'must be greater than or equal to 0'
  throw invalid({ group: 'autoscaling', kind: 'Scale', name }, [
    invalidField('spec.replicas', replicas, why),
  ])
}

function replicasIn(scale: Fields): number {
  const { replicas = 0 } = fieldsAt(scale, 'spec')
  if (typeof replicas === 'number' && Number.isInteger(replicas)) return replicas
  throw badRequest('spec.replicas of a Scale must be a whole number')
}
