import {
  Composer,
  type CST,
  type Document,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  visit,
  type YAMLMap,
} from 'yaml'

const PAUSE_EVERY = 32

/**
 * The value of one YAML document, as `parseYaml` reads it, with a pause wherever it yields. Only what comes of the
 * text at the end is made in one go: that takes a millisecond for each kilobyte or two.
 */
export function* parseYamlInSteps(text: string): Generator<undefined, unknown, undefined> {
  const lines = new LineCounter()
  const tokens = yield* tokensIn(text, lines)
  const documents = [...new Composer(OPTIONS).compose(tokens, true, text.length)]
  yield
  const [document, another] = documents
  if (!document) return null
  const [error] = document.errors
  if (error) throw problemAt(lines, error.pos[0], error.code)
  if (another) throw problemAt(lines, another.range[0], 'MULTIPLE_DOCS')
  const repeated = repeatedKeyIn(document)
  if (repeated !== undefined) throw problemAt(lines, repeated, 'DUPLICATE_KEY')
  yield
  return unfolded(document)
}

// The library looks for repeated keys by comparing each with each.
const OPTIONS = { merge: true, logLevel: 'error', prettyErrors: false, uniqueKeys: false } as const

function* tokensIn(text: string, lines: LineCounter): Generator<undefined, CST.Token[], undefined> {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const tokens: CST.Token[] = []
  let read = 0
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme))
    if (++read % PAUSE_EVERY === 0) yield
  }
  tokens.push(...parser.end())
  return tokens
}

/** Where a key is that its map has had before. */
function repeatedKeyIn(document: Document.Parsed): number | undefined {
  let found: number | undefined
  visit(document, {
    Map: (_, map) => {
      found = repeatedIn(map)
      return found === undefined ? undefined : visit.BREAK
    },
  })
  return found
}

function repeatedIn({ items }: YAMLMap): number | undefined {
  const seen = new Set<unknown>()
  for (const { key } of items) {
    if (!isScalar(key) || key.value === '<<') continue
    if (seen.has(key.value)) return key.range?.[0] ?? 0
    seen.add(key.value)
  }
  return undefined
}

function problemAt(lines: LineCounter, at: number, code: string): Error {
  const { line, col } = lines.linePos(at)
  const reason = code.toLowerCase().replaceAll('_', ' ')
  return new Error(`not valid YAML: ${reason} at line ${line}, column ${col}`)
}

function unfolded(document: Document.Parsed): unknown {
  try {
    return document.toJS()
  } catch {
    throw new Error(
      'not valid YAML: an alias has no anchor, or `<<` is no map, or aliases unfold to too much',
    )
  }
}
