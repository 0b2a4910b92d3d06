import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiFailure, badRequest, forbidden } from '#apiserver/failure.ts'
import { paceOf } from '#apiserver/pace.ts'
import type { Feed } from '#apiserver/read/watch-stream.ts'
import type { Attributes, User } from '#apiserver/request.ts'
import type { Resource } from '#apiserver/resource.ts'
import { nameSelectedBy } from '#apiserver/select/field-selector.ts'
import type { ServedKinds } from '#apiserver/served-kinds.ts'
import {
  type Answer,
  failureAnswer,
  failureAnswerInTurns,
  isStreamed,
  type Streamed,
  send,
} from './answer.ts'
import { type Call, noSuchResource } from './call.ts'
import type { Documents } from './documents.ts'
import type { Gate } from './gate.ts'
import { type Form, formFor, notAcceptable, takesSpoken } from './media-type.ts'
import { readBody } from './request-body.ts'
import { type ResourcePath, resourcePathOf } from './request-path.ts'
import { routeFor, type SpecialRoutes, verbOf } from './resource-routes.ts'
import { warningLines } from './warning-lines.ts'

export interface Parts {
  feed: Feed
  served: ServedKinds
  gate: Gate
  documents: Documents
  special: SpecialRoutes
  /** Tells of what nobody foresaw. */
  onError(error: unknown, request: { method: string; path: string }): void
}

const MOST_URL = 64 * 1024

const isHealth = ({ url = '' }: IncomingMessage): boolean => /^\/(livez|readyz|healthz)/.test(url)

/** Answers requests to the API. It is told of none that has no answer. */
export class RestServer {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Answers one request, whatever it is. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pace = paceOf(this.#parts.feed.clock)
    // Many that come at once are not all begun in one turn of the event loop. Who asks for our health does not wait.
    if (pace.isSpent && !isHealth(request)) await pace.later()
    // It would not hear any more that whoever asked has gone.
    if (!request.socket.destroyed) await this.#handle(request, response)
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method = 'GET' } = request
    const [path = '/', search = ''] = splitOnce(url)
    const query = new URLSearchParams(search)
    const form = formFor(request.headers.accept)
    const style = {
      syntax: form?.syntax ?? 'json',
      // Who takes nothing that is spoken here is most likely a person.
      isPretty: !form || isPretty(query, request.headers['user-agent']),
    } as const
    const warnings: string[] = []
    try {
      if (url.length > MOST_URL) throw new ApiFailure(414, 'the URL is too long', { reason: '' })
      const answer = await this.#answer({ request, method, path, query, form, warnings })
      setWarnings(response, warnings)
      if (isStreamed(answer)) await answer.stream(response)
      else send(response, answer, style)
    } catch (error) {
      if (!(error instanceof ApiFailure)) this.#parts.onError(error, { method, path })
      if (response.headersSent) return void response.destroy()
      setWarnings(response, warnings)
      // What is left of the body is not read.
      if (!request.complete) response.setHeader('connection', 'close')
      const pace = paceOf(this.#parts.feed.clock)
      send(response, await failureAnswerInTurns(error, pace), style)
    }
  }

  async #answer(asked: Asked): Promise<Answer | Streamed> {
    const { gate, documents } = this.#parts
    const { request, path, query, method } = asked
    const caller = gate.identify(request)
    if (!isEncoded(path)) return notEncoded
    demandTimeout(query)
    const target = resourcePathOf(path)
    if (target) {
      const attributes = attributesOf({ user: caller, method, path, target, query })
      const user = gate.admit(attributes, request)
      return this.#resourceAnswer({ ...asked, user, target, attributes })
    }
    gate.admit(pathAttributes(caller, method, path), request)
    const { accept = '', 'if-none-match': ifNoneMatch } = request.headers
    const wanted = { method, path, query, accept, ...(ifNoneMatch && { ifNoneMatch }) }
    return (await documents(wanted)) ?? plain404()
  }

  #resourceAnswer(asked: Asked & Admitted): Promise<Answer | Streamed> | Answer | Streamed {
    const { served, special, feed, gate } = this.#parts
    const { request, method, target, query, user, form, warnings, attributes } = asked
    const resource = served.find(target.group, target.version, target.resource)
    if (!resource) return missing(served, target)
    // A namespace is its own; everything else is in one or is not.
    const isOwn = target.group === '' && target.resource === 'namespaces'
    if (!isOwn && isMisplaced(resource, target))
      return resource.isCustom ? plain404() : failureAnswer(noSuchResource())
    if (!form) {
      const isOther = resource.isCustom || takesSpoken(request.headers.accept ?? '')
      throw notAcceptable(isOther, target.name === '')
    }
    const call: Call = {
      method,
      path: isOwn ? { ...target, namespace: '' } : target,
      resource,
      query,
      headers: request.headers,
      user,
      form,
      isPretty: isPretty(query, request.headers['user-agent']),
      body: () => readBody(request),
      warn: (text) => warnings.push(text),
      demandVerb: (verb) => gate.demand({ ...attributes, user, verb }),
      demandServed: () => demandServed(served, target),
      onKindEnd: (listener) => served.onEnd(resource, listener),
      guard: (object, old) => gate.guard({ asked: { ...attributes, user }, object, old }),
    }
    if (resource.deprecation) call.warn(resource.deprecation)
    return routeFor(call, special)(feed, call)
  }
}

function demandServed(served: ServedKinds, target: ResourcePath): void {
  const { group, version, resource: kind, name } = target
  const resource = served.find(group, version, kind)
  if (!resource) throw noSuchResource()
  if (resource.refusesCreates) throw forbidden({ group, kind, name }, resource.refusesCreates)
}

/** One object of a kind that lives in namespaces needs one, and of any other kind has none. */
const isMisplaced = ({ namespaced }: Resource, { name, namespace }: ResourcePath): boolean =>
  namespaced ? name !== '' && namespace === '' : namespace !== ''

/** Whether every part of a path can be decoded. */
function isEncoded(path: string): boolean {
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Go's HTTP server answers this, before anything of Kubernetes does. */
const notEncoded: Streamed = {
  stream: (response) => {
    response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
    response.end('400 Bad Request\n')
  },
}

/** Clients may say how long they wait; nothing here takes so long, but nonsense is refused. */
function demandTimeout(query: URLSearchParams): void {
  const stated = query.get('timeout')
  if (!stated || /^(\d+(\.\d*)?(ns|us|µs|ms|s|m|h))+$|^0$/.test(stated)) return
  throw badRequest(
    `invalid timeout specified in the request URL - time: invalid duration ${JSON.stringify(stated)}`,
  )
}

interface Admitted {
  user: User
  target: ResourcePath
  attributes: Attributes
}

interface Asked {
  request: IncomingMessage
  method: string
  path: string
  query: URLSearchParams
  form: Form | undefined
  warnings: string[]
}

function splitOnce(url: string): [string, string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

/** People who look at answers with their eyes get them indented. */
const isPretty = (query: URLSearchParams, userAgent = ''): boolean => {
  const stated = query.get('pretty')
  if (stated === null) return /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent)
  return stated !== 'false' && stated !== '0'
}

const plain404 = (): Answer => ({
  code: 404,
  body: '404 page not found\n',
  headers: { 'x-content-type-options': 'nosniff' },
})

/** Built-in groups know that they do not have a resource; nobody knows of one in a group that is not there. */
function missing(served: ServedKinds, { group }: ResourcePath): Answer {
  const isKnown = served.all.some((one) => !one.isCustom && one.group === group)
  return isKnown ? failureAnswer(noSuchResource()) : plain404()
}

function pathAttributes(user: User, method: string, path: string): Attributes {
  const none = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' }
  return { user, verb: method.toLowerCase(), isResource: false, path, ...none }
}

interface Target {
  user: User
  method: string
  path: string
  target: ResourcePath
  query: URLSearchParams
}

function attributesOf({ user, method, path, target, query }: Target): Attributes {
  const verb = verbOf(method, target.name, query)
  // To delete by a selector takes the right to delete all.
  const isMany = target.name === '' && ['list', 'watch'].includes(verb)
  const name = isMany ? nameSelectedBy(query.get('fieldSelector') ?? '') : target.name
  return { user, verb, isResource: true, path, ...target, name }
}

function setWarnings(response: ServerResponse, warnings: readonly string[]): void {
  if (warnings.length > 0) response.setHeader('warning', warningLines(warnings))
}
