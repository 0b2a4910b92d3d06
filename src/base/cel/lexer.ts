import type { Issue } from './source.ts'

export type TokenKind =
  | 'sign'
  | 'ident'
  | 'escaped'
  | 'int'
  | 'uint'
  | 'float'
  | 'string'
  | 'bytes'
  | 'end'

export interface Token {
  kind: TokenKind
  text: string
  at: number
}

interface Tokens {
  tokens: Token[]
  issues: Issue[]
}

const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[0-3][0-7]{2}|[xX][\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})`

const RAW = `[rR](?:"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"[^"\\n\\r]*"|'[^'\\n\\r]*')`
const LONG = ['"""', "'''"].map((quote) => `${quote}(?:${ESCAPE}|[^\\\\])*?${quote}`)
const SHORT = ['"', "'"].map((quote) => `${quote}(?:${ESCAPE}|[^\\\\${quote}\\n\\r])*${quote}`)
const QUOTED = [RAW, ...LONG, ...SHORT].join('|')

// In this order the first rule that fits is the one that takes most of the text, as it has to be.
const RULES: readonly (readonly [TokenKind | undefined, string])[] = [
  [undefined, String.raw`[\t \r\n\f]+|\/\/[^\n]*`],
  ['bytes', `[bB](?:${QUOTED})`],
  ['string', QUOTED],
  ['float', String.raw`(?:\d+\.\d+|\.\d+)(?:[eE][+\-]?\d+)?|\d+[eE][+\-]?\d+`],
  ['uint', String.raw`(?:0x[\da-fA-F]+|\d+)[uU]`],
  ['int', String.raw`0x[\da-fA-F]+|\d+`],
  ['ident', String.raw`[A-Za-z_]\w*`],
  ['escaped', '`[\\w.\\/ \\-]+`'],
  ['sign', String.raw`==|!=|<=|>=|&&|\|\||[\[\]{}().,\-!?:+*\/%<>]`],
]
const TOKEN = new RegExp(RULES.map(([, rule]) => `(${rule})`).join('|'), 'yu')

/** What a text consists of. What is no token is left out and told as an issue. */
export function tokensOf(text: string): Tokens {
  const tokens: Token[] = []
  const issues: Issue[] = []
  const characterAt = characterCounter(text)
  let index = 0
  while (index < text.length) {
    const found = tokenAt(text, index)
    if (found === undefined) {
      const end = failureAt(text, index)
      issues.push({
        at: characterAt(index),
        message: `Syntax error: token recognition error at: '${shown(text.slice(index, end))}'`,
      })
      index = end
      continue
    }
    if (found.kind !== undefined) {
      tokens.push({ kind: found.kind, text: found.text, at: characterAt(index) })
    }
    index += found.text.length
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: characterAt(text.length) })
  return { tokens, issues }
}

const shown = (text: string): string =>
  text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')

/** From places in UTF-16 to places in characters, asked for in rising order. */
function characterCounter(text: string): (index: number) => number {
  let index = 0
  let characters = 0
  return (wanted) => {
    while (index < wanted) {
      index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
      characters += 1
    }
    return characters
  }
}

function tokenAt(
  text: string,
  index: number,
): { kind: TokenKind | undefined; text: string } | undefined {
  TOKEN.lastIndex = index
  const found = TOKEN.exec(text)
  if (found === null) return undefined
  const [kind] = RULES.find((_, i) => found[i + 1] !== undefined) ?? []
  return { kind: found[0] === 'in' ? 'sign' : kind, text: found[0] }
}

const INSIDE_QUOTES: Readonly<Record<string, RegExp>> = {
  '"': new RegExp(`"(?:${ESCAPE}|[^\\\\"\\n\\r])*(?:\\\\[xXuU0-3][\\da-fA-F]*|\\\\)?`, 'yu'),
  "'": new RegExp(`'(?:${ESCAPE}|[^\\\\'\\n\\r])*(?:\\\\[xXuU0-3][\\da-fA-F]*|\\\\)?`, 'yu'),
  '`': /`[\w./ -]*/y,
}

/** Just behind the character with which it is clear that no token begins here. */
function failureAt(text: string, index: number): number {
  const first = text[index] ?? ''
  const inside = INSIDE_QUOTES[first]
  let last = index
  if (inside !== undefined) {
    inside.lastIndex = index
    last = index + (inside.exec(text)?.[0].length ?? 0)
  } else if (first === '=' || first === '&' || first === '|') {
    last = index + 1
  }
  const width = (text.codePointAt(last) ?? 0) > 0xffff ? 2 : 1
  return Math.min(last + width, text.length)
}
