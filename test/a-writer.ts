// A writer that only remembers, for tests of what is written.

import type { KubeObject } from '#api/meta.ts'
import type { Writer } from '#runtime/writer.ts'

/** What was written, in order, and a writer that answers with `there` whatever is applied. */
export function aWriter(there?: KubeObject & { spec?: unknown }) {
  const written: { how: string; name: string; what?: unknown }[] = []
  const note = (how: string, name: string, what?: unknown) => {
    written.push({ how, name, ...(what !== undefined && { what }) })
  }
  const writer = {
    signal: new AbortController().signal,
    create: async (_kind: unknown, object: KubeObject) =>
      note('create', object.metadata.name, object),
    apply: async (_kind: unknown, object: KubeObject) => {
      note('apply', object.metadata.name, object)
      return there ?? object
    },
    patch: async (_kind: unknown, name: string, patch: unknown) => note('patch', name, patch),
    remove: async (_kind: unknown, name: string, on: unknown) => note('remove', name, on),
  }
  return { written, write: writer as unknown as Writer } // its answers are looked at only where it applies
}
