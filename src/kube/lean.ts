import type { KubeObject, ObjectMeta } from '#api/meta.ts'

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
// A power of two.
const PLACES = 16_384
const LONGEST_WORD = 63

/**
 * Takes away from an object what nobody here reads and what is often most of it, and lets objects
 * share the words they have in common. Changes the object, which must be the caller's own.
 */
export class Lean {
  readonly #words: string[] = new Array(PLACES).fill('')
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
    bare.apiVersion = this.#typeMeta.apiVersion
    bare.kind = this.#typeMeta.kind
    this.#shareWordsIn(object)
    return object
  }

  /** Goes through everything that is left, as most words are the same in many objects. */
  #shareWordsIn(value: object): void {
    if (Array.isArray(value)) this.#shareItems(value)
    else if (isRecord(value)) this.#shareFields(value)
  }

  #shareItems(items: unknown[]): void {
    for (let index = 0; index < items.length; index++) {
      const item = items[index]
      if (typeof item === 'string') items[index] = this.#shared(item)
      else if (typeof item === 'object' && item) this.#shareWordsIn(item)
    }
  }

  #shareFields(fields: Record<string, unknown>): void {
    for (const key in fields) {
      const field = fields[key]
      if (typeof field === 'string') fields[key] = this.#shared(field)
      else if (typeof field === 'object' && field) this.#shareWordsIn(field)
    }
  }

  // Each word has one place, which it takes from the one before: what comes often is mostly there, what
  // comes once is soon gone, and the table never grows.
  #shared(word: string): string {
    const { length } = word
    if (length > LONGEST_WORD) return word
    let place = length
    for (let at = 0; at < length; at += 1 + (length >> 3)) {
      place = (place * 31 + word.charCodeAt(at)) | 0
    }
    place &= PLACES - 1
    const known = this.#words[place]
    if (known === word) return known
    this.#words[place] = word
    return word
  }
}

// An object that came as JSON.
const isRecord = (value: object): value is Record<string, unknown> => !Array.isArray(value)
