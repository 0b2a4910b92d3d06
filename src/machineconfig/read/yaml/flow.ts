import type { ConfigError } from '#machineconfig/config-error.ts'
import type { YamlEntry, YamlNode } from '#machineconfig/read/yaml-node.ts'
import { aliasNode, anchored, emptyNode, listNode, mapNode, scalarNode } from './nodes.ts'
import { plainScalar } from './plain-scalar.ts'
import { atProperty, NO_PROPERTIES, type Properties, takeProperty } from './properties.ts'
import { quotedScalar } from './quoted-scalar.ts'
import type { Mark, Source } from './source.ts'

const [QUOTE, APOSTROPHE, STAR, COMMA, DASH, COLON, QUESTION] = [34, 39, 42, 44, 45, 58, 63]
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [91, 93, 123, 125]

/** Whether a list or a map in brackets comes next. */
export const atFlowCollection = (source: Source): boolean =>
  source.code() === OPEN_LIST || source.code() === OPEN_MAP

/** A list or map in brackets, which may go over any number of lines. */
export function flowCollection(source: Source, depth: number, properties: Properties): YamlNode {
  source.enter(depth)
  const { mark } = source
  const head = { mark, properties }
  const isList = source.code() === OPEN_LIST
  source.at++
  return isList
    ? listNode(head, listItems(source, depth, mark))
    : mapNode(head, mapEntries(source, depth, mark))
}

function listItems(source: Source, depth: number, mark: Mark): YamlNode[] {
  const items: YamlNode[] = []
  for (;;) {
    skip(source)
    if (source.code() === CLOSE_LIST) break
    const start = source.mark
    refuseColon(source, true)
    const { key, value } = entry(source, depth + 1)
    const pair = value && [{ key, value }]
    if (pair) source.count()
    items.push(pair ? mapNode({ mark: start, properties: NO_PROPERTIES }, pair) : key)
    if (separated(source, CLOSE_LIST)) continue
    throw refusal(source, { what: 'sequence', wants: "',' or ']'", mark })
  }
  source.at++
  return items
}

function mapEntries(source: Source, depth: number, mark: Mark): YamlEntry[] {
  const entries: YamlEntry[] = []
  for (;;) {
    skip(source)
    if (source.code() === CLOSE_MAP) break
    refuseColon(source, entries.length > 0)
    const { key, value } = entry(source, depth + 1)
    entries.push({ key, value: value ?? emptyNode(source.mark) })
    if (separated(source, CLOSE_MAP)) continue
    throw refusal(source, { what: 'mapping', wants: "',' or '}'", mark })
  }
  source.at++
  return entries
}

const refusal = (
  source: Source,
  { what, wants, mark }: { what: string; wants: string; mark: Mark },
) => source.refuse(`did not find expected ${wants}`, { what: `while parsing a flow ${what}`, mark })

// A line that would end the document ends no collection.
function skip(source: Source): void {
  source.skipToToken('anywhere')
  if (source.ended || source.atDocumentMark()) throw notHere(source)
}

const notHere = (source: Source): ConfigError =>
  source.refuse('did not find expected node content', {
    what: 'while parsing a flow node',
    mark: source.mark,
  })

function separated(source: Source, close: number): boolean {
  source.skipToToken('anywhere')
  if (source.code() !== COMMA) return source.code() === close
  source.at++
  return true
}

interface Entry {
  readonly key: YamlNode
  readonly value?: YamlNode
}

function entry(source: Source, depth: number): Entry {
  const { line } = source
  const explicit = source.code() === QUESTION && source.blankAt(1)
  if (explicit) {
    source.at++
    skip(source)
  }
  const key = explicit && atEnd(source) ? empty(source) : flowNode(source, depth)
  source.skipToToken('anywhere')
  const hasValue = source.code() === COLON && (explicit || source.line === line)
  if (!hasValue) return explicit ? { key, value: empty(source) } : { key }
  source.at++
  skip(source)
  refuseColon(source, false)
  return { key, value: atEnd(source) ? empty(source) : flowNode(source, depth) }
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

function flowNode(source: Source, depth: number): YamlNode {
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
export function flowScalar(source: Source, indent: number, head: ScalarHead): YamlNode {
  const code = source.code()
  if (code === QUOTE || code === APOSTROPHE) return scalarNode(head, quotedScalar(source), false)
  if (!startsPlain(source, code)) {
    throw source.refuse('found character that cannot start any token', {
      what: 'while scanning for the next token',
      mark: source.mark,
    })
  }
  return scalarNode(head, plainScalar(source, indent, head.flow), true)
}

const INDICATORS = new Set([...'-?:,[]{}#&*!|>\'"%@`\t'].map((letter) => letter.charCodeAt(0)))

function startsPlain(source: Source, code: number): boolean {
  if (!INDICATORS.has(code)) return true
  return (code === DASH || code === QUESTION || code === COLON) && !source.blankAt(1)
}
