import { blockScalar } from './block-scalar.ts'
import { atFlowCollection, flowCollection, flowScalar, scalarOf } from './flow.ts'
import {
  aliasNode,
  anchored,
  emptyNode,
  type Head,
  listNode,
  mapNode,
  remembered,
} from './nodes.ts'
import { atProperty, NO_PROPERTIES, type Properties, takeProperty } from './properties.ts'
import type { Mark, Source } from './source.ts'
import type { YamlError } from './yaml-error.ts'
import type { YamlEntry, YamlNode } from './yaml-node.ts'
import { isRead, type Reading, type YamlSteps } from './yaml-steps.ts'

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
export function blockNode(source: Source, slot: Slot): Reading {
  const before = source.mark
  return source.nearToken(slot.keyHere ? 'nowhere' : 'same line')
    ? nodeHere(source, slot, before)
    : nodeFarAway(source, slot, before)
}

function* nodeFarAway(source: Source, slot: Slot, before: Mark): YamlSteps<YamlNode> {
  yield* source.toToken('nowhere')
  const reading = nodeHere(source, slot, before)
  return isRead(reading) ? reading : yield* reading
}

function nodeHere(source: Source, slot: Slot, before: Mark): Reading {
  if (isOutside(source, slot)) return counted(source, emptyNode(before))
  const keyHere = slot.keyHere || source.line > before.line
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

function withProperties(source: Source, slot: Slot, keyHere: boolean): Reading {
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

const notContent = (source: Source, mark: Mark): YamlError =>
  source.refuse('did not find expected node content', { what: 'while parsing a block node', mark })

/** What begins on a line below its properties, which are then those of the whole collection. */
function below(source: Source, slot: Slot, start: Start): Reading {
  const { anchor } = start.properties
  return remembered(source, { anchor, depth: slot.depth }, () =>
    under(start, content(source, slot, { ...start, mark: source.mark, properties: NO_PROPERTIES })),
  )
}

function* under({ properties, mark }: Start, reading: Reading): YamlSteps<YamlNode> {
  const inner = isRead(reading) ? reading : yield* reading
  return { ...inner, ...(properties.tag && { tag: properties.tag }), line: mark.line }
}

const anchoredEmpty = (source: Source, { mark, properties }: Head, { depth }: Slot): Reading =>
  anchored(source, { anchor: properties.anchor, depth }, () => emptyNode(mark, properties))

function content(source: Source, slot: Slot, start: Start): Reading {
  const code = source.code()
  if (source.blankAt(1) && (code === DASH || code === QUESTION || code === COLON)) {
    return blockCollection(source, slot, start)
  }
  if (code === BAR || code === GREATER) {
    const { anchor } = start.properties
    return anchored(source, { anchor, depth: slot.depth }, () =>
      scalarOf(start, blockScalar(source, slot.indent), false),
    )
  }
  return inline(source, slot, start)
}

function blockCollection(
  source: Source,
  slot: Slot,
  { mark, properties, keyHere }: Start,
): Reading {
  const code = source.code()
  if (!keyHere || properties !== NO_PROPERTIES) {
    throw source.refuse(`${NAMES.get(code)} are not allowed in this context`)
  }
  if (code === COLON) throw noKey(source, mark)
  source.enter(slot.depth)
  source.count()
  if (code === DASH) return blockList(source, slot, { mark, properties })
  return blockMap(source, { column: source.column, depth: slot.depth, mark })
}

const NAMES = new Map([
  [DASH, 'block sequence entries'],
  [QUESTION, 'mapping keys'],
  [COLON, 'mapping values'],
])

const noKey = (source: Source, mark: Mark): YamlError =>
  source.refuse('did not find expected key', { what: 'while parsing a block mapping', mark })

/** A scalar, alias or collection in brackets; a map if it turns out to be its first key. */
function inline(source: Source, slot: Slot, start: Start): Reading {
  const { line } = source
  const first = inlineNode(source, slot, start)
  const at = { slot, start, line }
  return isRead(first) ? itOrMap(source, first, at) : longInline(source, first, at)
}

interface InlineAt {
  readonly slot: Slot
  readonly start: Start
  readonly line: number
}

function* longInline(
  source: Source,
  steps: YamlSteps<YamlNode>,
  at: InlineAt,
): YamlSteps<YamlNode> {
  const reading = itOrMap(source, yield* steps, at)
  return isRead(reading) ? reading : yield* reading
}

function itOrMap(source: Source, first: YamlNode, { slot, start, line }: InlineAt): Reading {
  if (!isKeyEnd(source)) return first
  if (!start.keyHere || source.line !== line || source.line !== start.mark.line) {
    throw source.refuse('mapping values are not allowed in this context')
  }
  source.enter(slot.depth)
  source.count()
  const { mark } = start
  return blockMap(source, { column: mark.column, depth: slot.depth, mark, first })
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
): Reading {
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

function* blockList(
  source: Source,
  { indent, depth, listBeside }: Slot,
  head: Head,
): YamlSteps<YamlNode> {
  const { column, mark } = source
  const items: YamlNode[] = []
  const slot = { indent: column, depth: depth + 1, listBeside: false, keyHere: true }
  while (isIndicator(source, DASH)) {
    source.at++
    const item = blockNode(source, slot)
    items.push(isRead(item) ? item : yield* item)
    if (!source.nearToken('same line')) yield* source.toToken('same line')
    if (isPast(source, column)) return listNode(head, items)
    if (source.isDue()) yield
  }
  if (listBeside && column === indent) return listNode(head, items)
  throw source.refuse("did not find expected '-' indicator", {
    what: 'while parsing a block collection',
    mark,
  })
}

/** At what comes after an entry, whether the collection at a column ends before it. */
function isPast(source: Source, column: number): boolean {
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

function* blockMap(source: Source, { column, depth, mark, first }: MapAt): YamlSteps<YamlNode> {
  const entries: YamlEntry[] = []
  const slot = { indent: column, depth: depth + 1, listBeside: true, keyHere: false }
  let taken = first ? withValue(source, first, slot) : takeEntry(source, slot, mark)
  for (;;) {
    entries.push(isEntry(taken) ? taken : yield* taken)
    if (!source.nearToken('same line')) yield* source.toToken('same line')
    if (isPast(source, column)) return mapNode({ mark, properties: NO_PROPERTIES }, entries)
    if (source.isDue()) yield
    taken = takeEntry(source, slot, mark)
  }
}

const isEntry = (taken: YamlEntry | YamlSteps<YamlEntry>): taken is YamlEntry => 'key' in taken

function takeEntry(source: Source, slot: Slot, map: Mark): YamlEntry | YamlSteps<YamlEntry> {
  if (isIndicator(source, QUESTION)) return explicitEntry(source, slot)
  const { mark } = source
  const key = simpleKey(source, slot, map)
  if (!isRead(key)) return keyFirst(source, key, { slot, mark })
  demandColon(source, mark)
  return withValue(source, key, slot)
}

function* keyFirst(
  source: Source,
  steps: YamlSteps<YamlNode>,
  { slot, mark }: { slot: Slot; mark: Mark },
): YamlSteps<YamlEntry> {
  const key = yield* steps
  demandColon(source, mark)
  const entry = withValue(source, key, slot)
  return isEntry(entry) ? entry : yield* entry
}

/** With the cursor at the colon. */
function withValue(source: Source, key: YamlNode, slot: Slot): YamlEntry | YamlSteps<YamlEntry> {
  source.at++
  const value = blockNode(source, slot)
  return isRead(value) ? { key, value } : valueLast(key, value)
}

function* valueLast(key: YamlNode, value: YamlSteps<YamlNode>): YamlSteps<YamlEntry> {
  return { key, value: yield* value }
}

function simpleKey(source: Source, { indent, depth }: Slot, map: Mark): Reading {
  if (isIndicator(source, DASH) || isIndicator(source, COLON)) throw noKey(source, map)
  const { mark } = source
  let properties = NO_PROPERTIES
  while (atProperty(source)) {
    properties = takeProperty(source, properties)
    source.skipBlanks()
  }
  return inlineNode(source, { depth, indent }, { mark, properties })
}

function demandColon(source: Source, mark: Mark): void {
  if (isKeyEnd(source) && source.line === mark.line) return
  source.skipToToken('same line')
  throw source.refuse("could not find expected ':'", { what: 'while scanning a simple key', mark })
}

function* explicitEntry(source: Source, slot: Slot): YamlSteps<YamlEntry> {
  source.at++
  const first = blockNode(source, { ...slot, keyHere: true })
  const key = isRead(first) ? first : yield* first
  const before = source.mark
  source.skipToToken('same line')
  const hasValue = source.column === slot.indent && isIndicator(source, COLON)
  if (!hasValue) return { key, value: counted(source, emptyNode(before)) }
  source.at++
  const value = blockNode(source, { ...slot, keyHere: true })
  return { key, value: isRead(value) ? value : yield* value }
}
