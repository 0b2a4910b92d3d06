import { isNull } from '#base/yaml/resolve-scalar.ts'
import { entryOf, type YamlMap, type YamlNode } from '#base/yaml/yaml-node.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { ConfigDocument } from '#machineconfig/document.ts'
import type { DocumentKind } from '#machineconfig/shapes/shape.ts'
import { documentKind } from '#machineconfig/shapes/shapes.ts'
import { parseVersion } from '#machineconfig/versions/version.ts'
import { type DeleteSelector, takeDeletes } from './delete-selectors.ts'
import { problemWithVersion } from './newer-than.ts'
import { nullItemsProblem } from './null-items.ts'
import { readFields } from './read-value.ts'
import { readYaml } from './yaml-tree.ts'

export interface ReadDocumentsOptions {
  /** For a patch. Takes `$patch: delete` out of the text; without it, that is an unknown key. */
  readonly allowDeletes?: boolean
  /** What is newer than this is refused. Without it, everything that any version has is taken. */
  readonly talosVersion?: string
}

export interface ReadDocuments {
  readonly documents: readonly ConfigDocument[]
  /** What `$patch: delete` asks for, in order. */
  readonly deletes: readonly DeleteSelector[]
}

/** The documents of a text. Throws a ConfigError, in Talos' words where it has any. */
export const readDocuments = (text: string, options: ReadDocumentsOptions = {}): ReadDocuments =>
  documentsIn(readYaml(text), options)

/** The same of a text that was read as YAML. */
export function documentsIn(
  roots: readonly YamlNode[],
  options: ReadDocumentsOptions = {},
): ReadDocuments {
  const documents: ConfigDocument[] = []
  const deletes: DeleteSelector[] = []
  const known = new Set<string>()
  for (const [index, root] of roots.entries()) {
    const left = options.allowDeletes ? takeDeletes(root, { index, deletes }) : root
    if (!left || isNull(left)) continue
    if (left.kind !== 'map') throw new ConfigError(`expected a YAML document at line ${left.line}`)
    documents.push(readDocument(left, known, options))
  }
  return { documents, deletes }
}

function readDocument(
  map: YamlMap,
  known: Set<string>,
  options: ReadDocumentsOptions,
): ConfigDocument {
  const [version, kind, name] = ['apiVersion', 'kind', 'name'].map((key) => textUnder(map, key))
  const id = `${version}/${kind || 'v1alpha1'}/${name}`
  if (known.has(id))
    throw new ConfigError(`duplicate document ${id} is not allowed (line ${map.line})`)
  known.add(id)
  try {
    return decode(map, options)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(`error decoding document ${id} (line ${map.line}): ${error.message}`)
  }
}

// From this minor version on, nulls are refused and problems told on one line.
const FIRST_OF_LATER = 14

function decode(
  map: YamlMap,
  { talosVersion, allowDeletes = false }: ReadDocumentsOptions,
): ConfigDocument {
  const kind = kindOf(map)
  const minor = parseVersion(talosVersion ?? '')?.minor ?? 0
  const isLater = minor >= FIRST_OF_LATER
  const fields = readFields(kind, map, { isPatch: allowDeletes, isLater })
  const nulls = isLater ? nullItemsProblem(kind.shape, map) : ''
  if (nulls !== '') throw new ConfigError(nulls)
  const problem =
    talosVersion === undefined ? undefined : problemWithVersion({ kind, fields }, talosVersion)
  if (problem) throw new ConfigError(problem)
  return { kind, fields, line: map.line }
}

const LEGACY_KEYS = new Set(['machine', 'cluster', 'debug', 'persist'])

function kindOf(map: YamlMap): DocumentKind {
  const { version, kind } = namesIn(map)
  if (kind === '' && version !== 'v1alpha1') throw new ConfigError('missing kind')
  if (version === '') throw new ConfigError('missing apiVersion')
  const found = version === 'v1alpha1' ? documentKind(kind) : undefined
  if (found) return found
  throw new ConfigError(`${JSON.stringify(kind)} ${JSON.stringify(version)}: not registered`)
}

function namesIn({ entries }: YamlMap): { version: string; kind: string } {
  const names = { version: '', kind: '' }
  for (const { key, value } of entries) {
    if (key.kind !== 'scalar') continue
    if (key.text === 'kind') names.kind = stringOf(value, 'kind')
    else if (key.text === 'apiVersion') names.version = stringOf(value, 'version')
    else if (LEGACY_KEYS.has(key.text)) names.version = 'v1alpha1'
  }
  return names
}

function stringOf(node: YamlNode, what: string): string {
  if (isNull(node)) return ''
  if (node.kind === 'scalar') return node.text
  const tag = node.kind === 'map' ? '!!map' : '!!seq'
  throw new ConfigError(
    `${what} decode: yaml: construct errors:\n  line ${node.line}: cannot construct ${tag} into string`,
  )
}

function textUnder(map: YamlMap, key: string): string {
  const node = entryOf(map, key)
  return node?.kind === 'scalar' ? node.text : ''
}
