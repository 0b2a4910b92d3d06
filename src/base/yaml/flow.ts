import {
  aliasNode,
  anchored,
  emptyNode,
  type Head,
  listNode,
  mapNode,
  scalarNode,
} from './nodes.ts'
import { plainScalar } from './plain-scalar.ts'
import { atProperty, NO_PROPERTIES, type Properties, takeProperty } from './properties.ts'
import { quotedScalar } from './quoted-scalar.ts'
import type { Mark, Source } from './source.ts'
import type { YamlError } from './yaml-error.ts'
import type { YamlEntry, YamlNode } from './yaml-node.ts'
import { isRead, type Reading, type YamlSteps } from './yaml-steps.ts'

const [QUOTE, APOSTROPHE, STAR, COMMA, DASH, COLON, QUESTION] = [34, 39, 42, 44, 45, 58, 63]
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [91, 93, 123, 125]

/** Whether a list or a map in brackets comes next. */
export const atFlowCollection = (source: Source): boolean =>
  source.code() === OPEN_LIST || source.code() === OPEN_MAP

/** A list or map in brackets, which may go over any number of lines. */
export function flowCollection(source: Source, depth: number, properties: Properties): Reading {
  source.enter(depth)
  const head = { mark: source.mark, properties }
  const isList = source.code() === OPEN_LIST
  source.at++
  if (source.code() !== (isList ? CLOSE_LIST : CLOSE_MAP)) {
    return isList ? flowList(source, depth, head) : flowMap(source, depth, head)
  }
  source.at++
  return isList ? listNode(head, []) : mapNode(head, [])
}

function* flowList(source: Source, depth: number, head: Head): YamlSteps<YamlNode> {
  const items: YamlNode[] = []
  for (;;) {
    if (!isNear(source)) yield* source.toToken('anywhere')
    refuseEnd(source)
    if (source.code() === CLOSE_LIST) break
    const start = source.mark
    refuseColon(source, true)
    const taken = takeEntry(source, depth + 1)
    items.push(itemOf(source, isEntry(taken) ? taken : yield* taken, start))
    if (!source.nearToken('anywhere')) yield* source.toToken('anywhere')
    if (separated(source, CLOSE_LIST)) continue
    throw refusal(source, { what: 'sequence', wants: "',' or ']'", mark: head.mark })
  }
  source.at++
  return listNode(head, items)
}

/** In a list, a pair is a map of its own. */
function itemOf(source: Source, { key, value }: Entry, mark: Mark): YamlNode {
  if (!value) return key
  source.count()
  return mapNode({ mark, properties: NO_PROPERTIES }, [{ key, value }])
}

function* flowMap(source: Source, depth: number, head: Head): YamlSteps<YamlNode> {
  const entries: YamlEntry[] = []
  for (;;) {
    if (!isNear(source)) yield* source.toToken('anywhere')
    refuseEnd(source)
    if (source.code() === CLOSE_MAP) break
    refuseColon(source, entries.length > 0)
    const taken = takeEntry(source, depth + 1)
    const { key, value } = isEntry(taken) ? taken : yield* taken
    entries.push({ key, value: value ?? emptyNode(source.mark) })
    if (!source.nearToken('anywhere')) yield* source.toToken('anywhere')
    if (separated(source, CLOSE_MAP)) continue
    throw refusal(source, { what: 'mapping', wants: "',' or '}'", mark: head.mark })
  }
  source.at++
  return mapNode(head, entries)
}

const refusal = (
  source: Source,
  { what, wants, mark }: { what: string; wants: string; mark: Mark },
) => source.refuse(`did not find expected ${wants}`, { what: `while parsing a flow ${what}`, mark })

function skip(source: Source): void {
  source.skipToToken('anywhere')
  refuseEnd(source)
}

const isNear = (source: Source): boolean => !source.isDue() && source.nearToken('anywhere')

// A line that would end the document ends no collection.
function refuseEnd(source: Source): void {
  if (source.ended || source.atDocumentMark()) throw notHere(source)
}

const notHere = (source: Source): YamlError =>
  source.refuse('did not find expected node content', {
    what: 'while parsing a flow node',
    mark: source.mark,
  })

function separated(source: Source, close: number): boolean {
  if (source.code() !== COMMA) return source.code() === close
  source.at++
  return true
}

interface Entry {
  readonly key: YamlNode
  readonly value?: YamlNode
}

const isEntry = (taken: Entry | YamlSteps<Entry>): taken is Entry => 'key' in taken

function takeEntry(source: Source, depth: number): Entry | YamlSteps<Entry> {
  const { line } = source
  const explicit = source.code() === QUESTION && source.blankAt(1)
  if (explicit) {
    source.at++
    skip(source)
  }
  const at = { line, depth, explicit }
  const key = explicit && atEnd(source) ? empty(source) : flowNode(source, depth)
  return isRead(key) ? withValue(source, key, at) : keyFirst(source, key, at)
}

interface EntryAt {
  readonly line: number
  readonly depth: number
  readonly explicit: boolean
}

function* keyFirst(source: Source, key: YamlSteps<YamlNode>, at: EntryAt): YamlSteps<Entry> {
  const entry = withValue(source, yield* key, at)
  return isEntry(entry) ? entry : yield* entry
}

/** What there is behind a key. */
function withValue(
  source: Source,
  key: YamlNode,
  { line, depth, explicit }: EntryAt,
): Entry | YamlSteps<Entry> {
  source.skipToToken('anywhere')
  const hasValue = source.code() === COLON && (explicit || source.line === line)
  if (!hasValue) return explicit ? { key, value: empty(source) } : { key }
  source.at++
  skip(source)
  refuseColon(source, false)
  const value = atEnd(source) ? empty(source) : flowNode(source, depth)
  return isRead(value) ? { key, value } : valueLast(key, value)
}

function* valueLast(key: YamlNode, value: YamlSteps<YamlNode>): YamlSteps<Entry> {
  return { key, value: yield* value }
}

// Only after a comma or the bracket of a list may a text begin with a colon.
function refuseColon(source: Source, allowed: boolean): void {
  if (source.code() === COLON && (!allowed || source.blankAt(1))) throw notHere(source)
}

const atEnd = (source: Source): boolean =>
  source.code() === COMMA ||
  source.code() === CLOSE_LIST ||
  source.code() === CLOSE_MAP ||
  (source.code() === COLON && source.blankAt(1))

function empty(source: Source): YamlNode {
  source.count()
  return emptyNode(source.mark)
}

function flowNode(source: Source, depth: number): Reading {
  if (source.code() === STAR) return aliasNode(source, depth)
  const { mark } = source
  let properties = NO_PROPERTIES
  while (atProperty(source)) {
    properties = takeProperty(source, properties)
    skip(source)
  }
  return anchored(source, { anchor: properties.anchor, depth }, () => {
    if (atFlowCollection(source)) return flowCollection(source, depth, properties)
    if (properties !== NO_PROPERTIES && atEnd(source)) return emptyNode(mark, properties)
    return flowScalar(source, -1, { mark, properties, flow: true })
  })
}

interface ScalarHead {
  readonly mark: Mark
  readonly properties: Properties
  readonly flow: boolean
}

/** A scalar that is in no block of its own, in a collection at the column `indent`. */
export function flowScalar(source: Source, indent: number, head: ScalarHead): Reading {
  const code = source.code()
  if (code === QUOTE || code === APOSTROPHE) return scalarOf(head, quotedScalar(source), false)
  if (!startsPlain(source, code)) {
    throw source.refuse('found character that cannot start any token', {
      what: 'while scanning for the next token',
      mark: source.mark,
    })
  }
  return scalarOf(head, plainScalar(source, indent, head.flow), true)
}

/** A scalar of which the text has been read, or is still to be. */
export const scalarOf = (head: Head, text: string | YamlSteps<string>, plain: boolean): Reading =>
  typeof text === 'string' ? scalarNode(head, text, plain) : longScalar(head, text, plain)

function* longScalar(head: Head, text: YamlSteps<string>, plain: boolean): YamlSteps<YamlNode> {
  return scalarNode(head, yield* text, plain)
}

const INDICATORS = new Set([...'-?:,[]{}#&*!|>\'"%@`\t'].map((letter) => letter.charCodeAt(0)))

function startsPlain(source: Source, code: number): boolean {
  if (!INDICATORS.has(code)) return true
  return (code === DASH || code === QUESTION || code === COLON) && !source.blankAt(1)
}
