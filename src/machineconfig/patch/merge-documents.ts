import { checkDocuments } from '#machineconfig/check-documents.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { ConfigDocument } from '#machineconfig/document.ts'
import type { DeleteSelector } from '#machineconfig/read/delete-selectors.ts'
import { deletePath } from './delete-path.ts'
import { MergeProblem } from './merge-problem.ts'
import { mergeFields } from './merge-value.ts'
import type { Step } from './patch.ts'
import { withoutEmptyBytes } from './without-empty-bytes.ts'

/**
 * The documents of a configuration with what a strategic patch does to them; the legacy one comes
 * first. Throws a ConfigError with Talos' words. Shares all that stays as it is.
 */
export function mergeDocuments(
  documents: readonly ConfigDocument[],
  steps: readonly Step[],
): readonly ConfigDocument[] {
  const known = new Map(legacyFirst(documents).map((document) => [idOf(document), document]))
  const added: ConfigDocument[] = []
  for (const step of steps) {
    if (step.do === 'delete') deleteFrom(known, step.selector)
    // What this patch itself has added is not looked at again.
    else if (!mergeInto(known, step.document)) added.push(cleaned(step.document))
  }
  const merged = legacyFirst([...known.values(), ...added])
  checkDocuments(merged)
  return merged
}

type Known = Map<string, ConfigDocument>

const isLegacy = ({ kind }: ConfigDocument): boolean => kind.kind === ''

const legacyFirst = (documents: readonly ConfigDocument[]): readonly ConfigDocument[] => [
  ...documents.filter(isLegacy),
  ...documents.filter((document) => !isLegacy(document)),
]

const typeOf = (document: ConfigDocument): string =>
  isLegacy(document) ? '/v1alpha1' : `v1alpha1/${document.kind.kind}`

const idOf = (document: ConfigDocument): string =>
  document.kind.named ? `${typeOf(document)}/${document.fields.name ?? ''}` : typeOf(document)

function mergeInto(known: Known, patch: ConfigDocument): boolean {
  const id = idOf(patch)
  const document = known.get(id)
  if (!document) return false
  const fields = told(
    () => mergeFields(document.kind.shape, document.fields, patch.fields),
    (why, path) => new ConfigError(`${isLegacy(document) ? '' : `${id}: `}${path}: ${why}`),
  )
  known.set(id, fields === document.fields ? document : cleaned({ ...document, fields }))
  return true
}

function cleaned(document: ConfigDocument): ConfigDocument {
  const fields = withoutEmptyBytes(document.kind.shape, document.fields)
  return fields === document.fields ? document : { ...document, fields }
}

function deleteFrom(known: Known, selector: DeleteSelector): void {
  const { apiVersion, kind, name } = selector
  const id = `${apiVersion}/${kind}${name ? `/${name}` : ''}`
  const document = known.get(id)
  const fields = told(
    () => fieldsWithout(document, selector),
    (why) => new ConfigError(deleteProblem(selector, why)),
  )
  if (!document || !fields) known.delete(id)
  else known.set(id, { ...document, fields })
}

/** Undefined if the document is to go. */
function fieldsWithout(
  document: ConfigDocument | undefined,
  selector: DeleteSelector,
): ConfigDocument['fields'] | undefined {
  // talosctl goes on with a document that nobody can read, or crashes.
  if (!document) throw new MergeProblem('lookup failed')
  if (selector.path.length === 0) return
  return told(
    () => deletePath(document.kind.shape, document.fields, selector),
    (why) => new MergeProblem(`failed to delete path '${selector.path.join('.')}': ${why}`),
  )
}

const deleteProblem = ({ apiVersion, kind, name, path }: DeleteSelector, why: string): string =>
  name
    ? `named patch delete: document ${apiVersion}/${kind}: ${why}`
    : `patch delete: path '${path.join('.')}' in document '${apiVersion}/${kind}': ${why}`

function told<Result>(act: () => Result, tell: (why: string, path: string) => Error): Result {
  try {
    return act()
  } catch (error) {
    throw error instanceof MergeProblem ? tell(error.message, error.path) : error
  }
}
