import { decodeBuiltinInSteps } from '#apiserver/builtin/decode.ts'
import { schemaOfKind } from '#apiserver/builtin/resources.ts'
import { notFound } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, timestampOf } from '#apiserver/objects.ts'
import { applyConfiguration } from '#apiserver/ownership/apply-configuration.ts'
import { emptyObjectOf } from '#apiserver/ownership/empty-object.ts'
import { updateOwnership } from '#apiserver/ownership/update-ownership.ts'
import { paceOf } from '#apiserver/pace.ts'
import type { Feed } from '#apiserver/read/watch-stream.ts'
import type { Schema } from '#apiserver/schema.ts'
import { atOnce, inTurns } from '#apiserver/steps.ts'
import { keyOf, servedInSteps } from '#apiserver/stored-object.ts'
import type { Ask } from '#apiserver/write/ask.ts'
import { decodeInSteps } from '#apiserver/write/decode-body.ts'
import { decodedPatch, patched } from '#apiserver/write/patch.ts'
import { demandNames } from '#apiserver/write/put.ts'
import { askOf, type Call } from './call.ts'
import { changeScale, type EditScale, scaleOf } from './change-scale.ts'
import type { SpecialRoutes } from './resource-routes.ts'
import { bodyOf, configIn, demandOwner, jsonIn, patchTypeOf } from './write-routes.ts'

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

/** How many there are to be, read and written in the form that is the same for all kinds. */
export const scaleRoutes: SpecialRoutes = {
  scale: {
    get: async ({ store, clock }, { resource, path }) => {
      const entry = store.get(keyOf(resource, path.namespace, path.name))
      if (!entry) throw notFound({ group: resource.group, kind: resource.plural, name: path.name })
      const object = await inTurns(paceOf(clock), servedInSteps(resource, entry))
      return { code: 200, body: scaleOf(resource, object) }
    },
    update: async (feed, call) => {
      const ask = scaleAsk(call)
      const scale = await inTurns(paceOf(feed.clock), decodeInSteps(ask, await bodyOf(call)))
      demandNames(ask, scale)
      const edit = updated(feed, call, () => scale)
      return changeScale(feed, call, { edit, method: 'put' })
    },
    patch: async (feed, call) => {
      const type = patchTypeOf(call)
      const text = (await call.body()).toString()
      const pace = paceOf(feed.clock)
      if (type === 'apply') {
        demandOwner(call)
        const { config } = await inTurns(pace, configIn(text))
        const edit = applied(feed, call, config)
        return changeScale(feed, call, { edit, method: 'apply' })
      }
      const patching = { type, patch: await inTurns(pace, jsonIn(text)) }
      const ask = scaleAsk(call)
      const edit = updated(feed, call, (scale) => {
        const given = atOnce(patched(scale, patching, ask.resource.schema))
        const next = atOnce(decodedPatch(ask, given, patching))
        demandNames(ask, next)
        return next
      })
      return changeScale(feed, call, { edit, method: 'patch' })
    },
  },
}

/** What is asked, with the Scale as the kind of what is written. */
function scaleAsk(call: Call): Ask {
  const expected = { ...SCALE, schema: scaleSchema() }
  const decode = (given: Fields) => decodeBuiltinInSteps(given, expected)
  const behaviour = {
    hasGeneration: false,
    allowsUnconditionalUpdate: true,
    allowsCreateOnUpdate: false,
  }
  const resource = { ...call.resource, ...expected, decode, behaviour, isCustom: false }
  return { ...askOf(call), resource }
}

const scaleSchema = (): Schema => schemaOfKind(SCALE.group, SCALE.version, SCALE.kind) ?? {}

function updated({ clock }: Feed, call: Call, edit: EditScale): EditScale {
  const ask = askOf(call)
  return (live) => {
    const next = edit(live)
    const now = timestampOf(clock.now())
    const managedFields = updateOwnership({ door: door(), live, next, writer: ask.owner, now })
    return { ...next, metadata: { ...fieldsAt(next, 'metadata'), managedFields } }
  }
}

function applied({ clock }: Feed, call: Call, config: Fields): EditScale {
  const ask = scaleAsk(call)
  const force = call.query.get('force') === 'true'
  const empty = { ...emptyObjectOf(scaleSchema()), apiVersion: 'autoscaling/v1', kind: 'Scale' }
  return (live) => {
    const { object } = applyConfiguration({
      ...{ door: door(), kind: 'Scale', live, empty, config, writer: ask.owner, force },
      now: timestampOf(clock.now()),
    })
    demandNames(ask, config)
    return object
  }
}

const door = () => ({
  apiVersion: 'autoscaling/v1',
  schema: scaleSchema(),
  subresource: 'scale',
})
