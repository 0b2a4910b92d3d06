import { NO_PROPERTIES, type Properties, takeName } from './properties.ts'
import type { Mark, Source } from './source.ts'
import type { YamlEntry, YamlNode } from './yaml-node.ts'
import { isRead, type Reading, type YamlSteps } from './yaml-steps.ts'

/** What is known of a node before it is read. */
export interface Head {
  readonly mark: Mark
  readonly properties: Properties
}

/** A scalar; `plain` without quotes. */
export const scalarNode = (
  { mark: { line, column }, properties: { tag } }: Head,
  text: string,
  plain: boolean,
): YamlNode => ({ kind: 'scalar', line, column: column + 1, tag, text, plain })

/** What is there where nothing is. */
export const emptyNode = (mark: Mark, properties: Properties = NO_PROPERTIES): YamlNode =>
  scalarNode({ mark, properties }, '', true)

export const mapNode = (
  { mark: { line, column }, properties: { tag } }: Head,
  entries: readonly YamlEntry[],
): YamlNode => ({ kind: 'map', line, column: column + 1, tag, entries })

export const listNode = (
  { mark: { line, column }, properties: { tag } }: Head,
  items: readonly YamlNode[],
): YamlNode => ({ kind: 'list', line, column: column + 1, tag, items })

interface Name {
  readonly anchor: string
  readonly depth: number
}

/** Reads a node that is no collection of a block, and counts it. */
export function anchored(source: Source, name: Name, read: () => Reading): Reading {
  return remembered(source, name, () => {
    source.count()
    return read()
  })
}

/** Reads a node and remembers it under its anchor, if it has one. */
export function remembered(source: Source, name: Name, read: () => Reading): Reading {
  return name.anchor === '' ? read() : kept(source, name, read)
}

function* kept(source: Source, { anchor, depth }: Name, read: () => Reading): YamlSteps<YamlNode> {
  const { deepest, nodes, at, aliased } = source
  source.anchors.set(anchor, { size: 0, height: 0, letters: 0 })
  source.deepest = depth
  const reading = read()
  const node = isRead(reading) ? reading : yield* reading
  const height = source.deepest - depth
  const letters = source.at - at + source.aliased - aliased
  source.anchors.set(anchor, { node, size: source.nodes - nodes, height, letters })
  source.deepest = Math.max(deepest, source.deepest)
  return node
}

/** What an alias stands for: the same node again. */
export function aliasNode(source: Source, depth: number): YamlNode {
  const { mark } = source
  const anchor = takeName(source, 'while scanning an alias')
  const found = source.anchors.get(anchor)
  const context = { what: 'while composing an alias', mark, anchor }
  if (!found) throw source.refuse('unknown anchor referenced', context)
  if (!found.node) throw source.refuse('an anchor contains itself', context)
  source.count(found.size)
  source.countAliased(found.letters)
  source.enter(Math.min(depth + found.height, source.limits.levels + 1))
  return found.node
}
