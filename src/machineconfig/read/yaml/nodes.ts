import type { YamlEntry, YamlNode } from '#machineconfig/read/yaml-node.ts'
import { NO_PROPERTIES, type Properties, takeName } from './properties.ts'
import { DEEPEST, type Mark, type Source } from './source.ts'

/** What is known of a node before it is read. */
export interface Head {
  readonly mark: Mark
  readonly properties: Properties
}

const placed = ({ mark, properties }: Head) => ({
  line: mark.line,
  column: mark.column + 1,
  tag: properties.tag,
})

/** A scalar; `plain` without quotes. */
export function scalarNode(head: Head, text: string, plain: boolean): YamlNode {
  return { kind: 'scalar', ...placed(head), text, plain }
}

/** What is there where nothing is. */
export const emptyNode = (mark: Mark, properties: Properties = NO_PROPERTIES): YamlNode =>
  scalarNode({ mark, properties }, '', true)

export const mapNode = (head: Head, entries: readonly YamlEntry[]): YamlNode => ({
  kind: 'map',
  ...placed(head),
  entries,
})

export const listNode = (head: Head, items: readonly YamlNode[]): YamlNode => ({
  kind: 'list',
  ...placed(head),
  items,
})

interface Name {
  readonly anchor: string
  readonly depth: number
}

/** Reads a node that is no collection of a block, and counts it. */
export function anchored(source: Source, name: Name, read: () => YamlNode): YamlNode {
  return remembered(source, name, () => {
    source.count()
    return read()
  })
}

/** Reads a node and remembers it under its anchor, if it has one. */
export function remembered(
  source: Source,
  { anchor, depth }: Name,
  read: () => YamlNode,
): YamlNode {
  if (anchor === '') return read()
  const { deepest, nodes, at, aliased } = source
  source.anchors.set(anchor, { size: 0, height: 0, letters: 0 })
  source.deepest = depth
  const node = read()
  const height = source.deepest - depth
  const letters = source.at - at + source.aliased - aliased
  source.anchors.set(anchor, { node, size: source.nodes - nodes, height, letters })
  source.deepest = Math.max(deepest, source.deepest)
  return node
}

/** What an alias stands for: the same node again. */
export function aliasNode(source: Source, depth: number): YamlNode {
  const { mark } = source
  const name = takeName(source, 'while scanning an alias')
  const found = source.anchors.get(name)
  if (!found)
    throw source.refuse('unknown anchor referenced', { what: 'while composing an alias', mark })
  if (!found.node)
    throw source.refuse('an anchor contains itself', { what: 'while composing an alias', mark })
  source.count(found.size)
  source.countAliased(found.letters)
  source.enter(Math.min(depth + found.height, DEEPEST + 1))
  return found.node
}
