import { ApiFailure, badRequest, invalid } from '#apiserver/failure.ts'
import { required } from '#apiserver/field-error.ts'
import { jsonProblemInSteps } from '#apiserver/json-error.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import { paceOf } from '#apiserver/pace.ts'
import { parseBodyInSteps } from '#apiserver/parse-json.ts'
import { parseYamlBodyInSteps } from '#apiserver/parse-yaml.ts'
import { decodeDeleteOptions } from '#apiserver/protobuf/decode.ts'
import { limitIn, selectionOf } from '#apiserver/read/selection.ts'
import type { Feed } from '#apiserver/read/watch-stream.ts'
import type { Resource } from '#apiserver/resource.ts'
import { inTurns, type Steps } from '#apiserver/steps.ts'
import type { Entry } from '#apiserver/store/store.ts'
import { apiVersionOf, isConverted, servedInSteps } from '#apiserver/stored-object.ts'
import { utf8InSteps } from '#apiserver/utf8-text.ts'
import { type Applying, apply } from '#apiserver/write/apply.ts'
import type { Ask } from '#apiserver/write/ask.ts'
import { create } from '#apiserver/write/create.ts'
import { type Body, decodeInSteps, isProtobuf, notAnObject } from '#apiserver/write/decode-body.ts'
import { type Patching, patch } from '#apiserver/write/patch.ts'
import { put } from '#apiserver/write/put.ts'
import { remove } from '#apiserver/write/remove.ts'
import { removeAll } from '#apiserver/write/remove-all.ts'
import { type RemoveOptions, removeOptionsOf } from '#apiserver/write/remove-options.ts'
import type { Written } from '#apiserver/write/written.ts'
import type { YamlValue } from '#apiserver/yaml-value.ts'
import type { Answer, Streamed } from './answer.ts'
import { askOf, type Call } from './call.ts'
import { listAnswer } from './list-answer.ts'
import { clausesOf } from './media-type.ts'
import { shownAs } from './read-routes.ts'

/** What was written, in the form that the client asks for. */
async function writtenAnswer(feed: Feed, call: Call, written: Written): Promise<Answer> {
  const code = written.outcome === 'created' ? 201 : 200
  const isShown = !isConverted(call.resource, Number.POSITIVE_INFINITY)
  if (written.bytes && call.form.as === 'object' && isShown) {
    return { code, body: written.bytes }
  }
  return { code, body: shownAs(feed, call, await objectOf(feed, call, written)) }
}

/** What was written, in the version that was asked for. */
export async function objectOf(
  { clock }: Feed,
  { resource }: Call,
  written: Written,
): Promise<Fields> {
  if (written.object) return written.object
  if (!written.bytes) return {}
  const entry = { value: written.bytes, revision: Number.POSITIVE_INFINITY }
  return inTurns(paceOf(clock), servedInSteps(resource, entry))
}

/** The body of a call, and what it is said to be. */
export async function bodyOf(call: Call): Promise<Body> {
  return { bytes: await call.body(), contentType: mediaTypeOf(call) }
}

const mediaTypeOf = ({ headers }: Call): string =>
  clausesOf(headers['content-type'] ?? '')[0]?.type ?? ''

const decodedBody = async ({ clock }: Feed, ask: Ask, call: Call): Promise<Fields> =>
  inTurns(paceOf(clock), decodeInSteps(ask, await bodyOf(call)))

export async function post(feed: Feed, call: Call): Promise<Answer> {
  const ask = askOf(call)
  const object = await decodedBody(feed, ask, call)
  return writtenAnswer(feed, call, await create(feed, ask, { object }))
}

export async function replace(feed: Feed, call: Call): Promise<Answer> {
  const ask = askOf(call)
  const object = await decodedBody(feed, ask, call)
  return writtenAnswer(feed, call, await put(feed, ask, object))
}

const PATCHES: ReadonlyMap<string, Patching['type']> = new Map([
  ['application/json-patch+json', 'json'],
  ['application/merge-patch+json', 'merge'],
  ['application/strategic-merge-patch+json', 'strategic'],
])

/** What a patch is, by its media type; `apply` for server-side apply. */
export function patchTypeOf(call: Call): Patching['type'] | 'apply' {
  const type = mediaTypeOf(call)
  if (type === 'application/apply-patch+yaml') return 'apply'
  const known = PATCHES.get(type)
  if (known && !(known === 'strategic' && call.resource.isCustom)) return known
  throw call.resource.isCustom
    ? new ApiFailure(415, `${UNKNOWN_FORMAT}${CUSTOM_PATCHES}`, { reason: 'UnsupportedMediaType' })
    : new ApiFailure(415, '415: Unsupported Media Type', {
        reason: 'UnsupportedMediaType',
        details: {},
      })
}

const UNKNOWN_FORMAT =
  'the body of the request was in an unknown format - accepted media types include: '
const CUSTOM_PATCHES =
  'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml'

export async function patchRoute(feed: Feed, call: Call): Promise<Answer> {
  const type = patchTypeOf(call)
  const ask = askOf(call)
  const pace = paceOf(feed.clock)
  const text = await inTurns(pace, utf8InSteps(await call.body()))
  if (type === 'apply') {
    const force = call.query.get('force') === 'true'
    demandOwner(call)
    const applying = await inTurns(pace, configIn(text))
    return writtenAnswer(feed, call, await apply(feed, ask, { ...applying, force }))
  }
  if (call.query.has('force')) throw forceWithoutApply()
  const patching = { type, patch: await inTurns(pace, jsonIn(text)) }
  return writtenAnswer(feed, call, await patch(feed, ask, patching))
}

const OPTIONS = { group: 'meta.k8s.io', kind: 'PatchOptions' }

/** Fails unless whoever applies says who they are. */
export function demandOwner({ query }: Call): void {
  if (query.get('fieldManager')) return
  throw invalid(OPTIONS, [required('fieldManager', 'is required for apply patch')])
}

const forceWithoutApply = (): ApiFailure =>
  invalid(OPTIONS, [
    {
      reason: 'FieldValueForbidden',
      field: 'force',
      message: 'Forbidden: may not be specified for non-apply patch',
    },
  ])

/** The configuration in the body of an apply. */
export function* configIn(text: string): Steps<Pick<Applying, 'config' | 'repeated'>> {
  const refuse = (why: unknown) => badRequest(`error decoding YAML: ${why}`)
  let read: YamlValue
  try {
    read = yield* parseYamlBodyInSteps(text)
  } catch (error) {
    if (error instanceof ApiFailure) throw error
    const why = error instanceof Error ? error.message : error
    throw refuse(`error converting YAML to JSON: ${why}`)
  }
  const { value, repeated } = read
  if (value === null || isFields(value)) return { config: value ?? {}, repeated }
  const type = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  throw refuse(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
  )
}

/** A body that is JSON, or nothing. */
export function* jsonIn(text: string): Steps<unknown> {
  try {
    return yield* parseBodyInSteps(text)
  } catch (error) {
    if (error instanceof ApiFailure) throw error
    throw badRequest(`error decoding patch: ${yield* jsonProblemInSteps(text)}`)
  }
}

async function removeOptionsIn({ clock }: Feed, call: Call): Promise<RemoveOptions> {
  const bytes = await call.body()
  if (bytes.length === 0) return removeOptionsOf(undefined, call.query)
  const value = isProtobuf(mediaTypeOf(call))
    ? decodeDeleteOptions(bytes)
    : await inTurns(paceOf(clock), optionsIn(bytes.toString(), mediaTypeOf(call)))
  return removeOptionsOf(isFields(value) ? value : {}, call.query)
}

function* optionsIn(text: string, mediaType: string): Steps<unknown> {
  if (mediaType === 'application/yaml') return (yield* parseYamlBodyInSteps(text)).value
  let value: unknown
  try {
    value = yield* parseBodyInSteps(text)
  } catch (error) {
    if (error instanceof ApiFailure) throw error
    throw badRequest(
      `couldn't get version/kind; json parse error: ${yield* jsonProblemInSteps(text)}`,
    )
  }
  if (value !== null && !isFields(value))
    throw badRequest(`couldn't get version/kind; json parse error: ${notAnObject(value)}`)
  const { kind = 'DeleteOptions', apiVersion } = Object(value)
  if (kind === 'DeleteOptions') return value
  throw badRequest(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  )
}

export async function deleteOne(feed: Feed, call: Call): Promise<Answer> {
  const options = await removeOptionsIn(feed, call)
  const ask = askOf(call)
  const written = await remove(feed, { ...ask, dryRun: options.dryRun === true }, options)
  const object = await objectOf(feed, call, written)
  if (written.outcome !== 'removed') {
    const code = options.orphanDependents === false ? 202 : 200
    return { code, body: shownAs(feed, call, object) }
  }
  if (call.resource.behaviour.returnsDeleted)
    return { code: 200, body: shownAs(feed, call, object) }
  return { code: 200, body: goneStatus(call, object) }
}

function goneStatus({ resource, path }: Call, object: Fields): Fields {
  const { uid } = Object(object.metadata)
  const { group, plural: kind } = resource
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: path.name, ...(group && { group }), kind, uid },
  }
}

export async function deleteAll(feed: Feed, call: Call): Promise<Answer | Streamed> {
  const options = await removeOptionsIn(feed, call)
  const ask = askOf(call)
  const selection = selectionOf(call.resource, call.query)
  const entries = await removeAll(
    feed,
    { ...ask, dryRun: options.dryRun === true },
    { ...options, selection, limit: limitIn(call.query) },
  )
  const { listKind: kind, group, version, isCustom } = call.resource
  const metadata = {
    ...(isCustom && { continue: '' }),
    resourceVersion: String(feed.store.revision),
  }
  const head = { kind, apiVersion: apiVersionOf(group, version), metadata }
  if (entries.length === 0) return { code: 200, body: { ...head, items: [] } }
  const items = itemsOf(call.resource, entries)
  const style = { syntax: call.form.syntax, isPretty: call.isPretty }
  return listAnswer({ head, field: 'items', items }, style, paceOf(feed.clock))
}

/** What was kept, as it is shown in a list. */
function* itemsOf(resource: Resource, entries: readonly Entry[]): Generator<Steps<Fields>> {
  for (const entry of entries) yield itemIn(resource, entry)
}

function* itemIn(resource: Resource, entry: Entry): Steps<Fields> {
  const object = yield* servedInSteps(resource, entry)
  if (resource.isCustom) return object
  const { kind: _, apiVersion: __, ...item } = object
  return item
}
