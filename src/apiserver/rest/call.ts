import type { IncomingHttpHeaders } from 'node:http'
import { ApiFailure, invalid } from '#apiserver/failure.ts'
import { invalidField, notSupported } from '#apiserver/field-error.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { User } from '#apiserver/request.ts'
import type { Resource } from '#apiserver/resource.ts'
import type { Ask, FieldValidation } from '#apiserver/write/ask.ts'
import type { Form } from './media-type.ts'
import type { ResourcePath } from './request-path.ts'

/** A request about objects, by someone who may make it. */
export interface Call {
  method: string
  path: ResourcePath
  resource: Resource
  query: URLSearchParams
  headers: IncomingHttpHeaders
  user: User
  form: Form
  /** Whether the answer is for a person's eyes. */
  isPretty: boolean
  body(): Promise<Buffer>
  /** Tells the client something that does not stop the call. */
  warn(text: string): void
  /** Fails unless the user may do this to the same thing too. */
  demandVerb(verb: string): void
  /** Fails when nothing of the kind can be made any more. */
  demandServed(): void
  /** Calls back, once, when the kind is not what it is now. Returns a way to stop. */
  onKindEnd(listener: () => void): () => void
  /** Fails when the user may not write just this. */
  guard(object: Fields, old: Fields | undefined): void
}

const VALIDATIONS: readonly FieldValidation[] = ['Ignore', 'Strict', 'Warn']

/** What a call asks to be written. */
export function askOf(call: Call): Ask {
  const { path, resource, user, query, warn } = call
  return {
    resource,
    namespace: path.namespace,
    name: path.name,
    subresource: path.subresource,
    user,
    owner: ownerOf(call),
    // A removal says it among its other options, and those of a body leave none to the query.
    dryRun: call.method !== 'DELETE' && isDryRun(query, optionsKindOf(call)),
    fieldValidation: fieldValidationOf(query, optionsKindOf(call)),
    warn,
    demandVerb: (verb) => call.demandVerb(verb),
    demandServed: () => call.demandServed(),
    guard: (object, old) => call.guard(object, old),
  }
}

const OPTIONS: Readonly<Record<string, string>> = {
  POST: 'CreateOptions',
  PUT: 'UpdateOptions',
  PATCH: 'PatchOptions',
  DELETE: 'DeleteOptions',
}

/** As Kubernetes calls the parameters of a write. */
const optionsKindOf = ({ method }: { method: string }): string => OPTIONS[method] ?? ''

/** Who is said to have written: as the client calls itself, or the first word of its program's name. */
function ownerOf({ query, headers, method }: Call): string {
  const stated = query.get('fieldManager') ?? ''
  if (stated.length > 128) {
    throw invalid({ group: 'meta.k8s.io', kind: optionsKindOf({ method }) }, [
      {
        reason: 'FieldValueTooLong',
        field: 'fieldManager',
        message: 'Too long: may not be more than 128 bytes',
      },
    ])
  }
  demandPrintable(stated, method)
  if (stated) return stated
  const [program = ''] = (headers['user-agent'] ?? '').split('/')
  return program.slice(0, 128) || 'unknown'
}

function demandPrintable(stated: string, method: string): void {
  const at = [...stated].findIndex(
    (character) => !/^[\P{C}]$/u.test(character) || /^[\p{Zl}\p{Zp}]$/u.test(character),
  )
  if (at < 0) return
  const code = ([...stated][at]?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  throw invalid({ group: 'meta.k8s.io', kind: optionsKindOf({ method }) }, [
    invalidField('fieldManager', stated, `invalid character U+${code} (at position ${at})`),
  ])
}

function isDryRun(query: URLSearchParams, kind: string): boolean {
  const stated = query.getAll('dryRun')
  const wrong = stated.filter((one) => one !== 'All')
  if (wrong.length === 0) return stated.length > 0
  throw invalid({ group: 'meta.k8s.io', kind }, [notSupported('dryRun', wrong, ['All'])])
}

function fieldValidationOf(query: URLSearchParams, kind: string): FieldValidation {
  const stated = query.get('fieldValidation')
  if (!stated) return 'Warn'
  const known = VALIDATIONS.find((one) => one === stated)
  if (known) return known
  throw invalid({ group: 'meta.k8s.io', kind }, [
    notSupported('fieldValidation', stated, ['', ...VALIDATIONS]),
  ])
}

/** A verb that a kind, or a part of it, does not have. */
export function methodNotAllowed({ resource }: Call, verb: string): ApiFailure {
  const { isCustom, group, plural: kind } = resource
  if (!isCustom) return verbNotAllowed()
  const shown = VERBS.has(verb) ? verb : ''
  return new ApiFailure(405, `${shown} is not supported on resources of kind "${kind}.${group}"`, {
    reason: 'MethodNotAllowed',
    details: { group, kind },
  })
}

/** The same, where nothing is known of the resource. */
export const verbNotAllowed = (): ApiFailure =>
  new ApiFailure(405, 'the server does not allow this method on the requested resource', {
    reason: 'MethodNotAllowed',
    details: {},
  })

const VERBS = new Set([
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
])

/** A path that is below something, and leads nowhere. */
export const noSuchResource = (): ApiFailure =>
  new ApiFailure(404, 'the server could not find the requested resource', {
    reason: 'NotFound',
    details: {},
  })
