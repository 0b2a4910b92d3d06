import { bodyExcerpt } from '#apiserver/body-excerpt.ts'
import { type ApiFailure, badRequest } from '#apiserver/failure.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import type { Decoded } from '#apiserver/resource.ts'
import type { Schema } from '#apiserver/schema.ts'
import type { Steps } from '#apiserver/steps.ts'
import { coerceEmbedded } from './embedded.ts'
import { typeOfJson } from './go-types.ts'
import { coerceMetadata } from './object-meta.ts'
import { pruneInSteps } from './prune.ts'

/** What a body is expected to be. */
export interface Expected {
  group: string
  version: string
  kind: string
  schema: Schema
  /** Even where none may be. */
  keepsNulls?: boolean
}

/**
 * Takes a body as an object of a custom kind. The object is changed in place: what its schema and
 * Kubernetes' metadata do not know is dropped. Returns the paths of that, for `unknown field "…"`.
 * Throws the 400 that Kubernetes answers if it cannot be taken so; `body` is what it shows of it then.
 */
export function* decodeCustomObject(
  expected: Expected,
  body: string | undefined,
  parsed: unknown,
): Steps<Decoded> {
  const { group, version, kind } = expected
  const object = typedObject(expected, body, parsed)
  const wanted = `${group}/${version}`
  const { problem, unknown } = yield* coerceCustomObject(expected, object)
  if (problem !== undefined) {
    throw badRequest(
      `${object.kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`,
    )
  }
  if (object.apiVersion !== wanted) {
    throw badRequest(
      `the API version in the data (${object.apiVersion ?? ''}) does not match the expected API version (${wanted})`,
    )
  }
  return { object, unknown }
}

function typedObject(expected: Expected, body: string | undefined, parsed: unknown): Fields {
  const text = (): string => body ?? JSON.stringify(parsed)
  const refuse = (why: string): ApiFailure =>
    badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): ${why} (${bodyExcerpt(text())})`,
    )
  if (!isFields(parsed)) {
    const type =
      'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
    throw refuse(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${typeOfJson(parsed)} into Go value of type ${type}`,
    )
  }
  for (const key of ['apiVersion', 'kind']) {
    const value = parsed[key] ?? ''
    if (typeof value === 'string') continue
    throw refuse(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${typeOfJson(value)} into Go struct field .${key} of type string`,
    )
  }
  const { apiVersion = '', kind } = parsed
  if (String(apiVersion).split('/').length > 2) {
    throw refuse(`unexpected GroupVersion string: ${apiVersion}`)
  }
  if (!kind) throw refuse(`Object 'Kind' is missing in '${text()}'`)
  return parsed
}

/**
 * The part of decoding that patches and applies need as well: metadata typed, unknown fields and
 * nulls pruned, embedded objects typed. `problem` is the decoder's sentence.
 */
function* coerceCustomObject(
  { group, kind, schema, keepsNulls = false }: Expected,
  object: Fields,
): Steps<{ problem?: string; unknown: string[] }> {
  const root = coerceMetadata(object, 'metadata')
  yield
  if (root.problem !== undefined) return root
  // Another kind of the same group comes through here too, and is refused when it is validated.
  const isOfKind = object.kind === kind && String(object.apiVersion).startsWith(`${group}/`)
  if (!isOfKind) return root
  const pruned = yield* pruneInSteps(schema, object, { keepsNulls })
  yield
  const { error, unknown } = coerceEmbedded(schema, object)
  yield
  if (error) return { problem: `${error.field}: ${error.message}`, unknown: [] }
  return { unknown: [...root.unknown, ...pruned, ...unknown] }
}
