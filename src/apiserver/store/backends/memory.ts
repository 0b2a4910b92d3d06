import type { Backend, Entry } from '#apiserver/store/store.ts'

/**
 * Keeps entries as long as the process lives. A store that is opened on the same backend again finds
 * what the one before had committed, as after a restart.
 */
export function memoryBackend(): Backend {
  const kept = new Map<string, Entry>()
  let newest = 0
  return {
    load: async () => ({ revision: newest, entries: [...kept.values()] }),
    commit: async ({ revision, writes }) => {
      for (const { key, revision: at, value } of writes) {
        if (value) kept.set(key, { key, revision: at, value })
        else kept.delete(key)
      }
      newest = revision
    },
    [Symbol.asyncDispose]: async () => {},
  }
}
