/** A place in an expression, counted in UTF-16, and what is wrong there. */
export interface Issue {
  readonly at: number
  readonly message: string
}

/** The place of an issue that is about the whole. */
export const NOWHERE = -1

type TokenKind = 'sign' | 'ident' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'end'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly at: number
}

const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[0-3][0-7]{2}|[xX][\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})`

const QUOTED = [
  String.raw`[rR](?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n\r]*"|'[^'\n\r]*')`,
  String.raw`"""(?:${ESCAPE}|[^\\])*?"""|'''(?:${ESCAPE}|[^\\])*?'''`,
  String.raw`"(?:${ESCAPE}|[^\\"\n\r])*"|'(?:${ESCAPE}|[^\\'\n\r])*'`,
].join('|')

const KINDS = ['blank', 'bytes', 'string', 'double', 'uint', 'int', 'ident', 'sign'] as const

// The first that fits counts. One after the other would take several times as long.
const TOKEN = new RegExp(
  [
    String.raw`[\t \r\n\f]+|\/\/[^\n]*`,
    `[bB](?:${QUOTED})`,
    QUOTED,
    String.raw`(?:\d+\.\d+|\.\d+)(?:[eE][+\-]?\d+)?|\d+[eE][+\-]?\d+`,
    String.raw`(?:0x[\da-fA-F]+|\d+)[uU]`,
    String.raw`0x[\da-fA-F]+|\d+`,
    String.raw`[A-Za-z_]\w*`,
    String.raw`==|!=|<=|>=|&&|\|\||[\[\]{}().,\-!?:+*\/%<>]`,
  ]
    .map((rule) => `(${rule})`)
    .join('|'),
  'yu',
)

/** What an expression consists of. What is no token is left out and told as an issue. */
export function tokensOf(text: string): { tokens: readonly Token[]; issues: Issue[] } {
  const tokens: Token[] = []
  const issues: Issue[] = []
  for (let at = 0; at < text.length; ) {
    const found = tokenAt(text, at)
    if (found === undefined) {
      const odd = oddAt(text, at)
      issues.push({ at, message: `Syntax error: token recognition error at: '${shown(odd)}'` })
      at += odd.length
      continue
    }
    if (found.kind !== 'blank') tokens.push({ kind: found.kind, text: found.text, at })
    at += found.text.length
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: text.length })
  return { tokens, issues }
}

function tokenAt(
  text: string,
  at: number,
): { kind: (typeof KINDS)[number]; text: string } | undefined {
  TOKEN.lastIndex = at
  const found = TOKEN.exec(text)
  if (found === null) return undefined
  const kind = KINDS.find((_, index) => found[index + 1] !== undefined) ?? 'blank'
  return { kind: found[0] === 'in' ? 'sign' : kind, text: found[0] }
}

/** Up to the character with which it is clear that no token begins here. */
function oddAt(text: string, at: number): string {
  const rest = text.slice(at)
  const [odd = ''] =
    /^(?:"[^"\n\r]*[\s\S]?|'[^'\n\r]*[\s\S]?|[=&|][\s\S]?|[\s\S])/u.exec(rest) ?? []
  return odd
}

const shown = (text: string): string =>
  text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
