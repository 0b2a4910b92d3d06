import { badRequest, notFound } from '#apiserver/failure.ts'
import { flagIn } from '#apiserver/read/selection.ts'
import type { Feed } from '#apiserver/read/watch-stream.ts'
import type { Subresource } from '#apiserver/resource.ts'
import type { Answer, Streamed } from './answer.ts'
import { type Call, methodNotAllowed, noSuchResource } from './call.ts'
import { getAll, getOne } from './read-routes.ts'
import { watch } from './watch-route.ts'
import { deleteAll, deleteOne, patchRoute, post, replace } from './write-routes.ts'

type Reply = Answer | Streamed

/** Does what a call asks for. Fails with what is wrong with it. */
export type Route = (feed: Feed, call: Call) => Reply | Promise<Reply>

/** What is more than an object that is kept, by `group/plural` or `group/plural/subresource`, and by verb. */
export type SpecialRoutes = Readonly<Record<string, Readonly<Record<string, Route>>>>

/** The verb that Kubernetes has for a request, by which it is authorized. */
export function verbOf(method: string, name: string, query: URLSearchParams): string {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (name !== '') return 'get'
      return flagIn(query, 'watch') ? 'watch' : 'list'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete'
    default:
      return method.toLowerCase()
  }
}

const VERBS: Readonly<Record<string, Route>> = {
  get: getOne,
  list: getAll,
  watch,
  create: post,
  update: replace,
  patch: patchRoute,
  delete: deleteOne,
  deletecollection: deleteAll,
}

/** The route for a call, if its kind has one. */
export function routeFor(call: Call, special: SpecialRoutes): Route {
  const { path, resource, method, query } = call
  const verb = verbOf(method, path.name, query)
  if (method === 'HEAD' && !resource.isCustom) throw methodNotAllowed(call, verb)
  if (path.subresource) return subresourceRoute(call, verb, special)
  // What is only asked, and never kept, has no names.
  if (path.name && !resource.verbs.includes('get')) throw noSuchResource()
  const own = special[`${resource.group}/${resource.plural}`]?.[verb] ?? VERBS[verb]
  if (!own || !resource.verbs.includes(verb)) throw methodNotAllowed(call, verb)
  demandPlace(call, verb)
  return own
}

// These are about a collection, and the others about one object.
const MANY = new Set(['create', 'list', 'watch', 'deletecollection'])

/** Fails where a verb has no place: creating below a name, changing what has none, all namespaces at once. */
function demandPlace(call: Call, verb: string): void {
  const { path, resource } = call
  // Of custom kinds, what is created may be named twice.
  if (resource.isCustom && verb === 'create') return
  if (MANY.has(verb) !== (path.name === '')) {
    throw resource.isCustom && path.name === ''
      ? badRequest('name must be provided')
      : methodNotAllowed(call, verb)
  }
  const isEverywhere = resource.namespaced && path.namespace === ''
  if (isEverywhere && verb !== 'list' && verb !== 'watch') throw methodNotAllowed(call, verb)
}

function subresourceRoute(call: Call, verb: string, special: SpecialRoutes): Route {
  const { resource, path } = call
  const known = resource.subresources.find(({ name }) => name === path.subresource)
  const { group, plural: kind, isCustom } = resource
  if (!known) throw isCustom ? notFound({ group, kind, name: path.name }) : noSuchResource()
  if (!known.verbs.includes(verb)) throw methodNotAllowed(call, verb)
  const place =
    known.name === 'scale' ? 'scale' : `${resource.group}/${resource.plural}/${known.name}`
  const route = special[place]?.[verb] ?? (isPartOfObject(known) ? VERBS[verb] : undefined)
  if (!route) throw methodNotAllowed(call, verb)
  return route
}

/** Paths at which the whole object is read and written, though only a part of it changes. */
const isPartOfObject = ({ name }: Subresource): boolean =>
  ['status', 'finalize', 'approval', 'ephemeralcontainers', 'resize'].includes(name)
