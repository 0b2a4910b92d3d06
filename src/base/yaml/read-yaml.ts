import { blockNode } from './block.ts'
import { takeDirectives } from './directives.ts'
import { Source } from './source.ts'
import { YamlError, YamlTooLarge } from './yaml-error.ts'
import type { YamlLimits } from './yaml-limits.ts'
import type { YamlNode } from './yaml-node.ts'
import { isRead, type YamlSteps } from './yaml-steps.ts'

const MEBIBYTE = 1024 * 1024

/**
 * The documents of a text, as go-yaml reads them. Throws a YamlError that says where it is no YAML and shows none of
 * it. Takes time and memory in proportion to the text, and not more of it than the limits allow.
 */
export function readYaml(text: string, limits: YamlLimits): readonly YamlNode[] {
  const steps = documentsIn(text, limits)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function* documentsIn(text: string, limits: YamlLimits): YamlSteps<YamlNode[]> {
  const source = new Source(yield* prepared(text, limits), limits)
  const documents: YamlNode[] = []
  yield* source.toToken('nowhere')
  while (!source.ended) {
    documents.push(yield* document(source, documents.length === 0))
    endDocument(source)
  }
  return documents
}

/** The first document of a text, whatever comes after it, with pauses; none, if there is nothing but comments. */
export function* readFirstInSteps(
  text: string,
  limits: YamlLimits,
): YamlSteps<YamlNode | undefined> {
  const source = new Source(yield* prepared(text, limits), limits)
  yield* source.toToken('nowhere')
  if (source.ended) return undefined
  const first = yield* document(source, true)
  if (!source.nearToken('same line')) yield* source.toToken('same line')
  if (!source.ended && !source.atDocumentMark()) throw notStarted(source)
  return first
}

function* document(source: Source, isFirst: boolean): YamlSteps<YamlNode> {
  const marked = takeDirectives(source, isFirst)
  const slot = { indent: -1, depth: 1, listBeside: false, keyHere: !marked }
  const reading = blockNode(source, slot)
  return isRead(reading) ? reading : yield* reading
}

// As much is looked at in one go: less than a millisecond.
const SLICE = 128 * 1024

function* prepared(text: string, limits: YamlLimits): YamlSteps<string> {
  if (text.length > limits.letters) {
    throw new YamlTooLarge(`longer than ${limits.letters / MEBIBYTE} MiB`)
  }
  let lines = 0
  let whole = ''
  let from = text.startsWith('\ufeff') ? 1 : 0
  while (from < text.length) {
    const to = endOfSlice(text, from)
    const slice = text.slice(from, to)
    refuseOdd(slice, from)
    const hasOther = slice.includes('\r') || slice.includes('\x85')
    const plain = hasOther ? slice.replace(/\r\n?|\x85/g, '\n') : slice
    lines += breaksIn(plain)
    if (lines > limits.lines) throw new YamlTooLarge(`more than ${limits.lines} lines`)
    whole += plain
    from = to
    yield
  }
  return whole
}

/** Not between two letters that are one. */
function endOfSlice(text: string, from: number): number {
  const to = from + SLICE
  const before = text.charCodeAt(to - 1)
  return before === 0x0d || (before >= 0xd800 && before < 0xdc00) ? to + 1 : to
}

function refuseOdd(slice: string, from: number): void {
  const odd = ODD.exec(slice) ?? HALF.exec(slice)
  if (!odd) return
  const why = 'control characters are not allowed'
  throw new YamlError(`offset ${from + odd.index}: ${why}`, why)
}

function breaksIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}

// What YAML refuses: control characters other than these three, and what is no letter.
const ODD = /[^\t\n\r -\ufffd]/
// Half of a letter, which only a text that is no UTF-8 can hold.
const HALF = /\p{Surrogate}/u

/** Past `...` and what is blank; what is left must begin another document. */
function endDocument(source: Source): void {
  source.skipToToken('same line')
  while (source.atDocumentMark() && source.text[source.at] === '.') {
    source.at += 3
    source.skipToToken('same line')
  }
  if (!source.ended && !source.atDocumentMark() && source.text[source.at] !== '%') {
    throw notStarted(source)
  }
}

const notStarted = (source: Source): YamlError =>
  source.refuse('did not find expected <document start>')
