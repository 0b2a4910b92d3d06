import { quoted } from '#apiserver/field-error.ts'
import { qualifiedName } from '#apiserver/metadata/label-rules.ts'
import { type Fields, fieldsAt, listAt } from '#apiserver/objects.ts'

const standard = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

/** What is said to the writer of an object about finalizers that others could name so, too. */
export function finalizerWarnings(object: Fields, old: Fields | undefined): string[] {
  const before = new Set(finalizersOf(old ?? {}))
  const added = new Set(finalizersOf(object).filter((one) => !before.has(one)))
  return [...added].sort().flatMap(warningsOf)
}

const finalizersOf = (object: Fields): string[] =>
  listAt(fieldsAt(object, 'metadata'), 'finalizers').map(String)

function warningsOf(finalizer: string): string[] {
  const said = `metadata.finalizers: ${quoted(finalizer)}: `
  const problems = qualifiedName(finalizer).map((problem) => `${said}${problem}`)
  if (finalizer.includes('/') || standard.has(finalizer)) return problems
  const path = finalizer.includes('.') ? ' including a path (/)' : ''
  return [
    ...problems,
    `${said}prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`,
  ]
}
