// A reader of what a test made, for tests of what is seen of it.

import type { KubeObject } from '#api/meta.ts'
import type { Reader } from '#runtime/reader.ts'

interface There {
  /** What the caches show. */
  cached?: readonly KubeObject[]
  /** What the API has. Left out: what the caches show, which are up to date then. */
  live?: readonly KubeObject[]
}

/** A reader of these objects alone, and what the API was asked for through it, in order: `Secret prod-secrets`. */
export function aReader({ cached = [], live = cached }: There = {}) {
  const asked: string[] = []
  const ask = (kind: string, name: string) => {
    asked.push(`${kind} ${name}`)
    return found(live, kind, name)
  }
  const read: Reader = {
    signal: new AbortController().signal,
    get: ({ kind }, name) => found(cached, kind, name) as never, // of the kind that was asked for
    list: ({ kind }) => cached.filter((object) => object.kind === kind) as never[], // the same
    find: () => [],
    count: () => 0,
    fetch: async ({ kind }, name) => ask(kind, name) as never, // the same
    fetchAll: async ({ kind }) => {
      asked.push(`all ${kind}`)
      return live.filter((object) => object.kind === kind) as never[] // the same
    },
    fetchAny: async ({ kind, name }) => {
      const object = ask(kind, name)
      return object ? { is: 'found', object: { ...object } } : { is: 'absent' }
    },
  }
  return { read, asked }
}

const found = (objects: readonly KubeObject[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name)
