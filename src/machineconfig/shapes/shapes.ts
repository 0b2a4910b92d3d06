import { shapeBuilder } from './build-shapes.ts'
import type { DocumentKind } from './shape.ts'
import { documentLines, typeLines } from './table.ts'

/** A kind of document by its name; the legacy one, which has none, is ''. */
export function documentKind(kind: string): DocumentKind | undefined {
  return kinds().get(kind)
}

/** Every kind of document of every version, by name. */
export function documentKinds(): readonly DocumentKind[] {
  return [...kinds().values()]
}

let loaded: ReadonlyMap<string, DocumentKind> | undefined

function kinds(): ReadonlyMap<string, DocumentKind> {
  loaded ??= load()
  return loaded
}

function load(): ReadonlyMap<string, DocumentKind> {
  const { structOf } = shapeBuilder(typeLines())
  const sorted = documentLines().sort((a, b) => (a.kind < b.kind ? -1 : 1))
  return new Map(sorted.map(({ type, ...line }) => [line.kind, { ...line, shape: structOf(type) }]))
}
