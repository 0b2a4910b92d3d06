import type { YamlNode } from '#base/yaml/yaml-node.ts'
import { checkDocuments } from '#machineconfig/check-documents.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { documentsIn } from '#machineconfig/read/read-documents.ts'
import { readYaml } from '#machineconfig/read/yaml-tree.ts'
import { isDeeper, jsonOf, loadOperations, notOperations, operationsOf } from './load-operations.ts'
import { Patch, type PatchContent, type Step } from './patch.ts'

/** A patch as a text, or as JSON that was read by somebody else; `name` is what errors call it. */
export type PatchSource =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly value: unknown }

const DEEPEST = 100

/**
 * Reads a patch: a strategic one, which is one or more partial documents, or a JSON patch (RFC 6902)
 * in JSON or YAML. Throws a ConfigError that begins with the name.
 */
export function loadPatch(source: PatchSource): Patch {
  try {
    return new Patch(source.name, contentOf(source))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(`${source.name}: ${error.message}`)
  }
}

function contentOf(source: PatchSource): PatchContent {
  if ('text' in source) return contentOfText(source.text)
  const { value } = source
  if (typeof value === 'string') return contentOfText(value)
  const operations = Array.isArray(value) ? operationsOf(value) : undefined
  if (operations) return { is: 'json', operations }
  if (isDeeper(value, DEEPEST)) throw new ConfigError(`nested more than ${DEEPEST} deep`)
  return contentOfText(JSON.stringify(value ?? null))
}

function contentOfText(text: string): PatchContent {
  let roots: readonly YamlNode[] | undefined
  try {
    roots = readYaml(text)
    return { is: 'strategic', steps: stepsOf(roots) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const json = jsonOf(text)
    const operations = loadOperations(json, roots)
    if (operations) return { is: 'json', operations }
    throw text.trimStart().startsWith('[') ? notOperations(json) : error
  }
}

function stepsOf(roots: readonly YamlNode[]): readonly Step[] {
  const { documents, deletes } = documentsIn(roots, { allowDeletes: true })
  if (documents.length + deletes.length === 0) throw new ConfigError('config not found')
  checkDocuments(documents)
  const placed = [
    ...deletes.map((selector) => ({
      legacy: selector.kind === 'v1alpha1' ? 0 : 2,
      line: selector.line,
      step: { do: 'delete', selector } as const,
    })),
    ...documents.map((document) => ({
      legacy: document.kind.kind === '' ? 1 : 2,
      line: document.line ?? 0,
      step: { do: 'merge', document } as const,
    })),
  ]
  // The legacy document comes first, wherever it is; all else as it is written.
  return placed.sort((a, b) => a.legacy - b.legacy || a.line - b.line).map(({ step }) => step)
}
