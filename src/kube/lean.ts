import type { KubeObject, ObjectMeta } from '#api/meta.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
const MOST_WORDS = 20_000

/**
 * Takes away from an object what nobody here reads and what is often most of it, and lets objects
 * share the words they have in common. Changes the object, which must be the caller's own.
 */
export class Lean {
  readonly #words = new Map<string, string>()
  readonly #typeMeta: { apiVersion: string; kind: string }

  /** What every object is said to be of. A list of a built-in kind leaves it out. */
  constructor(typeMeta: { apiVersion: string; kind: string }) {
    this.#typeMeta = typeMeta
  }

  strip<Object extends KubeObject>(object: Object): Object {
    const bare: KubeObject = object
    // Copied without, instead of deleted: V8 gives an object whose fields were deleted twice the room.
    const { managedFields, annotations, ...rest } = bare.metadata
    const metadata: ObjectMeta = rest
    bare.metadata = metadata
    if (annotations) {
      const { [LAST_APPLIED]: lastApplied, ...kept } = annotations
      metadata.annotations = kept
    }
    if (metadata.namespace !== undefined) metadata.namespace = this.#shared(metadata.namespace)
    bare.apiVersion = this.#typeMeta.apiVersion
    bare.kind = this.#typeMeta.kind
    for (const texts of [metadata.labels, metadata.annotations]) this.#shareValues(texts)
    return object
  }

  #shareValues(texts: Record<string, string> | undefined): void {
    for (const [key, value] of Object.entries(texts ?? {})) {
      if (texts && value.length <= 63) texts[key] = this.#shared(value)
    }
  }

  #shared(word: string): string {
    const known = this.#words.get(word)
    if (known !== undefined) return known
    // Names that never come again would fill it for ever.
    if (this.#words.size < MOST_WORDS) this.#words.set(word, word)
    return word
  }
}
