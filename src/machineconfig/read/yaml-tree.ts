import { ConfigError } from '#machineconfig/config-error.ts'
import { blockNode } from './yaml/block.ts'
import { takeDirectives } from './yaml/directives.ts'
import { Source } from './yaml/source.ts'
import type { YamlNode } from './yaml-node.ts'

const MEBIBYTE = 1024 * 1024
const LARGEST = 4 * MEBIBYTE
const MOST_LINES = 100_000

/**
 * The documents of a text, as go-yaml reads them. Throws a ConfigError that says where it is no YAML
 * and shows none of it. Takes time and memory in proportion to the text, of which it takes 4 MiB,
 * 100,000 lines, 100 levels and 30,000 values, with aliases unfolded, that stand for 4 MiB at most.
 */
export function readYaml(text: string): readonly YamlNode[] {
  const source = new Source(prepared(text))
  const documents: YamlNode[] = []
  source.skipToToken('nowhere')
  while (!source.ended) {
    const marked = takeDirectives(source, documents.length === 0)
    const slot = { indent: -1, depth: 1, listBeside: false, keyHere: !marked }
    documents.push(blockNode(source, slot))
    endDocument(source)
  }
  return documents
}

function prepared(text: string): string {
  if (text.length > LARGEST) {
    throw new ConfigError(`decode error: yaml: longer than ${LARGEST / MEBIBYTE} MiB`)
  }
  if (hasMore(text, '\n') || hasMore(text, '\r')) {
    throw new ConfigError(`decode error: yaml: more than ${MOST_LINES} lines`)
  }
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text
  const odd = ODD.exec(plain) ?? HALF.exec(plain)
  if (odd) {
    throw new ConfigError(
      `decode error: yaml: offset ${odd.index}: control characters are not allowed`,
    )
  }
  return BREAKS.test(plain) ? plain.replace(/\r\n?|\x85/g, '\n') : plain
}

function hasMore(text: string, letter: string): boolean {
  let at = -1
  for (let lines = 0; lines <= MOST_LINES; lines++) {
    at = text.indexOf(letter, at + 1)
    if (at === -1) return false
  }
  return true
}

// What YAML refuses: control characters other than these three, and what is no letter.
const ODD = /[^\t\n\r -\ufffd]/
// Half of a letter, which only a text that is no UTF-8 can hold.
const HALF = /\p{Surrogate}/u
const BREAKS = /[\r\x85]/

/** Past `...` and what is blank; what is left must begin another document. */
function endDocument(source: Source): void {
  source.skipToToken('same line')
  while (source.atDocumentMark() && source.text[source.at] === '.') {
    source.at += 3
    source.skipToToken('same line')
  }
  if (!source.ended && !source.atDocumentMark() && source.text[source.at] !== '%') {
    throw source.refuse('did not find expected <document start>')
  }
}
