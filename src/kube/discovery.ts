import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { ApiKind } from '#api/meta.ts'
import type { Clock } from '#base/clock.ts'
import { shareRuns } from '#base/share-runs.ts'
import { ApiError } from './api-error.ts'
import type { KubeClient } from './client.ts'

const KEEP_MS = 10 * 60_000
// How soon a kind that was not found is looked for again: it may have been installed meanwhile.
const LOOK_AGAIN_MS = 5_000
// What users write into their objects is looked up, so anything may be.
const MOST_KEPT = 200
const LARGEST_BYTES = 8 * 1024 * 1024
const API_VERSION =
  /^(?:(?<group>[a-z0-9][-a-z0-9.]{0,252})\/)?(?<version>[a-z0-9][-a-z0-9]{0,62})$/

const word = Type.String({ minLength: 1, maxLength: 253 })

const ResourceList = Type.Object({
  kind: Type.Literal('APIResourceList'),
  resources: Type.Union([
    Type.Null(),
    Type.Array(
      Type.Object({
        name: word,
        kind: word,
        namespaced: Type.Boolean(),
        verbs: Type.Array(word, { maxItems: 100 }),
      }),
      { maxItems: 10_000 },
    ),
  ]),
})

/** A kind as an API serves it. */
export interface ServedKind extends ApiKind {
  /** What can be done with its objects: `get`, `list`, `watch` … */
  verbs: readonly string[]
  /** The parts of its objects that have an address of their own: `status`, `scale` … */
  subresources: readonly string[]
}

interface Known {
  kinds?: readonly ServedKind[]
  readAtMs: number
  read: (signal: AbortSignal) => Promise<readonly ServedKind[]>
}

/** Knows which kinds an API serves. What it was told is kept for some minutes. */
export class Discovery {
  readonly #client: KubeClient
  readonly #clock: Clock
  readonly #known = new Map<string, Known>()

  constructor({ client, clock }: { client: KubeClient; clock: Clock }) {
    this.#client = client
    this.#clock = clock
  }

  /** The kinds of a group and version, as `apps/v1` or `v1`. None where it is not served at all. */
  kinds(apiVersion: string, signal: AbortSignal): Promise<readonly ServedKind[]> {
    return this.#kinds(apiVersion, KEEP_MS, signal)
  }

  /**
   * The kind that an object or a reference names, or undefined where the API does not serve it. One
   * that is not known is looked for again, but not more often than every few seconds.
   */
  async kindOf(
    { apiVersion, kind }: { apiVersion: string; kind: string },
    signal: AbortSignal,
  ): Promise<ServedKind | undefined> {
    for (const oldestMs of [KEEP_MS, LOOK_AGAIN_MS]) {
      const kinds = await this.#kinds(apiVersion, oldestMs, signal)
      const found = kinds.find((one) => one.kind === kind)
      if (found) return found
    }
    return undefined
  }

  async #kinds(
    apiVersion: string,
    oldestMs: number,
    signal: AbortSignal,
  ): Promise<readonly ServedKind[]> {
    const { group = '', version } = API_VERSION.exec(apiVersion)?.groups ?? {}
    if (version === undefined) return []
    const known = this.#known.get(apiVersion) ?? this.#remember(apiVersion, { group, version })
    const isFresh = this.#clock.monotonicMs() - known.readAtMs < oldestMs
    return known.kinds && isFresh ? known.kinds : known.read(signal)
  }

  #remember(apiVersion: string, place: Place): Known {
    const known: Known = {
      readAtMs: 0,
      read: shareRuns(async (signal) => {
        known.kinds = await this.#read(place, signal)
        known.readAtMs = this.#clock.monotonicMs()
        return known.kinds
      }),
    }
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < MOST_KEPT) break
      this.#known.delete(oldest)
    }
    this.#known.set(apiVersion, known)
    return known
  }

  async #read(place: Place, signal: AbortSignal): Promise<ServedKind[]> {
    const path = place.group ? `/apis/${place.group}/${place.version}` : `/api/${place.version}`
    try {
      const text = await this.#client.read(path, { signal, mostBytes: LARGEST_BYTES })
      return kindsIn(parsed(text, path), place)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return []
      throw error
    }
  }
}

interface Place {
  group: string
  version: string
}

function parsed(text: string, path: string): Static<typeof ResourceList> {
  try {
    const list: unknown = JSON.parse(text)
    if (Value.Check(ResourceList, list)) return list
  } catch {
    // Told below, like JSON of anything else.
  }
  throw new ApiError(`what the API server sent for ${path} is no list of its resources`, {
    status: 0,
    reason: 'Garbled',
  })
}

function kindsIn({ resources }: Static<typeof ResourceList>, place: Place): ServedKind[] {
  const all = resources ?? []
  // What has a slash is a part of something: `pods/eviction`.
  return all
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, kind, namespaced, verbs }) => ({
      ...place,
      kind,
      plural: name,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      verbs,
      subresources: all
        .filter((one) => one.name.startsWith(`${name}/`))
        .map((one) => one.name.slice(name.length + 1)),
    }))
}
