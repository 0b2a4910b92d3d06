import type { ConfigError } from '#machineconfig/config-error.ts'
import type { YamlEntry, YamlNode } from '#machineconfig/read/yaml-node.ts'
import { blockScalar } from './block-scalar.ts'
import { atFlowCollection, flowCollection, flowScalar } from './flow.ts'
import {
  aliasNode,
  anchored,
  emptyNode,
  type Head,
  listNode,
  mapNode,
  remembered,
  scalarNode,
} from './nodes.ts'
import { atProperty, NO_PROPERTIES, type Properties, takeProperty } from './properties.ts'
import type { Mark, Source } from './source.ts'

const [STAR, DASH, COLON, GREATER, QUESTION, BAR] = [42, 45, 58, 62, 63, 124]

/** Where a node is wanted. */
export interface Slot {
  /** The column of the collection around it; -1 outside of any. */
  readonly indent: number
  readonly depth: number
  /** Whether a list may stand at that column too, as under a key. */
  readonly listBeside: boolean
  /** Whether a key may come on the same line: after a dash, but not after another key. */
  readonly keyHere: boolean
}

/** The node that comes next, or an empty one if nothing is indented enough. */
export function blockNode(source: Source, slot: Slot): YamlNode {
  const { line } = source
  const before = source.mark
  source.skipToToken(slot.keyHere ? 'nowhere' : 'same line')
  if (isOutside(source, slot)) return counted(source, emptyNode(before))
  const keyHere = slot.keyHere || source.line > line
  return atProperty(source)
    ? withProperties(source, slot, keyHere)
    : content(source, slot, { mark: source.mark, properties: NO_PROPERTIES, keyHere })
}

function counted(source: Source, node: YamlNode): YamlNode {
  source.count()
  return node
}

function isOutside(source: Source, { indent, listBeside }: Slot): boolean {
  if (source.ended || source.atDocumentMark()) return true
  if (source.column > indent) return false
  return !(listBeside && source.column === indent && isIndicator(source, DASH))
}

const isIndicator = (source: Source, code: number): boolean =>
  source.code() === code && source.blankAt(1)

interface Start extends Head {
  readonly keyHere: boolean
}

function withProperties(source: Source, slot: Slot, keyHere: boolean): YamlNode {
  const { mark } = source
  let properties: Properties = NO_PROPERTIES
  while (atProperty(source) && source.line === mark.line) {
    properties = takeProperty(source, properties)
    source.skipToToken('same line')
  }
  if (isOutside(source, slot)) return anchoredEmpty(source, { mark, properties }, slot)
  if (source.line === mark.line) return content(source, slot, { mark, properties, keyHere })
  if (!atProperty(source)) return below(source, slot, { mark, properties, keyHere: true })
  throw notContent(source, mark)
}

const notContent = (source: Source, mark: Mark): ConfigError =>
  source.refuse('did not find expected node content', { what: 'while parsing a block node', mark })

/** What begins on a line below its properties, which are then those of the whole collection. */
function below(source: Source, slot: Slot, start: Start): YamlNode {
  const { anchor } = start.properties
  return remembered(source, { anchor, depth: slot.depth }, () => {
    const inner = content(source, slot, { ...start, mark: source.mark, properties: NO_PROPERTIES })
    return {
      ...inner,
      ...(start.properties.tag && { tag: start.properties.tag }),
      line: start.mark.line,
    }
  })
}

const anchoredEmpty = (source: Source, { mark, properties }: Head, { depth }: Slot): YamlNode =>
  anchored(source, { anchor: properties.anchor, depth }, () => emptyNode(mark, properties))

function content(source: Source, slot: Slot, start: Start): YamlNode {
  const code = source.code()
  if (source.blankAt(1) && (code === DASH || code === QUESTION || code === COLON)) {
    return blockCollection(source, slot, start)
  }
  if (code === BAR || code === GREATER) {
    const { anchor } = start.properties
    return anchored(source, { anchor, depth: slot.depth }, () =>
      scalarNode(start, blockScalar(source, slot.indent), false),
    )
  }
  return inline(source, slot, start)
}

function blockCollection(
  source: Source,
  slot: Slot,
  { mark, properties, keyHere }: Start,
): YamlNode {
  const code = source.code()
  if (!keyHere || properties !== NO_PROPERTIES) {
    throw source.refuse(`${NAMES.get(code)} are not allowed in this context`)
  }
  if (code === COLON) throw noKey(source, mark)
  source.enter(slot.depth)
  source.count()
  const head = { mark, properties }
  if (code === DASH) return listNode(head, blockItems(source, slot))
  return mapNode(head, blockEntries(source, { column: source.column, depth: slot.depth, mark }))
}

const NAMES = new Map([
  [DASH, 'block sequence entries'],
  [QUESTION, 'mapping keys'],
  [COLON, 'mapping values'],
])

const noKey = (source: Source, mark: Mark): ConfigError =>
  source.refuse('did not find expected key', { what: 'while parsing a block mapping', mark })

/** A scalar, alias or collection in brackets; a map if it turns out to be its first key. */
function inline(source: Source, slot: Slot, start: Start): YamlNode {
  const { line } = source
  const first = inlineNode(source, slot, start)
  if (!isKeyEnd(source)) return first
  if (!start.keyHere || source.line !== line || source.line !== start.mark.line) {
    throw source.refuse('mapping values are not allowed in this context')
  }
  source.enter(slot.depth)
  source.count()
  const map = { column: start.mark.column, depth: slot.depth, mark: start.mark, first }
  return mapNode({ mark: start.mark, properties: NO_PROPERTIES }, blockEntries(source, map))
}

function isKeyEnd(source: Source): boolean {
  const { at } = source
  source.skipBlanks()
  if (source.code() === COLON && source.blankAt(1)) return true
  source.at = at
  return false
}

function inlineNode(
  source: Source,
  { depth, indent }: { depth: number; indent: number },
  head: Head,
): YamlNode {
  const { mark, properties } = head
  if (source.code() === STAR) {
    if (properties === NO_PROPERTIES) return aliasNode(source, depth)
    throw notContent(source, mark)
  }
  return anchored(source, { anchor: properties.anchor, depth }, () =>
    atFlowCollection(source)
      ? flowCollection(source, depth, properties)
      : flowScalar(source, indent, { mark, properties, flow: false }),
  )
}

function blockItems(source: Source, { indent, depth, listBeside }: Slot): YamlNode[] {
  const { column, mark } = source
  const items: YamlNode[] = []
  const slot = { indent: column, depth: depth + 1, listBeside: false, keyHere: true }
  while (isIndicator(source, DASH)) {
    source.at++
    items.push(blockNode(source, slot))
    if (isPast(source, column)) return items
  }
  if (listBeside && column === indent) return items
  throw source.refuse("did not find expected '-' indicator", {
    what: 'while parsing a block collection',
    mark,
  })
}

/** Goes on to what comes after an entry; says whether the collection at a column ends before it. */
function isPast(source: Source, column: number): boolean {
  source.skipToToken('same line')
  if (source.ended || source.atDocumentMark() || source.column < column) return true
  if (source.column === column) return false
  throw noKey(source, source.mark)
}

interface MapAt {
  readonly column: number
  readonly depth: number
  readonly mark: Mark
  readonly first?: YamlNode
}

function blockEntries(source: Source, { column, depth, mark, first }: MapAt): YamlEntry[] {
  const entries: YamlEntry[] = []
  const slot = { indent: column, depth: depth + 1, listBeside: true, keyHere: false }
  let key = first
  for (;;) {
    entries.push(key ? simpleEntry(source, key, slot) : anyEntry(source, slot, mark))
    key = undefined
    if (isPast(source, column)) return entries
  }
}

/** With the cursor at the colon. */
function simpleEntry(source: Source, key: YamlNode, slot: Slot): YamlEntry {
  source.at++
  return { key, value: blockNode(source, slot) }
}

function anyEntry(source: Source, slot: Slot, mark: Mark): YamlEntry {
  if (isIndicator(source, QUESTION)) return explicitEntry(source, slot)
  if (isIndicator(source, DASH) || isIndicator(source, COLON)) {
    throw noKey(source, mark)
  }
  return simpleEntry(source, simpleKey(source, slot), slot)
}

function simpleKey(source: Source, { indent, depth }: Slot): YamlNode {
  const { mark } = source
  let properties = NO_PROPERTIES
  while (atProperty(source)) {
    properties = takeProperty(source, properties)
    source.skipBlanks()
  }
  const key = inlineNode(source, { depth, indent }, { mark, properties })
  if (isKeyEnd(source) && source.line === mark.line) return key
  throw keyRefusal(source, mark)
}

function keyRefusal(source: Source, mark: Mark): ConfigError {
  source.skipToToken('same line')
  return source.refuse("could not find expected ':'", { what: 'while scanning a simple key', mark })
}

function explicitEntry(source: Source, slot: Slot): YamlEntry {
  source.at++
  const key = blockNode(source, { ...slot, keyHere: true })
  const before = source.mark
  source.skipToToken('same line')
  const hasValue = source.column === slot.indent && isIndicator(source, COLON)
  if (!hasValue) return { key, value: counted(source, emptyNode(before)) }
  source.at++
  return { key, value: blockNode(source, { ...slot, keyHere: true }) }
}
