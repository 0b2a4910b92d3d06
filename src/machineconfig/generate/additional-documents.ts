import { checkDocuments } from '#machineconfig/check-documents.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { ConfigDocument } from '#machineconfig/document.ts'
import { MachineConfig } from '#machineconfig/machine-config.ts'
import { problemWithVersion } from '#machineconfig/read/newer-than.ts'
import { readPlain } from '#machineconfig/read/read-value.ts'
import { documentKind } from '#machineconfig/shapes/shapes.ts'

/** A document that the user wrote; `name` is what errors call it. */
export interface AdditionalDocument {
  readonly name: string
  readonly value: unknown
}

/** What further documents are added to. */
export interface Base {
  readonly patched: MachineConfig
  /** As it was before the patches. */
  readonly generated: MachineConfig
  /** What a document has may not be newer. */
  readonly talosVersion: string
}

/**
 * The configuration with further documents at its end. One that is like a generated document, by kind and
 * name, takes its place; like any other, it is refused, as it is not clear which of the two is meant.
 */
export function withAdditionalDocuments(
  { patched, generated, talosVersion }: Base,
  additional: readonly AdditionalDocument[],
): MachineConfig {
  if (additional.length === 0) return patched
  const replaceable = new Set(generated.documents.map(identity))
  const documents = new Map(patched.documents.map((document) => [identity(document), document]))
  for (const { name, value } of additional) {
    const document = read(name, value)
    const problem = problemWithVersion(document, talosVersion)
    if (problem !== undefined) throw new ConfigError(`${name}: ${problem}`)
    const id = identity(document)
    if (documents.has(id) && !replaceable.has(id)) {
      throw new ConfigError(`${name}: duplicate document ${id} is not allowed`)
    }
    replaceable.delete(id)
    documents.set(id, document)
  }
  const all = [...documents.values()]
  checkDocuments(all)
  return new MachineConfig(all)
}

const identity = ({ kind, fields }: ConfigDocument): string =>
  kind.kind === '' ? '' : `v1alpha1/${kind.kind}/${kind.named ? fields.name : ''}`

function read(name: string, value: unknown): ConfigDocument {
  try {
    return decode(value)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(`${name}: ${error.message}`)
  }
}

function decode(value: unknown): ConfigDocument {
  const { apiVersion = '', kind = '' } = headOf(value)
  if (kind === '') {
    throw new ConfigError('missing kind: what belongs to `machine` and `cluster` is a patch')
  }
  if (apiVersion === '') throw new ConfigError('missing apiVersion')
  const known = apiVersion === 'v1alpha1' && typeof kind === 'string' && documentKind(kind)
  if (known) return { kind: known, fields: readPlain(known, value) }
  throw new ConfigError(`${JSON.stringify(kind)} ${JSON.stringify(apiVersion)}: not registered`)
}

const headOf = (value: unknown): { apiVersion?: unknown; kind?: unknown } =>
  typeof value === 'object' && value !== null ? value : {}
