import type { ApiKind } from '#api/meta.ts'
import { ApiError } from './api-error.ts'

export interface Place {
  /** Left out: all namespaces, or none for a cluster-scoped kind. */
  namespace?: string
  name?: string
  subresource?: 'status' | 'scale' | 'eviction'
}

/** The path of a kind's objects, of one object, or of a part of one, with its query. */
export function pathOf(kind: ApiKind, place: Place, query: Query = {}): string {
  const root = kind.group === '' ? '/api' : `/apis/${segment(kind.group)}`
  const isNamespaced = kind.scope === 'Namespaced'
  const inNamespace = isNamespaced && place.namespace !== undefined
  // It would be answered with NotFound, and somebody would believe it.
  if (isNamespaced && !inNamespace && place.name !== undefined) throw noNamespace(kind, place.name)
  const parts = [
    root,
    segment(kind.version),
    ...(inNamespace ? ['namespaces', segment(place.namespace ?? '')] : []),
    segment(kind.plural),
    ...(place.name === undefined ? [] : [segment(place.name)]),
    ...(place.subresource ? [place.subresource] : []),
  ]
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) search.set(key, String(value))
  }
  return search.size > 0 ? `${parts.join('/')}?${search}` : parts.join('/')
}

const noNamespace = ({ plural }: ApiKind, name: string): ApiError =>
  new ApiError(`${plural} ${name} cannot be addressed without a namespace`, {
    status: 0,
    reason: 'BadRequest',
  })

/** An empty name would mean all objects, and `..` something else altogether: never send either. */
function segment(name: string): string {
  if (name === '' || name === '.' || name === '..') {
    throw new ApiError(`"${name}" cannot be the name of an object`, {
      status: 0,
      reason: 'BadRequest',
    })
  }
  return encodeURIComponent(name)
}

/** What an object says of its kind. */
export const typeMeta = ({ group, version, kind }: ApiKind) => ({
  apiVersion: group === '' ? version : `${group}/${version}`,
  kind,
})

export type Query = Record<string, string | number | boolean | undefined>

/** The object in words, for messages: `secrets prod/keys`. */
export const nameOf = (kind: ApiKind, { namespace, name, subresource }: Place): string => {
  const object = [namespace, name].filter((part) => part !== undefined).join('/')
  return [kind.plural, object, subresource && `(${subresource})`].filter(Boolean).join(' ')
}
