import type { ConfigDocument, ValueMap } from '#machineconfig/document.ts'
import type { DocumentKind } from '#machineconfig/shapes/shape.ts'
import { documentKind } from '#machineconfig/shapes/shapes.ts'

/** A document of one of the kinds that came after the legacy one; `fields` in normal form. */
export const newDocument = (kind: string, fields: ValueMap): ConfigDocument => ({
  kind: kindNamed(kind),
  fields: { apiVersion: 'v1alpha1', kind, ...fields },
})

/** The one with `machine` and `cluster`. */
export const newLegacyDocument = (fields: ValueMap): ConfigDocument => ({
  kind: kindNamed(''),
  fields: { version: 'v1alpha1', ...fields },
})

function kindNamed(name: string): DocumentKind {
  const kind = documentKind(name)
  if (kind) return kind
  throw new Error(`there is no kind of document called ${JSON.stringify(name)}`)
}
