import type { DocumentKind } from './shapes/shape.ts'

/** JSON as Talos holds it: what YAML can say, without anchors, tags and comments. */
export type Value = string | number | boolean | null | readonly Value[] | ValueMap
export interface ValueMap {
  readonly [key: string]: Value
}

/**
 * One document of a configuration. `fields` is in normal form: what Talos would call a zero value is
 * absent (an empty string, 0, false, null, an unset struct), unless its shape is a pointer, for which
 * present and empty differ from absent. Empty lists and maps that were written are there. Keys of a
 * struct come in any order. Never changed in place: patches make new ones that share parts.
 */
export interface ConfigDocument {
  readonly kind: DocumentKind
  readonly fields: ValueMap
  /** The line on which it begins, if it was read from a text. */
  readonly line?: number
}
