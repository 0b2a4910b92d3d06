import type { ValueMap } from '#machineconfig/document.ts'

/** For what a document is judged. */
export interface RuleContext {
  /** The minor version of Talos 1.x. */
  readonly minor: number
}

/** What Talos demands of the documents of one kind. Messages are Talos' own. */
export interface KindRules {
  /** What is wrong within the document, in Talos' order. */
  readonly errors?: (fields: ValueMap, context: RuleContext) => Iterable<string>
  readonly warnings?: (fields: ValueMap, context: RuleContext) => Iterable<string>
  /** What says the same in the legacy document; the first such thing. */
  readonly legacyConflict?: LegacyConflict
}

/** The first thing that a document repeats of the legacy one. */
type LegacyConflict = (
  fields: ValueMap,
  legacy: ValueMap,
  context: RuleContext,
) => string | undefined

/** Rules by the kind that they are for. */
export type RulesByKind = Readonly<Record<string, KindRules>>
