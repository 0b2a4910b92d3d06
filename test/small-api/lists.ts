import { Failure } from '#test/misbehaving/failure.ts'
import type { Fields, KubeObject } from './objects.ts'
import { apiVersionOf, type Target } from './resources.ts'
import { type Selects, selectorOf } from './selectors.ts'
import { key, type Store } from './store.ts'

/** Whether an object is one that the target and the selectors of the query name. */
export function selectionOf({ namespace }: Target, query: URLSearchParams): Selects {
  const selects = selectorOf(query)
  return (object) => (!namespace || object.metadata.namespace === namespace) && selects(object)
}

/** Answers a list. All pages of it show the same moment, or it expires. */
export function list(store: Store, target: Target, query: URLSearchParams): Fields {
  const from = startOf(store, query)
  const all = store.listAt(target.resource, from.version)
  if (!all) throw from.after === '' ? tooOldList() : tooOldPage(from.after)

  const rest = all
    .filter(selectionOf(target, query))
    .filter(({ metadata }) => key(metadata) > from.after)
  const limit = numberIn(query, 'limit') || rest.length
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const remaining = rest.length - page.length
  const isPlain = !query.get('labelSelector') && !query.get('fieldSelector')
  return {
    ...listOf(target, page),
    metadata: {
      resourceVersion: String(from.version),
      ...(remaining > 0 && last && { continue: tokenOf(from.version, key(last.metadata)) }),
      ...(remaining > 0 && isPlain && { remainingItemCount: remaining }),
    },
  }
}

/** A list of objects as Kubernetes sends it: those of its own kinds do not tell their kind. */
export const listOf = ({ resource }: Target, objects: readonly KubeObject[]): Fields => ({
  kind: `${resource.kind}List`,
  apiVersion: apiVersionOf(resource),
  items: resource.isBuiltin
    ? objects.map(({ apiVersion: _, kind: __, ...rest }) => rest)
    : [...objects],
})

interface Start {
  version: number
  /** The key of the last object of the page before; empty on the first page. */
  after: string
}

function startOf(store: Store, query: URLSearchParams): Start {
  const token = query.get('continue')
  const asked = numberIn(query, 'resourceVersion')
  if (token) {
    if (asked)
      throw new Failure(400, 'specifying resource version is not allowed when using continue')
    const { version, after } = readToken(token)
    return { version: version < 0 ? store.version : version, after }
  }
  if (asked > store.version) throw tooLarge(asked, store.version)
  const isExact = query.get('resourceVersionMatch') === 'Exact'
  return { version: isExact ? asked : store.version, after: '' }
}

/** The number in a parameter; 0 if there is none. */
export function numberIn(query: URLSearchParams, name: string): number {
  const text = query.get(name) || '0'
  if (!/^\d+$/.test(text))
    throw new Failure(400, `${name}: Invalid value: "${text}": invalid syntax`)
  return Number(text)
}

const tokenOf = (version: number, after: string): string =>
  Buffer.from(JSON.stringify({ rv: version, start: after })).toString('base64url')

function readToken(token: string): Start {
  try {
    const { rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString())
    if (typeof rv === 'number' && typeof start === 'string') return { version: rv, after: start }
  } catch {
    // Refused below, like any token that is not ours.
  }
  throw new Failure(400, 'invalid continue token: continue key is not valid')
}

const tooOldList = () => new Failure(410, 'The resourceVersion for the provided list is too old.')

// Version -1 is how Kubernetes lets a client go on with whatever there is by then.
const tooOldPage = (after: string) =>
  new Failure(
    410,
    'The provided continue parameter is too old to display a consistent list result. You can ' +
      'start a new list without the continue parameter, or use the continue token in this ' +
      'response to retrieve the remainder of the results.',
    { continue: tokenOf(-1, after) },
  )

const tooLarge = (asked: number, current: number) =>
  new Failure(504, `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  })
