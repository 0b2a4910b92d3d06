import { schemaOfKind } from '#apiserver/builtin/resources.ts'
import { badRequest, invalid, notFound } from '#apiserver/failure.ts'
import { invalidField } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, timestampOf } from '#apiserver/objects.ts'
import { applyConfiguration } from '#apiserver/ownership/apply-configuration.ts'
import { emptyObjectOf } from '#apiserver/ownership/empty-object.ts'
import { managedFieldsOf } from '#apiserver/ownership/managed-fields.ts'
import { fromScaleFields, toScaleFields } from '#apiserver/ownership/scale-ownership.ts'
import { updateOwnership } from '#apiserver/ownership/update-ownership.ts'
import type { Feed } from '#apiserver/read/watch-stream.ts'
import type { Resource, Scaler } from '#apiserver/resource.ts'
import type { Schema } from '#apiserver/schema.ts'
import { apiVersionOf, keyOf, served } from '#apiserver/stored-object.ts'
import { patched } from '#apiserver/write/patch.ts'
import { update } from '#apiserver/write/update.ts'
import type { Answer } from './answer.ts'
import { askOf, type Call } from './call.ts'
import type { SpecialRoutes } from './resource-routes.ts'
import { bodyAs } from './review-routes.ts'
import { configIn, jsonIn, objectOf, patchTypeOf } from './write-routes.ts'

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

/** How many there are to be, read and written in the form that is the same for all kinds. */
export const scaleRoutes: SpecialRoutes = {
  scale: {
    get: ({ store }, { resource, path }) => {
      const entry = store.get(keyOf(resource, path.namespace, path.name))
      if (!entry) throw notFound({ group: resource.group, kind: resource.plural, name: path.name })
      return { code: 200, body: scalerOf(resource).view(served(resource, entry)) }
    },
    update: async (feed, call) => {
      const scale = await bodyAs(call, SCALE)
      return change(
        feed,
        call,
        updated(feed, call, () => scale),
      )
    },
    patch: async (feed, call) => {
      const type = patchTypeOf(call)
      const text = (await call.body()).toString()
      if (type === 'apply') return change(feed, call, applied(feed, call, configIn(text)))
      const patch = jsonIn(text)
      const edit = (scale: Fields) => patched(scale, { type, patch }, scaleSchema())
      return change(feed, call, updated(feed, call, edit))
    },
  },
}

const scaleSchema = (): Schema => schemaOfKind(SCALE.group, SCALE.version, SCALE.kind) ?? {}

/** What a Scale is to become, with the owners of its replicas. */
type Edit = (scale: Fields) => Fields

function updated({ clock }: Feed, call: Call, edit: Edit): Edit {
  const ask = askOf(call)
  return (live) => {
    const next = edit(live)
    const now = timestampOf(clock.now())
    const managedFields = updateOwnership({ door: door(), live, next, writer: ask.owner, now })
    return { ...next, metadata: { ...fieldsAt(next, 'metadata'), managedFields } }
  }
}

function applied({ clock }: Feed, call: Call, config: Fields): Edit {
  const { owner: writer } = askOf(call)
  const force = call.query.get('force') === 'true'
  const empty = { ...emptyObjectOf(scaleSchema()), apiVersion: 'autoscaling/v1', kind: 'Scale' }
  return (live) =>
    applyConfiguration({
      ...{ door: door(), kind: 'Scale', live, empty, config, writer, force },
      now: timestampOf(clock.now()),
    }).object
}

const door = () => ({
  apiVersion: 'autoscaling/v1',
  schema: scaleSchema(),
  subresource: 'scale',
})

function scalerOf({ scaler, kind }: Resource): Scaler {
  if (!scaler) throw new Error(`${kind} cannot be scaled`)
  return scaler
}

/** Changes how many there are to be, by what a Scale says. */
async function change(feed: Feed, call: Call, edit: Edit): Promise<Answer> {
  const ask = askOf(call)
  const { resource } = call
  const scaler = scalerOf(resource)
  const apiVersion = apiVersionOf(resource.group, resource.version)
  const paths = new Map([[apiVersion, scaler.path]])
  const written = await update(feed, ask, (live) => {
    const entries = managedFieldsOf(live)
    const view = scaler.view(live)
    const metadata = { ...fieldsAt(view, 'metadata'), managedFields: toScaleFields(entries, paths) }
    const scale = edit({ ...view, metadata })
    demandCount(resource, ask.name, scale)
    const next = structuredClone(live)
    scaler.set(next, replicasIn(scale))
    const { resourceVersion } = fieldsAt(scale, 'metadata')
    const scaleEntries = managedFieldsOf(scale)
    const managedFields = fromScaleFields({ entries, scaleEntries, apiVersion, paths })
    next.metadata = { ...fieldsAt(next, 'metadata'), resourceVersion, managedFields }
    return next
  })
  return { code: 200, body: scaler.view(objectOf(call, written)) }
}

/** Of built-in kinds it is the Scale that is found wrong, and not the object. */
function demandCount({ isCustom }: Resource, name: string, scale: Fields): void {
  const replicas = replicasIn(scale)
  if (isCustom || replicas >= 0) return
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
