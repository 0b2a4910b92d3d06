import { type Document, LineCounter, parseAllDocuments, parseDocument, stringify } from 'yaml'

const MEBIBYTE = 1024 * 1024
// Parsing a text of nothing but tiny entries takes seconds per mebibyte.
const LARGEST_TEXT = 4 * MEBIBYTE

/**
 * YAML as we write it: no anchors (kubectl users would trip over them), lines up to 100 wide. A text that is none to
 * readers of YAML 1.1, of whom kubectl is one, has quotes: `yes`, `1_0`, `012`.
 */
export const toYaml = (value: unknown): string =>
  stringify(value, { aliasDuplicateObjects: false, lineWidth: 100, compat: 'yaml-1.1' })

/**
 * The value of one YAML document, `<<` merged; null for an empty text. Throws with the line and the
 * reason, and never with a piece of the text, which may hold secrets. Refuses more than 4 MiB.
 */
export function parseYaml(text: string): unknown {
  const lines = countedIn(text)
  return valueIn(parseDocument(text, optionsWith(lines)), lines)
}

/** The values of all documents of a text. Throws and refuses as for one. */
export function parseYamlDocuments(text: string): unknown[] {
  const lines = countedIn(text)
  return parseAllDocuments(text, optionsWith(lines)).map((document) => valueIn(document, lines))
}

function countedIn({ length }: string): LineCounter {
  if (length <= LARGEST_TEXT) return new LineCounter()
  throw new Error(`not read as YAML: longer than ${LARGEST_TEXT / MEBIBYTE} MiB`)
}

const optionsWith = (lineCounter: LineCounter) =>
  ({
    lineCounter,
    merge: true,
    // The library's own messages, errors and warnings alike, quote what they stumbled over.
    logLevel: 'error',
    prettyErrors: false,
  }) as const

function valueIn(document: Document.Parsed, lines: LineCounter): unknown {
  const [error] = document.errors
  if (error) {
    const { line, col } = lines.linePos(error.pos[0])
    const reason = error.code.toLowerCase().replaceAll('_', ' ')
    throw new Error(`not valid YAML: ${reason} at line ${line}, column ${col}`)
  }
  return unfolded(() => document.toJS())
}

function unfolded(toValue: () => unknown): unknown {
  try {
    return toValue()
  } catch {
    throw new Error(
      'not valid YAML: an alias has no anchor, or `<<` is no map, or aliases unfold to too much',
    )
  }
}
