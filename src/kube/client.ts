import { Pod } from '#api/foreign.ts'
import type { ApiKind, ObjectOf } from '#api/meta.ts'
import { isNotFound } from './api-error.ts'
import type { Uncached } from './cache.ts'
import { type Call, Caller, type CallerOptions, type CallOptions } from './caller.ts'
import { parseObject } from './http-json.ts'
import { gather, type Page, readPages } from './lists.ts'
import { nameOf, type Place, pathOf, type Query, typeMeta } from './paths.ts'
import { type Scale, type SentScale, wholeScale } from './scale.ts'
import type { Response } from './transport.ts'

export interface WriteOptions extends CallOptions {
  /** Have the server go through the motions, and change nothing. */
  dryRun?: boolean
  /** Who is said to have written the fields. */
  fieldManager?: string
  /** Have fields that the kind does not have refused. Left out: the server drops them, and warns. */
  fieldValidation?: 'Strict'
}

/** One object, or its status, which has an address of its own. */
export interface Ref {
  namespace?: string
  name: string
  subresource?: 'status'
}

/** Some of a kind's objects. Left out: of all namespaces, with any labels. */
export interface Selection {
  namespace?: string
  labelSelector?: string
  fieldSelector?: string
  /** As they were when there was an object of this version, or later. Left out: as they are now, as far as anybody knows. */
  notOlderThan?: string
}

interface ReadOptions extends CallOptions {
  /** How large the answer may be. */
  mostBytes?: number
}

export interface RemoveOptions extends CallOptions {
  dryRun?: boolean
  /** What becomes of the objects that this one owns. */
  propagation?: 'Background' | 'Foreground' | 'Orphan'
  /** Delete only what is still this very object, or this very version of it. */
  preconditions?: { uid?: string; resourceVersion?: string }
  gracePeriodSeconds?: number
}

export type Patch =
  | { type: 'json'; body: { op: string; path: string; value?: unknown; from?: string }[] }
  | { type: 'merge' | 'strategic'; body: object }

const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

/**
 * An object to be written: a name (or the beginning of one), and whatever we have to say of the rest.
 * What is left out is the server's to fill in, or another manager's to own. None comes from a cache.
 */
export type Draft<K extends ApiKind> = {
  metadata: Partial<ObjectOf<K>['metadata']> & { generateName?: string }
} & DeepPartial<Omit<ObjectOf<K>, 'metadata'>> &
  Uncached

type DeepPartial<Value> = Value extends (infer Item)[]
  ? DeepPartial<Item>[]
  : Value extends object
    ? { [Key in keyof Value]?: DeepPartial<Value[Key]> }
    : Value

/**
 * A Kubernetes API, typed by kind. Each method is one call (a list one per page), within a deadline,
 * that can be aborted; what fails is an ApiError. No object is kept here.
 */
export class KubeClient {
  readonly #caller: Caller

  constructor(options: CallerOptions) {
    this.#caller = new Caller(options)
  }

  /** Ends all connections. Calls that are under way fail. */
  close(): void {
    this.#caller.close()
  }

  async get<K extends ApiKind>(kind: K, ref: Ref, options: CallOptions = {}): Promise<ObjectOf<K>> {
    return this.#json({ verb: 'get', ...address(kind, ref) }, options)
  }

  /** An object, or undefined where there is none. That its kind is not served is still an error. */
  async find<K extends ApiKind>(
    kind: K,
    ref: Ref,
    options: CallOptions = {},
  ): Promise<ObjectOf<K> | undefined> {
    try {
      return await this.get(kind, ref, options)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  /**
   * The pages of a list, one call each, all of the same version of the world; a 410 when that has
   * expired before the last one. A page size of 0 means all in one page.
   */
  pages<K extends ApiKind>(
    kind: K,
    { namespace, notOlderThan, ...selectors }: Selection = {},
    { pageSize, ...options }: CallOptions & { pageSize?: number | undefined } = {},
  ): AsyncGenerator<Page<ObjectOf<K>>> {
    const place = placeIn(namespace)
    const read = (query: Query) => {
      // The first page decides how old all of them are.
      const age = query.continue ? {} : ageOf(notOlderThan)
      const at = address(kind, place, { ...selectors, ...age, ...query })
      return this.#caller.text({ verb: 'list', ...at }, options)
    }
    return readPages(nameOf(kind, place), read, pageSize)
  }

  /** All objects of the selection. A list that expires between two pages is begun anew. */
  list<K extends ApiKind>(
    kind: K,
    selection: Selection = {},
    options: CallOptions = {},
  ): Promise<Page<ObjectOf<K>>> {
    return this.listAs(kind, selection, { ...options, keep: (object) => object })
  }

  /** As `list`, but of each object only what `keep` makes of it is ever held. */
  listAs<K extends ApiKind, Kept>(
    kind: K,
    selection: Selection,
    { keep, ...options }: CallOptions & { keep: (object: ObjectOf<K>) => Kept },
  ): Promise<Page<Kept>> {
    return gather((pageSize) => this.pages(kind, selection, { ...options, pageSize }), keep)
  }

  async create<K extends ApiKind>(
    kind: K,
    object: Draft<K>,
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    const { namespace, name, generateName } = object.metadata
    const place = placeIn(namespace)
    return this.#json(
      {
        verb: 'create',
        what: nameOf(kind, { ...place, name: name ?? `${generateName}…` }),
        path: pathOf(kind, place, writeQuery(options)),
        body: { ...typeMeta(kind), ...object },
      },
      options,
    )
  }

  /** Replaces an object; refused as a Conflict if it is no longer of the version in the metadata. */
  async update<K extends ApiKind>(
    kind: K,
    object: Draft<K> & { metadata: { name: string } },
    options: WriteOptions & Pick<Ref, 'subresource'> = {},
  ): Promise<ObjectOf<K>> {
    const body = { ...typeMeta(kind), ...object }
    const ref = refOf(object, options)
    return this.#json({ verb: 'update', ...address(kind, ref, writeQuery(options)), body }, options)
  }

  async patch<K extends ApiKind>(
    kind: K,
    ref: Ref,
    { type, body, ...options }: Patch & WriteOptions,
  ): Promise<ObjectOf<K>> {
    const contentType = PATCH_TYPES[type]
    return this.#json(
      { verb: 'patch', ...address(kind, ref, writeQuery(options)), contentType, body },
      options,
    )
  }

  /**
   * Server-side apply: the fields in the object become ours and get these values; those that we
   * applied before and leave out now go away. What others own is a Conflict, unless `force`.
   */
  async apply<K extends ApiKind>(
    kind: K,
    object: Draft<K> & { metadata: { name: string } },
    options: WriteOptions & Pick<Ref, 'subresource'> & { fieldManager: string; force?: boolean },
  ): Promise<ObjectOf<K>> {
    const query = { ...writeQuery(options), force: options.force }
    return this.#json(
      {
        verb: 'apply',
        ...address(kind, refOf(object, options), query),
        contentType: 'application/apply-patch+yaml',
        body: { ...typeMeta(kind), ...object },
      },
      options,
    )
  }

  /** Asks for an object to be deleted. It may stay for a while, until its finalizers are gone. */
  async remove(kind: ApiKind, ref: Ref, options: RemoveOptions = {}): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...deletion(options) }
    await this.#caller.text({ verb: 'delete', ...address(kind, ref), body }, options)
  }

  /**
   * Asks for a pod to leave its node. One that a PodDisruptionBudget holds is refused at once, with
   * status 429: come again later, or see `isOverBudget`.
   */
  async evict(
    { namespace, name }: { namespace: string; name: string },
    options: Omit<RemoveOptions, 'propagation'> = {},
  ): Promise<void> {
    const body = {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { namespace, name },
      deleteOptions: deletion(options),
    }
    const place = { namespace, name, subresource: 'eviction' } as const
    await this.#caller.text({ verb: 'create', ...address(Pod, place), body }, options)
  }

  /** How many replicas an object wants and has. */
  async scale(kind: ApiKind, ref: Target, options: CallOptions = {}): Promise<Scale> {
    return wholeScale(
      await this.#json<SentScale>({ verb: 'get', ...address(kind, scaleOf(ref)) }, options),
    )
  }

  /** Says how many replicas an object is to have, and nothing else of it. */
  async setScale(
    kind: ApiKind,
    ref: Target,
    { replicas, ...options }: WriteOptions & { replicas: number },
  ): Promise<Scale> {
    const call: Call = {
      verb: 'patch',
      ...address(kind, scaleOf(ref), writeQuery(options)),
      contentType: PATCH_TYPES.merge,
      body: { spec: { replicas } },
    }
    return wholeScale(await this.#json<SentScale>(call, options))
  }

  /** Opens the stream of changes after a version. {@link readWatch} makes events of it. */
  openWatch(
    kind: ApiKind,
    { namespace, ...selectors }: Selection & { resourceVersion: string; timeoutSeconds: number },
    options: CallOptions & { signal: AbortSignal },
  ): Promise<Response> {
    const query = { ...selectors, watch: true, allowWatchBookmarks: true }
    return this.#caller.open(
      { verb: 'watch', ...address(kind, placeIn(namespace), query) },
      options,
    )
  }

  /** Reads a path that belongs to no kind: `/version`, `/apis`, `/readyz?verbose`. */
  read(path: string, { mostBytes, ...options }: ReadOptions = {}): Promise<string> {
    const bound = mostBytes === undefined ? {} : { mostBytes }
    return this.#caller.text({ verb: 'other', what: path, path, ...bound }, options)
  }

  async #json<Answer>(call: Call, options: CallOptions): Promise<Answer> {
    return parseObject<Answer>(await this.#caller.text(call, options))
  }
}

type Target = Pick<Ref, 'namespace' | 'name'>

const address = (kind: ApiKind, place: Place, query: Query = {}) => ({
  what: nameOf(kind, place),
  path: pathOf(kind, place, query),
})

const placeIn = (namespace: string | undefined): Place =>
  namespace === undefined ? {} : { namespace }

const scaleOf = (ref: Target): Place => ({ ...ref, subresource: 'scale' })

const refOf = (
  { metadata: { name, namespace } }: { metadata: { name: string; namespace?: string } },
  { subresource }: Pick<Ref, 'subresource'>,
): Place => ({ ...placeIn(namespace), name, ...(subresource && { subresource }) })

const ageOf = (resourceVersion: string | undefined): Query =>
  resourceVersion === undefined ? {} : { resourceVersion, resourceVersionMatch: 'NotOlderThan' }

const writeQuery = ({ dryRun, fieldManager, fieldValidation }: WriteOptions): Query => ({
  dryRun: dryRun ? 'All' : undefined,
  ...{ fieldManager, fieldValidation },
})

const deletion = ({ propagation, preconditions, gracePeriodSeconds, dryRun }: RemoveOptions) => ({
  ...(propagation && { propagationPolicy: propagation }),
  ...(preconditions && { preconditions }),
  ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  ...(dryRun && { dryRun: ['All'] }),
})
