import type { ApiKind, KubeObject } from '#api/meta.ts'
import type { Clock } from '#base/clock.ts'
import { onAbort } from '#base/on-abort.ts'
import { keyOf } from '#kube/cache.ts'
import { kindId } from './kind-id.ts'

/** The part of the caches that tells how far they are. */
interface Caches {
  has(kind: ApiKind): boolean
  get(kind: ApiKind, key: string): KubeObject | undefined
  hasSeen(kind: ApiKind, key: string, resourceVersion: string): boolean
  listen(kind: ApiKind, listener: () => void): () => void
}

interface Ref {
  name: string
  namespace?: string
}

interface Awaited {
  kind: ApiKind
  isSeen: () => boolean
}

/**
 * What one pass has written. The next look waits until the caches show it, so that no plan is made from a
 * world that is older than our own deeds.
 */
export class OwnWrites {
  readonly #watches: Caches
  readonly #clock: Clock
  readonly #awaited = new Map<string, Awaited>()
  readonly #written = new Map<string, KubeObject['metadata']>()

  constructor(watches: Caches, clock: Clock) {
    this.#watches = watches
    this.#clock = clock
  }

  /** The version of an object after our last write to it; undefined if we have not written it. */
  versionOf(kind: ApiKind, object: KubeObject): string | undefined {
    return this.#written.get(idOf(kind, object))?.resourceVersion
  }

  /** Which object has a name, as far as we know. */
  uidOf(kind: ApiKind, ref: Ref): string | undefined {
    const object = { metadata: ref }
    const written = this.#written.get(idOf(kind, object))
    const known = this.#watches.has(kind) ? this.#watches.get(kind, keyOf(object)) : undefined
    return (written ?? known?.metadata)?.uid
  }

  /** An object was written, and came back like this. */
  wrote(kind: ApiKind, object: KubeObject): void {
    const { resourceVersion = '' } = object.metadata
    const key = keyOf(object)
    this.#written.set(idOf(kind, object), object.metadata)
    this.#await(kind, key, () => this.#watches.hasSeen(kind, key, resourceVersion))
  }

  /** The object that had the name and the uid was deleted, or is about to be. */
  removed(kind: ApiKind, ref: Ref, uid: string | undefined): void {
    const key = keyOf({ metadata: ref })
    this.#await(kind, key, () => {
      const found = this.#watches.get(kind, key)
      return !found || found.metadata.uid !== uid || found.metadata.deletionTimestamp !== undefined
    })
  }

  /** Resolves when the caches show everything, or when the time is up; with what is still missing. */
  async seen(withinMs: number, signal: AbortSignal): Promise<string[]> {
    if (this.#missing().length === 0) return []
    await new Promise<void>((resolve) => {
      const end = () => {
        for (const stop of stops) stop()
        resolve()
      }
      const check = () => {
        if (this.#missing().length === 0) end()
      }
      // Of an object's end the cache tells before it knows that it is that far.
      const look = () => queueMicrotask(check)
      const kinds = new Map([...this.#awaited.values()].map(({ kind }) => [kindId(kind), kind]))
      const stops = [...kinds.values()].map((kind) => this.#watches.listen(kind, look))
      stops.push(this.#clock.after(withinMs, end))
      stops.push(onAbort(signal, end))
    })
    return this.#missing()
  }

  #await(kind: ApiKind, key: string, isSeen: () => boolean): void {
    // What nobody watches nobody can be wrong about.
    if (!this.#watches.has(kind)) return
    const id = `${kindId(kind)} ${key}`
    const before = this.#awaited.get(id)?.isSeen ?? (() => true)
    // What was made and taken away in one pass has been seen only when it was seen to come and go.
    this.#awaited.set(id, { kind, isSeen: () => before() && isSeen() })
  }

  #missing(): string[] {
    for (const [id, { isSeen }] of this.#awaited) if (isSeen()) this.#awaited.delete(id)
    return [...this.#awaited.keys()]
  }
}

const idOf = (kind: ApiKind, object: KubeObject): string => `${kindId(kind)} ${keyOf(object)}`
