import type { ApiKind, ObjectOf } from '#api/meta.ts'
import { ApiError, isTooOld } from './api-error.ts'
import { Caller, type CallerOptions, type CallOptions } from './caller.ts'
import { parseObject } from './http-json.ts'
import { nameOf, type Place, pathOf, type Query } from './paths.ts'
import type { Response } from './transport.ts'

const PAGE_SIZE = 500

export interface WriteOptions extends CallOptions {
  /** Have the server go through the motions, and change nothing. */
  dryRun?: boolean
  /** Who is said to have written the fields. */
  fieldManager?: string
}

/** One object, or a part of it that has an address of its own. */
export interface Ref extends Place {
  name: string
}

/** Some of a kind's objects. Left out: of all namespaces, with any labels. */
export interface Selection {
  namespace?: string
  labelSelector?: string
  fieldSelector?: string
}

export interface Page<Object> {
  items: Object[]
  /** The version of the whole list, the same on every page. */
  resourceVersion: string
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
 * What is left out is the server's to fill in, or another manager's to own.
 */
export type Draft<K extends ApiKind> = {
  metadata: Partial<ObjectOf<K>['metadata']> & { generateName?: string }
} & DeepPartial<Omit<ObjectOf<K>, 'metadata'>>

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
    const what = `get ${nameOf(kind, ref)}`
    return this.#json({ what, method: 'GET', path: pathOf(kind, ref) }, options)
  }

  /** The pages of a list, one call each, all of the same version of the world. */
  async *pages<K extends ApiKind>(
    kind: K,
    { namespace, ...selectors }: Selection = {},
    options: CallOptions = {},
  ): AsyncGenerator<Page<ObjectOf<K>>> {
    const place = namespace === undefined ? {} : { namespace }
    let token: string | undefined
    do {
      const path = pathOf(kind, place, { ...selectors, limit: PAGE_SIZE, continue: token })
      const what = `list ${nameOf(kind, place)}`
      const page = await this.#json<ListAnswer<ObjectOf<K>> | null>(
        { what, method: 'GET', path },
        options,
      )
      const resourceVersion = page?.metadata?.resourceVersion
      // Anything else, taken for an empty list, would mean that all objects are gone.
      if (!resourceVersion || !Array.isArray(page.items ?? [])) throw noList(what)
      const next = page.metadata?.continue || undefined
      if (next !== undefined && next === token) throw noList(what)
      yield { items: page.items ?? [], resourceVersion }
      token = next
    } while (token)
  }

  /** All objects of the selection. A list that expires between two pages is begun anew. */
  async list<K extends ApiKind>(
    kind: K,
    selection: Selection = {},
    options: CallOptions = {},
  ): Promise<Page<ObjectOf<K>>> {
    for (let attempt = 1; ; attempt++) {
      try {
        const whole: Page<ObjectOf<K>> = { items: [], resourceVersion: '' }
        for await (const page of this.pages(kind, selection, options)) {
          for (const item of page.items) whole.items.push(item)
          whole.resourceVersion = page.resourceVersion
        }
        return whole
      } catch (error) {
        if (!isTooOld(error) || attempt === 3) throw error
      }
    }
  }

  async create<K extends ApiKind>(
    kind: K,
    object: Draft<K>,
    options: WriteOptions = {},
  ): Promise<ObjectOf<K>> {
    const { namespace, name, generateName } = object.metadata
    const place = namespace === undefined ? {} : { namespace }
    return this.#json(
      {
        what: `create ${nameOf(kind, { ...place, name: name ?? `${generateName}…` })}`,
        method: 'POST',
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
    options: WriteOptions & { subresource?: Place['subresource'] } = {},
  ): Promise<ObjectOf<K>> {
    const ref = refOf(object, options.subresource)
    return this.#json(
      {
        what: `update ${nameOf(kind, ref)}`,
        method: 'PUT',
        path: pathOf(kind, ref, writeQuery(options)),
        body: { ...typeMeta(kind), ...object },
      },
      options,
    )
  }

  async patch<K extends ApiKind>(
    kind: K,
    ref: Ref,
    { type, body, ...options }: Patch & WriteOptions,
  ): Promise<ObjectOf<K>> {
    return this.#json(
      {
        what: `patch ${nameOf(kind, ref)}`,
        method: 'PATCH',
        path: pathOf(kind, ref, writeQuery(options)),
        contentType: PATCH_TYPES[type],
        body,
      },
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
    options: WriteOptions & {
      fieldManager: string
      force?: boolean
      subresource?: Place['subresource']
    },
  ): Promise<ObjectOf<K>> {
    const ref = refOf(object, options.subresource)
    return this.#json(
      {
        what: `apply ${nameOf(kind, ref)}`,
        method: 'PATCH',
        path: pathOf(kind, ref, { ...writeQuery(options), force: options.force }),
        contentType: 'application/apply-patch+yaml',
        body: { ...typeMeta(kind), ...object },
      },
      options,
    )
  }

  /** Asks for an object to be deleted. It may stay for a while, until its finalizers are gone. */
  async remove(kind: ApiKind, ref: Ref, options: RemoveOptions = {}): Promise<void> {
    const { propagation, preconditions, gracePeriodSeconds, dryRun } = options
    await this.#caller.text(
      {
        what: `delete ${nameOf(kind, ref)}`,
        method: 'DELETE',
        path: pathOf(kind, ref),
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          ...(propagation && { propagationPolicy: propagation }),
          ...(preconditions && { preconditions }),
          ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
          ...(dryRun && { dryRun: ['All'] }),
        },
      },
      options,
    )
  }

  /** Opens the stream of changes after a version. {@link readWatch} makes events of it. */
  openWatch(
    kind: ApiKind,
    { namespace, ...selectors }: Selection & { resourceVersion: string; timeoutSeconds: number },
    options: CallOptions & { signal: AbortSignal },
  ): Promise<Response> {
    const place = namespace === undefined ? {} : { namespace }
    const query = { ...selectors, watch: true, allowWatchBookmarks: true }
    const what = `watch ${nameOf(kind, place)}`
    return this.#caller.open({ what, method: 'GET', path: pathOf(kind, place, query) }, options)
  }

  /** Reads a path that belongs to no kind: `/version`, `/apis`, `/readyz?verbose`. */
  read(path: string, options: CallOptions = {}): Promise<string> {
    return this.#caller.text({ what: `read ${path}`, method: 'GET', path }, options)
  }

  async #json<Answer>(call: Parameters<Caller['text']>[0], options: CallOptions): Promise<Answer> {
    return parseObject<Answer>(await this.#caller.text(call, options))
  }
}

interface ListAnswer<Object> {
  items?: Object[] | null
  metadata?: { resourceVersion?: string; continue?: string }
}

const noList = (what: string): ApiError =>
  new ApiError(`could not ${what}: the API server answered with something that is no list`, {
    status: 0,
    reason: 'Garbled',
  })

const typeMeta = ({ group, version, kind }: ApiKind) => ({
  apiVersion: group === '' ? version : `${group}/${version}`,
  kind,
})

const writeQuery = ({ dryRun, fieldManager }: WriteOptions): Query => ({
  dryRun: dryRun ? 'All' : undefined,
  fieldManager,
})

const refOf = (
  { metadata }: { metadata: { name: string; namespace?: string } },
  subresource: Place['subresource'],
): Ref => ({
  name: metadata.name,
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  ...(subresource && { subresource }),
})
