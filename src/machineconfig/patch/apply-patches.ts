import { checkDocuments } from '#machineconfig/check-documents.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { ConfigDocument } from '#machineconfig/document.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { readDocuments } from '#machineconfig/read/read-documents.ts'
import { readYaml } from '#machineconfig/read/yaml-tree.ts'
import { toPlain } from '#machineconfig/write/plain.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { applyOperations, changeByOperations } from './apply-operations.ts'
import { mergeDocuments } from './merge-documents.ts'
import type { Operation, Patch } from './patch.ts'
import { oldPlainValue } from './plain-yaml.ts'
import { writeJson } from './write-json.ts'

/**
 * A configuration with patches, one after the other. Throws a ConfigError that begins with the name
 * of the patch which does not apply. Never changes what it is given, and shares what stays as it is.
 */
export function applyPatches(
  config: MachineConfig | string,
  patches: readonly Patch[],
): MachineConfig {
  if (typeof config !== 'string' && patches.length === 0) return config
  const start: State = typeof config === 'string' ? textState(config) : stateOf(config.documents)
  const documents = patched(start, patches).documents()
  if (documents.length === 0) throw new ConfigError('config not found')
  return new MachineConfig(documents)
}

/**
 * The text of a configuration with patches, as `talosctl machineconfig patch` prints it: what a JSON
 * patch makes of it is not read again, has its keys sorted and is indented by two.
 */
export const patchText = (text: string, patches: readonly Patch[]): string =>
  patched(textState(text), patches).text()

/** What the configuration is between two patches: each form is made from another only if needed. */
interface State {
  readonly text: () => string
  readonly documents: () => readonly ConfigDocument[]
  /** The only document as JSON, with a JSON patch applied. After that, nobody looks at this state any more. */
  readonly operated: (operations: readonly Operation[]) => unknown
}

const patched = (start: State, patches: readonly Patch[]): State =>
  patches.reduce((state, patch) => next(state, patch), start)

function next(state: State, { name, content }: Patch): State {
  if (content.is === 'json') {
    const json = named(name, () => state.operated(content.operations))
    return jsonState(json, name)
  }
  const documents = state.documents()
  return stateOf(named(name, () => mergeDocuments(documents, content.steps)))
}

const textState = (text: string): State => ({
  text: () => text,
  documents: () => documentsOf(text),
  operated: (operations) =>
    changeByOperations(onlyOne(readYaml(text).map(oldPlainValue)), operations),
})

const stateOf = (documents: readonly ConfigDocument[]): State => ({
  text: () => writeConfig(new MachineConfig(documents)),
  documents: () => documents,
  operated: (operations) =>
    applyOperations(onlyOne(toPlain(new MachineConfig(documents))), operations),
})

const jsonState = (json: unknown, name: string): State => ({
  text: () => writeJson(json),
  documents: () => named(name, () => documentsOf(writeJson(json))),
  operated: (operations) => changeByOperations(json, operations),
})

function documentsOf(text: string): readonly ConfigDocument[] {
  const { documents } = readDocuments(text)
  if (documents.length === 0) throw new ConfigError('config not found')
  checkDocuments(documents)
  return documents
}

function onlyOne(documents: readonly unknown[]): unknown {
  if (documents.length === 1) return documents[0]
  throw new ConfigError(
    'JSON6902 patches are not supported for multi-document machine configuration',
  )
}

function named<Result>(name: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`${name}: ${error.message}`) : error
  }
}
