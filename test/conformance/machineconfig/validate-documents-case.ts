/** Fields of a document without `apiVersion` and `kind`. Texts such as `$ecKey` stand for real ones. */
export type DocumentFields = Readonly<Record<string, unknown>>

/** Documents that are appended to a good configuration, by kind. */
export type DocumentCases = Readonly<Record<string, readonly DocumentFields[]>>

/** Several documents, and paths in the legacy one that are set before. */
export interface CombinedCase {
  readonly name: string
  readonly documents: readonly (readonly [kind: string, fields: DocumentFields])[]
  readonly legacy?: Readonly<Record<string, unknown>>
}
